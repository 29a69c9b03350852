"""Frozen records that travel between the layers. Standard library only."""

from __future__ import annotations
