"""Image conditions and thumbnails (Pillow)."""
