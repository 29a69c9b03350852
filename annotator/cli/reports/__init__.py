"""`annotator report ...`: a module for each family of read-outs."""
