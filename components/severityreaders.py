"""Severities against readers, and against each other: rated edits, rated texts, preferences, two providers."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from annotator.analyses.severity.loading import compared_names, provider_names, provider_state
from annotator.analyses.severity.preferences import OverrideRow, PreferenceReport, report_preferences
from annotator.analyses.severity.rated import EDITS, PREFERENCES, TEXTS, RatedTask, read_rated, studies_of
from annotator.analyses.severity.ratings import report_ratings
from annotator.analyses.severity.textratings import report_text_ratings
from annotator.analyses.severity.twoproviders import report_two_providers
from annotator.records import Query
from annotator.store.project import Project
from components.filters import choose
from components.notes import empty_state, note
from components.numbers import Kind
from components.remember import kept
from components.severity import WORDS
from components.state import Key
from components.tables import Column, show_table

RHO = "Spearman's correlation with the raters' mean"
KINDS = {EDITS: "edits rated", TEXTS: "texts rated", PREFERENCES: "preferences"}
READERS = (
    Column("provider", "Severities from"),
    Column("language", "Language"),
    Column("n", "n", Kind.COUNT, "Rated edits that the provider charges."),
    Column("spearman", "Spearman", Kind.NUMBER, f"{RHO}.", "spearman_low", "spearman_high"),
    Column("given_band", "Within band", Kind.NUMBER, f"{RHO}, given the sampling band.", "given_band_low", "given_band_high"),
    Column("given_filter", "… and filter", Kind.NUMBER, "Given band and filter label: what it adds to normalization.",
           "given_filter_low", "given_filter_high"),
    Column("given_type_table", "… and type", Kind.NUMBER, "Given band and type table: what the line adds to the edit's type.",
           "given_type_table_low", "given_type_table_high"),
    Column("given_mode", "… and mode", Kind.NUMBER, "Given band and most likely level: what the distribution adds.",
           "given_mode_low", "given_mode_high"),
    Column("share", "Top-of-list share", Kind.NUMBER,
           "Mean of (G_f - f) / (O_f - f), f = .1 to .5: 1 is the readers' own order, 0 a random one (semCER, B.1).",
           "share_low", "share_high"),
    Column("catch", "Top-10 % catch", Kind.NUMBER, "Damage in the first tenth / in the raters' own first tenth.",
           "catch_low", "catch_high"),
    Column("best_share", "Best judge-free share", Kind.NUMBER, "Filter label, real-word label, 1/m, or the three in turn."),
    Column("best_order", "which is"),
    Column("lead_p_holm", "p of the lead", Kind.P, "Of the top-of-list share over the best judge-free one; Holm over the languages."),
    Column("reliability", "Raters' reliability", Kind.NUMBER, "Split half within band, Spearman-Brown.",
           "reliability_low", "reliability_high"),
)  # fmt: skip
TEXT = (
    Column("score", "Score"),
    Column("language", "Language"),
    Column("n", "n", Kind.COUNT, "Rated texts whose edits are all charged."),
    Column("spearman", "Spearman", Kind.NUMBER, f"{RHO} of the whole text.", "low", "high"),
    Column("gain", "semCER minus this", Kind.SIGNED, "Over the same resamples of documents.", "gain_low", "gain_high"),
    Column("p_holm", "p", Kind.P, "Holm over the scores of the language."),
)
SCORES = {
    "cer_raw": "CER", "cer_ws": "CER, white space folded (ws)", "cer_omni2025": "CER, letters and digits (omni2025)",
    "cer_full": "Normalized CER (full)", "cer_light": "CER, light", "semcer": "semCER", "class_charge": "Class charge",
    "whole_line": "Whole line", "cer": "CER", "normalized_cer": "Normalized CER",
}  # fmt: skip
ORDERS = {"filter-label": "filter", "real-word-label": "real word", "1/m": "1/m", "in-turn": "in turn"}
SETS = {"all": "All pairs", "near-miss": "Near misses", "normalization-proof": "Normalization-proof"}
PREFERENCE = (
    Column("pairs", "Pairs", Kind.TEXT, "Near miss: the output with more edits is mostly right. Normalization-proof: there "
           "normalized CER picks what CER picks (semCER, section 6)."),
    Column("score", "Score"),
    Column("language", "Language"),
    Column("n", "n", Kind.COUNT, "Pairs on which a strict majority of the readers prefers one output."),
    Column("agreement", "Agreement", Kind.PERCENT, "Share of the pairs on which the score picks the readers' output; a tie is a miss.",
           "low", "high"),
    Column("ties", "Ties", Kind.COUNT, "Pairs on which the score picks none."),
    Column("margin", "Over normalized CER", Kind.POINTS, "Agreement minus that of normalized CER, paired.",
           "margin_low", "margin_high"),
    Column("p_holm", "p", Kind.P, "Holm over the languages."),
)  # fmt: skip
OVERRIDES = (
    Column("provider", "Severities from"),
    Column("language", "Language"),
    Column(
        "overrides", "Overrides", Kind.COUNT, "Pairs on which semCER picks the output that CER rejects (semCER, C.3)."
    ),
    Column(
        "agreement",
        "Readers agree",
        Kind.PERCENT,
        "Share of them on which the readers prefer that output.",
        "low",
        "high",
    ),
)
TWO = (
    Column("language", "Language"),
    Column("n", "n", Kind.COUNT, "Edits that both charge."),
    Column("items", "Items", Kind.COUNT),
    Column("spearman", "Spearman", Kind.NUMBER, "Of the two severities of an edit; documents are resampled, items where there "
           "are none.", "spearman_low", "spearman_high"),
    Column("mean_a", "Mean of A", Kind.NUMBER),
    Column("mean_b", "Mean of B", Kind.NUMBER),
    Column("mean_difference", "A minus B", Kind.SIGNED, "Mean difference of the two severities of an edit."),
    Column("mean_absolute_difference", "Apart by", Kind.NUMBER, "Mean absolute difference."),
)  # fmt: skip


def show_readers(project: Project, query: Query, provider: str) -> str:
    """Severities against a study's readers; returns the command for the same. The study's kind says what is drawn."""
    kinds = {study.name: study.kind for kind in KINDS for study in studies_of(project, kind)}
    if not kinds:
        empty_state("No readers yet", "Ask readers what single edits cost, what whole texts cost, or which of two outputs is better.",
                    "python -m annotator study create edit-severity --name S", page="pages/studies.py",
                    label="Make a study")  # fmt: skip
        return "report ratings --study STUDY"
    shown = {name: f"{name} ({KINDS[kind]})" for name, kind in kinds.items()}
    study = choose("Study", Key.STUDY, list(kinds), default=next(iter(kinds)), shown=shown)
    rated = read_rated(project, study, kinds[study])
    command = "preferences" if kinds[study] == PREFERENCES else "ratings"
    if not rated:
        empty_state("No answers yet", "No reader has answered a task of this study.")
    else:
        DRAW_STUDY[kinds[study]](project, query, provider, study, _stamp(rated))
    return f"report {command} --study {shlex.quote(study)} --provider {shlex.quote(provider)}"


def _stamp(rated: Sequence[RatedTask]) -> tuple[Any, ...]:
    return tuple(tuple(one.values.items()) for one in rated)


def _rated_edits(project: Project, query: Query, provider: str, study: str, stamp: tuple[Any, ...]) -> None:
    names = tuple(dict.fromkeys((provider, *compared_names(project))))
    asked = (query, study, stamp, *((name, provider_state(project, query, name)) for name in names))
    report = kept(project, "severity ratings", asked, lambda: report_ratings(project, query, study, names))
    rows = [spread(asdict(row)) | {"best_order": ORDERS.get(row.best_order, "")} for row in report.rows]
    banded = any(row.given_band.value is not None for row in report.rows)
    columns = [column for column in READERS if banded or not column.key.startswith("given_")]
    show_table(columns, rows, key="readers", caption="Severities of single edits against the readers' ratings")
    note("Every source of severities of this project is in the table. Edits are resampled within their sampling band.")
    if not banded:
        note(f"No correlation within bands: {report.rows[0].given_band.why}.")


def _rated_texts(project: Project, query: Query, provider: str, study: str, stamp: tuple[Any, ...]) -> None:
    asked = (query, provider, study, stamp, provider_state(project, query, provider))
    report = kept(project, "text ratings", asked, lambda: report_text_ratings(project, query, study, provider))
    rows = [asdict(row) | {"score": SCORES[row.score]} for row in report.rows]
    show_table(TEXT, rows, key="texts", caption=f"Error rates against the readers' ratings of whole texts ({provider})")
    if report.not_charged:
        note(f"Left out: {report.not_charged:,} texts with an edit that {provider} does not charge.")
    for text in dict.fromkeys(row.note for row in report.rows if row.note):
        note(f"Resampling: {text}.")


def _preferences(project: Project, query: Query, provider: str, study: str, stamp: tuple[Any, ...]) -> None:
    asked = (query, provider, study, stamp, provider_state(project, query, provider))
    report = kept(project, "preferences", asked, lambda: report_preferences(project, query, study, (provider,)))
    found = sorted((row for row in report.rows if row.n), key=lambda row: (list(SETS).index(row.pairs), row.language))
    rows = [asdict(row) | {"pairs": SETS[row.pairs], "score": score_words(row.score)} for row in found]
    caption = "Which output do readers prefer, and which does each score?"
    show_table(PREFERENCE, rows, key="preferences", caption=caption)
    _show_overrides(report.overrides)
    for text in _preference_notes(report):
        note(text)


def _show_overrides(found: Sequence[OverrideRow]) -> None:
    why = "there it never picks the output that CER rejects"
    rows = [asdict(row) | {"agreement_why": why} for row in found]
    show_table(OVERRIDES, rows, key="overrides", caption="Where semCER overrides CER")


def score_words(score: str) -> str:
    """`CER` of `cer`; the score of a provider is its semCER."""
    kind, _, source = score.partition(":")
    if kind == "class-charge":
        return f"Class charge ({source})"
    return SCORES.get(score, f"semCER ({score})")


def _preference_notes(report: PreferenceReport) -> list[str]:
    found = [
        f"One reader against the strict majority of the others, {language or 'language unknown'}: "
        f"{'–' if share is None else f'{100 * share:.1f} %'} of {n:,} answers."
        for language, share, n in report.one_reader
    ]
    for kind, words in SETS.items():
        if not any(row.n for row in report.rows if row.pairs == kind):
            found.append(f"{words}: none in this study.")
    if report.without_majority:
        found.append(f"Left out: {report.without_majority:,} pairs without a strict majority.")
    if report.not_charged:
        found.append(f"Left out: {report.not_charged:,} pairs with an edit that the provider does not charge.")
    if report.no_negations:
        names = ", ".join(name or "unknown" for name in report.no_negations)
        found.append(f"Near misses look at no negation words where there is no list of them: {names}.")
    return found


DRAW_STUDY = {EDITS: _rated_edits, TEXTS: _rated_texts, PREFERENCES: _preferences}


def show_two_providers(project: Project, query: Query, provider: str) -> str:
    """The chosen provider (A) against another (B) on the edits that both charge."""
    others = [name for name in provider_names(project) if name != provider]
    other = choose("Against", Key.OTHER, others, default=others[0], shown=WORDS)
    studies = [study.name for study in studies_of(project, PREFERENCES)]
    study = ""
    if studies:
        study = choose("Readers' preferences", Key.STUDY, ["", *studies], shown={"": "no study"})
    stamp = _stamp(read_rated(project, study, PREFERENCES)) if study else ()
    states = tuple((name, provider_state(project, query, name)) for name in (provider, other))
    report = kept(
        project, "two providers", (query, study, stamp, *states),
        lambda: report_two_providers(project, query, provider, other, study if stamp else ""),
    )  # fmt: skip
    rows = [spread(asdict(row)) for row in report.rows]
    show_table(TWO, rows, key="two", caption=f"{provider} (A) and {other} (B) on the same edits")
    for text in dict.fromkeys(row.spearman.note for row in report.rows if row.spearman.note):
        note(f"Interval of Spearman's correlation: {text}.")
    if report.overrides:
        _show_overrides(report.overrides)
    elif studies:
        note("Choose a study of preferences to see whom its readers follow where each of the two overrides CER.")
    else:
        note("With a study of preferences this view shows whom its readers follow where each of the two overrides CER.")
    command = f"report providers {shlex.quote(provider)} {shlex.quote(other)}"
    return f"{command} --study {shlex.quote(study)}" if study else command


def spread(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row whose estimates are spread over NAME, NAME_low, NAME_high, NAME_n and NAME_why."""
    found: dict[str, Any] = dict(row)
    for name, value in row.items():
        if isinstance(value, dict) and "value" in value:
            found |= {name: value["value"], f"{name}_low": value["low"], f"{name}_high": value["high"]}
            found |= {f"{name}_n": value["n"], f"{name}_why": value["why"]}
    return found
