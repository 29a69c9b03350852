"""The self-contained report: one HTML file with every read-out, its method and worked examples."""
