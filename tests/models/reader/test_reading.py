"""What a reader says: the same alone as in a batch, one share a letter, entropies within their bounds."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from annotator.images.words import BUILT_IN
from annotator.models.reader.crops import frames_of, prepare_crop
from annotator.models.reader.reading import Head, Reading, entropies, join_runs
from annotator.models.reader.training import draw_crops
from tests.tinyreader import TINY, WORDS, tiny_reader


@pytest.mark.parametrize(
    ("classes", "letters"),
    [([], []), ([0, 0], []), ([1, 1, 0, 1], [1, 1]), ([0, 2, 2, 3, 0, 3], [2, 3, 3]), ([5], [5])],
)
def test_runs_are_joined(classes: list[int], letters: list[int]) -> None:
    shares = [0.1 * (k + 1) for k in range(len(classes))]
    found, best = join_runs(classes, shares)
    assert found == letters
    assert len(best) == len(letters)


def test_a_letter_has_the_largest_share_of_its_run() -> None:
    assert join_runs([1, 1, 1, 0, 2], [0.3, 0.9, 0.5, 0.99, 0.4]) == ([1, 2], [0.9, 0.4])


@pytest.mark.parametrize("head", list(Head))
def test_a_crop_reads_the_same_alone_and_in_a_batch(head: Head) -> None:
    reader = tiny_reader()
    crops = [crop.pixels for crop in draw_crops(WORDS, (BUILT_IN,), np.random.default_rng(1))]
    together = reader.read(crops, head, batch=5)
    for crop, reading in zip(crops, together, strict=True):
        alone = reader.read([crop], head)[0]
        assert alone.text == reading.text
        assert np.allclose(alone.shares, reading.shares, atol=1e-4)
        assert sorted(alone.hidden) == sorted(reading.hidden)
        for name, values in alone.hidden.items():
            assert np.allclose(values, reading.hidden[name], atol=1e-3), name


@pytest.mark.parametrize("head", list(Head))
def test_a_reading_is_whole(head: Head) -> None:
    reader = tiny_reader()
    crops = [crop.pixels for crop in draw_crops(WORDS, (BUILT_IN,), np.random.default_rng(2))]
    for crop, reading in zip(crops, reader.read(crops, head), strict=True):
        assert len(reading.clusters) == len(reading.shares)
        assert len(reading.char_confidence) == len(reading.text)
        assert all(0 < share <= 1 for share in reading.shares)
        names = [f"encoder_{k}" for k in range(1, 6)]
        names += [f"decoder_{k}" for k in (1, 2)] if head is Head.AR else []
        assert sorted(reading.hidden) == sorted(names)
        assert all(np.isfinite(values).all() for values in reading.hidden.values())
        if head is Head.CTC:
            assert not reading.attention
            continue
        frames = int(frames_of(np.array([crop.shape[1]]))[0])
        assert 0 <= reading.attention["self"] <= math.log(TINY.longest + 1)
        assert 0 < reading.attention["cross"] <= math.log(frames) + 1e-5
        assert reading.attention["ratio"] == pytest.approx(reading.attention["self"] / reading.attention["cross"])


def test_nothing_to_read_is_no_reading() -> None:
    assert tiny_reader().read([], Head.AR) == []


@pytest.mark.parametrize("head", list(Head))
def test_any_picture_is_read_without_a_fault(head: Head) -> None:
    from PIL import Image

    pictures = [Image.new("L", (1, 1)), Image.new("L", (4000, 3), 255), Image.new("L", (3, 4000), 9)]
    readings = tiny_reader().read([prepare_crop(picture) for picture in pictures], head)
    assert all(len(reading.clusters) <= 120 for reading in readings)


def test_entropies_are_those_of_the_places_attended() -> None:
    even = torch.full((1, 2, 3, 4), 0.25)
    sure = torch.tensor([1.0, 0.0, 0.0, 0.0]).expand(1, 2, 3, 4)
    assert torch.allclose(entropies(even), torch.full((1, 3), math.log(4)))
    assert torch.allclose(entropies(sure), torch.zeros(1, 3))


def test_a_clusters_share_stands_at_each_of_its_code_points() -> None:
    assert Reading(("ক্ষ", "a"), (0.5, 0.25)).char_confidence == (0.5, 0.5, 0.5, 0.25)
