"""What comes in and what goes out: import with preview, exports, health, imports taken back."""

from annotator.access import OWNERS
from components.data_care import export_form, health_form, history_form
from components.data_charge import charge_form
from components.data_import import import_form
from components.data_recognise import recognise_form
from components.filters import choose_chip, filter_bar
from components.notes import errors_in_words
from components.shell import start_page
from components.state import Key

VIEWS = {
    "import": "Import",
    "recognise": "Run a recogniser",
    "charge": "Charge edits",
    "export": "Export",
    "health": "Health",
    "imports": "What was imported",
}

project = start_page(
    "Data", "Bring test sets and outputs in, take results home, keep the project healthy.", OWNERS, create=True
)
view = choose_chip("View", Key.VIEW, VIEWS, default="import")
with errors_in_words():
    if view == "import":
        import_form(project)
    elif view == "recognise":
        recognise_form(project)
    elif view == "charge":
        charge_form(project, filter_bar(project, (Key.SYSTEM, Key.CONDITION)))
    elif view == "export":
        query = filter_bar(project, (Key.SYSTEM, Key.CONDITION, Key.BENCHMARK, Key.LANGUAGE))
        export_form(project, query)
    elif view == "health":
        health_form(project)
    else:
        history_form(project)
