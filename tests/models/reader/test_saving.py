"""A reader comes back from disk the same; a folder that holds none, or a broken one, is named."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from annotator.errors import InputError
from annotator.images.words import BUILT_IN
from annotator.models.reader.reading import Head
from annotator.models.reader.saving import CARD, WEIGHTS, load_reader, prepare_folder, require_torch
from annotator.models.reader.training import draw_crops
from tests.tinyreader import WORDS, save_tiny, tiny_reader


def test_a_reader_comes_back_the_same(tmp_path: Path) -> None:
    folder = save_tiny(tmp_path / "a" / "reader", seed=4)
    loaded, card = load_reader(folder)
    crops = [crop.pixels for crop in draw_crops(WORDS, (BUILT_IN,), np.random.default_rng(1))]
    for head in Head:
        one, other = tiny_reader().read(crops, head), loaded.read(crops, head)
        assert [(a.text, a.shares) for a in one] == [(b.text, b.shares) for b in other]
    assert card["seed"] == 4
    assert json.loads((folder / CARD).read_text(encoding="utf-8")) == card
    assert sorted(path.name for path in folder.iterdir()) == [CARD, WEIGHTS]


def test_the_weights_alone_are_enough(tmp_path: Path) -> None:
    folder = save_tiny(tmp_path)
    (folder / CARD).unlink()
    assert load_reader(folder)[1]["reader_version"] == "1"


@pytest.mark.parametrize("fault", ["empty", "cut", "junk", "other", "no-card", "wrong-shape"])
def test_a_broken_folder_is_named(tmp_path: Path, fault: str) -> None:
    import torch
    from safetensors.torch import save_file

    folder = save_tiny(tmp_path)
    path, whole = folder / WEIGHTS, (folder / WEIGHTS).read_bytes()
    card = json.loads((folder / CARD).read_text(encoding="utf-8"))
    if fault == "empty":
        path.unlink()
    elif fault in ("cut", "junk"):
        path.write_bytes(whole[: len(whole) // 2] if fault == "cut" else b"junk")
    else:
        card |= {"reader_version": "0"} if fault == "other" else {"alphabet": ["a"]}
        metadata = {} if fault == "no-card" else {"card": json.dumps(card)}
        save_file({"x": torch.zeros(1)}, path, metadata=metadata or None)
    with pytest.raises(InputError, match=r"train-recogniser|train it again"):
        load_reader(folder)


def test_a_place_that_cannot_be_written_is_found_before_the_work(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(InputError, match="nothing can be written"):
        prepare_folder(tmp_path / "file")
    prepare_folder(tmp_path / "new")
    assert not list((tmp_path / "new").iterdir())


def test_missing_torch_names_the_package(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(InputError, match=r"torch is missing.*pip install torch"):
        require_torch()
    with pytest.raises(InputError, match="pip install torch"):
        load_reader(tmp_path)
