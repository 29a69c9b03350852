"""The command line that gives the figures of a view, with what was chosen in its widgets. Built after they are drawn."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence

import streamlit as st

from annotator.analyses.outcomes.groups import GroupBy
from annotator.metrics.strata.grid import CORNER
from annotator.records import Cell, Query
from components.compare import Sides, grid_metric
from components.filters import chosen, command_options, number_in_address
from components.reports import all_systems
from components.state import Key, read

_COMMAND = "python -m annotator report "


def outcomes_command(view: str, query: Query) -> str:
    """The command of a view of the outcomes page."""
    return _COMMAND + (_OUTCOMES[view]() if view in _OUTCOMES else view) + command_options(query)


def compare_command(view: str, query: Query, sides: Sides) -> str:
    """The command of a view of the compare page."""
    pair = f" {_run(sides.a)} {_run(sides.b)}"
    cell = str(sides.cell or "")
    words = {
        "pair": f"compare{pair}" + _option("--cell", cell) + _metric(sides.metric),
        "grid": "strata" + _metric(grid_metric(sides.metric)),
        "ngrams": f"ngrams{pair}" + _option("--cell", cell or str(CORNER)),
        "variants": " ".join(["mitigation", *(_run(run) for run in (sides.a, *sides.variants))]),
        "corpora": "crosscorpus --second " + shlex.quote(chosen(Key.VALUE) or "REFERENCE"),
        "router": f"router{pair}" + (f" {_run(chosen(Key.RUN))}" if chosen(Key.RUN) else ""),
        "control": f"control{pair}",
    }
    return _COMMAND + words[view] + command_options(query)


def strata_command(query: Query, metric: str, run: tuple[str, str], cells: Sequence[Cell]) -> str:
    """The command of the read-out below the grid; `run` is the system and condition that the page shows."""
    everyone = command_options(all_systems(query))
    cell = str(cells[0]) if len(cells) == 1 else ""
    read_out = chosen(Key.READOUT) or "gap"
    if read_out == "curves":
        return f"{_COMMAND}marginals{_metric(metric)}{command_options(query)}"
    if read_out == "modes":
        return f"{_COMMAND}modes{_option('--cell', cell)}{_option('--seed', str(number_in_address(Key.SEED) or ''))}{command_options(query)}"
    if read_out == "suspects":
        return f"{_COMMAND}suspects{_option('--agree', chosen(Key.AGREE))}{everyone}"
    if read_out == "ngrams" and cell:
        pair = " ".join(_run(f"{system}@{run[1]}") for system in (run[0], chosen(Key.B)))
        return f"{_COMMAND}ngrams {pair} --cell {cell}{everyone}"
    return f"{_COMMAND}strata{_metric(metric)}{everyone}"


def _systems() -> str:
    by = chosen(Key.BY)
    grouped = _option("--by", by[1:]) if by.startswith("@") else f" --by-{GroupBy(by).value}" if by else ""
    return "outcomes" + grouped + _option("--macro", chosen(Key.ATTRIBUTE))


def _pair() -> str:
    return f"compare {_run(chosen(Key.A) or 'A')} {_run(chosen(Key.B) or 'B')} --metric outcome"


def _consensus() -> str:
    panel = " ".join(_run(run) for run in st.session_state.get("panel", ()))
    return f"consensus {panel or 'SYSTEM...'}" + " --fold" * (read(Key.FOLD) == "1")


def _lexical() -> str:
    options = _option("--strength", chosen(Key.FIELD)) + _option("--domain", chosen(Key.ATTRIBUTE))
    fitted = " --regress" * (read(Key.MARK) == "1")
    return f"lexical --prior {shlex.quote(chosen(Key.PRIOR) or 'COLUMN')}{options}{fitted}"


_OUTCOMES: dict[str, Callable[[], str]] = {
    "systems": _systems,
    "pair": _pair,
    "consensus": _consensus,
    "lexical": _lexical,
}


def _metric(metric: str) -> str:
    return "" if metric == "str_accuracy" else _option("--metric", metric)


def _option(name: str, value: str) -> str:
    return f" {name} {shlex.quote(value)}" if value else ""


def _run(run: str) -> str:
    return shlex.quote(run.removesuffix("@default"))
