"""Literal, Canonical, Other: what is read from the outcomes of systems on items that depart from the standard form (SceneFaith)."""
