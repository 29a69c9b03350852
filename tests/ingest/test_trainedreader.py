"""A trained recogniser run over a project: text, confidences, states, attention; folders that hold none."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from annotator.analyses.strata.probe import read_activations
from annotator.errors import EngineRefusedError, FileError, UsageError
from annotator.images.words import BUILT_IN, choose_word_look, draw_word
from annotator.ingest.items import import_items
from annotator.ingest.recognise import recognise_items
from annotator.ingest.recogniseplan import RecogniseOptions
from annotator.ingest.trainedreader import TrainedReader, choose_recogniser
from annotator.runners.base import About, ConfidenceKind
from annotator.runners.factory import RunnerSettings
from annotator.runners.ppocr import PPOCR
from annotator.store.detail import find_item, read_answers
from annotator.store.project import Project, open_project
from annotator.store.reading import read_runs
from tests.tinyreader import WORDS, save_tiny

SETTINGS = RunnerSettings(Path())


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """Twelve drawn words; the last item is Bengali."""
    folder = tmp_path / "set"
    folder.mkdir()
    rng = np.random.default_rng(0)
    rows = ["id,gold,image,language"]
    for k, word in enumerate(WORDS):
        draw_word(word, BUILT_IN, choose_word_look(rng), rng).picture.save(folder / f"{k}.png")
        rows.append(f"i{k},{word},{k}.png,{'bn' if k == len(WORDS) - 1 else 'en'}")
    (folder / "items.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    opened = open_project(tmp_path / "project", create=True)
    import_items(opened, folder / "items.csv")
    return opened


@pytest.mark.parametrize("head", ["ctc", "ar"])
def test_a_run_stores_confidences_states_and_attention(project: Project, tmp_path: Path, head: str) -> None:
    folder, states = save_tiny(tmp_path / "tiny", language="en"), tmp_path / "states.npz"
    recogniser = choose_recogniser(f"torch:{folder}:{head}", SETTINGS)
    report = recognise_items(project, recogniser, RecogniseOptions(workers=2, activations=states))
    assert (report.system, report.written, report.failed, report.not_read) == (f"tiny-{head}", 11, 0, 1)
    with project.read() as connection:
        item = find_item(connection, "i0")
        assert item is not None
        answer = read_answers(connection, item.key)[0]
        kinds = {run.system: run.confidence_kind for run in read_runs(connection)}
    assert kinds[f"tiny-{head}"] == ConfidenceKind.SOFTMAX.value
    assert answer.char_confidence is not None
    assert len(answer.char_confidence) == len(answer.predicted)
    attention = {"attention_self", "attention_cross", "attention_ratio"} if head == "ar" else set()
    assert set(answer.extra) == attention
    found = read_activations(states)
    assert sorted(found.ids) == sorted(f"i{k}" for k in range(11))
    assert {"encoder_1", "encoder_5"} <= set(found.layers)
    assert ("decoder_2" in found.layers) == (head == "ar")


def test_reading_again_replaces_the_states(project: Project, tmp_path: Path) -> None:
    folder, states = save_tiny(tmp_path / "tiny"), tmp_path / "states.npz"
    for limit in (None, 4):
        options = RecogniseOptions(activations=states, replace=True, limit=limit)
        recognise_items(project, TrainedReader(folder), options)
    ids = read_activations(states).ids
    assert len(ids) == len(set(ids)) == 12


def test_a_file_of_states_that_does_not_fit_is_refused_before_the_run(project: Project, tmp_path: Path) -> None:
    reader = TrainedReader(save_tiny(tmp_path / "tiny"))
    (tmp_path / "junk.npz").write_bytes(b"junk")
    for path in (tmp_path / "junk.npz", tmp_path / "none" / "states.npz", tmp_path):
        with pytest.raises(FileError, match="activations"):
            recognise_items(project, reader, RecogniseOptions(activations=path))
    with project.read() as connection:
        assert not read_runs(connection)


def test_states_of_another_recogniser_are_not_mixed(project: Project, tmp_path: Path) -> None:
    states = tmp_path / "states.npz"
    np.savez(states, ids=np.array(["other"]), encoder_1=np.zeros((1, 99)))
    with pytest.raises(FileError, match="other sizes"):
        recognise_items(project, TrainedReader(save_tiny(tmp_path / "tiny")), RecogniseOptions(activations=states))


@pytest.mark.parametrize("content", [None, b"", b"junk"])
def test_a_folder_without_a_recogniser_ends_the_run_in_one_sentence(
    project: Project, tmp_path: Path, content: bytes | None
) -> None:
    folder = tmp_path / "model"
    folder.mkdir()
    if content is not None:
        (folder / "reader.safetensors").write_bytes(content)
    with pytest.raises(EngineRefusedError, match="train"):
        recognise_items(project, TrainedReader(folder))


def test_names_of_trained_recognisers(tmp_path: Path) -> None:
    assert choose_recogniser(f"torch:{tmp_path / 'a'}", SETTINGS).name == "a-ctc"
    assert choose_recogniser(f"torch:{tmp_path / 'a'}:ar", SETTINGS).name == "a-ar"
    assert choose_recogniser(f"torch:{tmp_path / 'a:b'}:ar", SETTINGS).name == "a:b-ar"
    assert isinstance(choose_recogniser("ppocr", SETTINGS), PPOCR)
    for wrong in ("torch:", "torch::ar", "torch"):
        with pytest.raises(UsageError, match="torch:DIR"):
            choose_recogniser(wrong, SETTINGS)


def test_several_threads_may_ask_at_once(tmp_path: Path) -> None:
    from concurrent.futures import ThreadPoolExecutor

    reader = TrainedReader(save_tiny(tmp_path / "tiny"), "ar")
    picture = Image.new("L", (60, 30), 200)
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: reader.recognise(picture, About()).text, range(8)))
    assert len(set(answers)) == 1
