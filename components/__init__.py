"""Draw and ask; return choices. The only code beside the pages that imports Streamlit."""
