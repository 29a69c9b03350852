"""What each column of a file is taken for: own names before other names, no guess where two readings are possible."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from annotator.errors import Problem, UsageError
from annotator.ingest.fields import Field, folded, said
from annotator.ingest.report import Mapped
from annotator.ingest.tables import Table

ATTRIBUTE = "attribute"


@dataclass(frozen=True, slots=True)
class ColumnMap:
    """`at` gives the position of each field's column; `extra` the columns kept as attributes, by position."""

    columns: tuple[str, ...]
    at: Mapping[str, int]
    extra: tuple[tuple[str, int], ...]
    notes: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()

    def shown(self) -> tuple[Mapped, ...]:
        """Every column with what it was taken for."""
        taken = {position: said(name) for name, position in self.at.items()}
        return tuple(Mapped(column, taken.get(k, ATTRIBUTE)) for k, column in enumerate(self.columns))


def parse_mapping(pairs: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Read `--map field=column` options; the field `attribute` keeps a column as it is. Raises `UsageError`."""
    mapping: list[tuple[str, str]] = []
    for pair in pairs:
        name, equals, column = pair.partition("=")
        if not equals or not name.strip() or not column.strip():
            raise UsageError(f"--map {pair}: expected field=column, for example --map standard=canonical_text")
        mapping.append((folded(name), column))
    return tuple(mapping)


@dataclass(slots=True)
class _Choice:
    """Columns while they are being assigned."""

    table: Table
    free: dict[str, int]
    at: dict[str, int] = field(default_factory=dict)
    kept: dict[str, int] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    def take(self, name: str, column: str) -> None:
        self.at[name] = self.free.pop(column)

    def fault(self, column: str | None, found: str, expected: str) -> None:
        line = None if self.table.typed else 1
        self.problems.append(Problem(self.table.file, line, column, found, expected))


def map_columns(
    table: Table,
    fields: Sequence[Field],
    explicit: Sequence[tuple[str, str]],
    *,
    optional: frozenset[str] = frozenset(),
    stand_ins: Mapping[str, tuple[str, ...]] | None = None,
) -> ColumnMap:
    """Assign the columns of `table` to `fields`.

    `explicit` are the user's `--map` choices. A field in `optional` may be absent this time (given by an option, say).
    `stand_ins` are names taken for a needed field when nothing else is there. Faults are in `ColumnMap.problems`.
    Raises `UsageError` when `explicit` names a field that does not exist.
    """
    choice = _Choice(table, _free_columns(table))
    _check_repeats(choice)
    _take_explicit(choice, fields, explicit)
    for each in fields:
        if each.name not in choice.at and each.name in choice.free:
            choice.take(each.name, each.name)
    for each in fields:
        if each.name not in choice.at:
            _take_alias(choice, each, each.needed and each.name not in optional, (stand_ins or {}).get(each.name, ()))
    names = {position: _label(column, position) for position, column in enumerate(table.columns)}
    extra = tuple((names[position], position) for position in sorted((*choice.free.values(), *choice.kept.values())))
    return ColumnMap(table.columns, choice.at, extra, tuple(choice.notes), tuple(choice.problems))


def _label(column: str, position: int) -> str:
    return column.strip() or f"column_{position + 1}"


def _free_columns(table: Table) -> dict[str, int]:
    free: dict[str, int] = {}
    for position, column in enumerate(table.columns):
        free.setdefault(folded(_label(column, position)), position)
    return free


def _check_repeats(choice: _Choice) -> None:
    seen: dict[str, str] = {}
    for position, column in enumerate(choice.table.columns):
        key = folded(_label(column, position))
        if key in seen:
            choice.fault(column, f"two columns named {column.strip()!r}", "each column name once")
        seen[key] = column


def _take_explicit(choice: _Choice, fields: Sequence[Field], explicit: Sequence[tuple[str, str]]) -> None:
    known = {each.name for each in fields}
    for name, column in explicit:
        name = {"gold": "own_gold"}.get(name, name) if "own_gold" in known and "gold" not in known else name
        if name not in known and name != ATTRIBUTE:
            raise UsageError(
                f"--map {name}={column}: no field {name!r}; expected one of {', '.join(sorted(map(said, known)))}"
            )
        if name == ATTRIBUTE and folded(column) in choice.free:
            choice.kept[folded(column)] = choice.free.pop(folded(column))
        elif folded(column) in choice.free and name not in choice.at:
            choice.take(name, folded(column))
        else:
            choice.fault(
                column, f"no column {column!r} to map to {said(name)}", f"one of: {_listed(choice.table.columns)}"
            )


def _take_alias(choice: _Choice, each: Field, needed: bool, stand_ins: tuple[str, ...]) -> None:
    found = [alias for alias in each.aliases if alias in choice.free]
    if len(found) > 1 and needed:
        options = " or ".join(f"--map {each.name}={choice.table.columns[choice.free[name]].strip()}" for name in found)
        choice.fault(
            None, f"{len(found)} columns that could be {each.name}: {', '.join(found)}", f"one choice: {options}"
        )
        for name in found:
            choice.free.pop(name)
        return
    if found:
        if len(found) > 1:
            choice.notes.append(f"{found[0]} is taken for {said(each.name)}; {', '.join(found[1:])} kept as attribute")
        choice.take(each.name, found[0])
        return
    stand_in = next((name for name in stand_ins if name in choice.free), None)
    if stand_in:
        choice.notes.append(f"{stand_in} is taken for {said(each.name)}")
        choice.take(each.name, stand_in)
    elif needed:
        option = f", or --{each.name} NAME" if each.name == "system" else ""
        wanted = f"a column {each.name} (or {', '.join(each.aliases)}), or --map {each.name}=COLUMN{option}"
        choice.fault(None, f"no column for {each.name} among: {_listed(choice.table.columns)}", wanted)


def _listed(columns: Sequence[str]) -> str:
    shown = ", ".join(column.strip() or "(unnamed)" for column in columns[:40])
    return shown + (f" and {len(columns) - 40} more" if len(columns) > 40 else "")
