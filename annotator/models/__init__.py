"""PyTorch models: imported only when used."""
