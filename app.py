"""The overview page."""

from components.shell import start_page

start_page("Overview", "What is in this project, how the systems compare, and what to look at next.")
