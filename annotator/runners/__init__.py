"""Recognition engines. Each engine is imported inside the function that runs it."""
