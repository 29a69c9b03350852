"""The semcer package as a provider: what is said without it, charging with a stand-in, and its own code on a tiny model."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner

from annotator.analyses.severity.report import report_severity
from annotator.analyses.severity.semcerlocal import charge_with_semcer
from annotator.cli.main import root
from annotator.errors import EngineError, InputError, UsageError
from annotator.records import Query
from annotator.runners.semcerpackage import Levels, load_semcer
from annotator.store.project import Project
from annotator.store.severities import put_provider
from annotator.text.align import Edit
from tests.builders import build_project

GOLD = {"a": "open at 3pm", "b": "the cat sat"}
ANSWERS = {"a": "opem at 8pm", "b": "teh cat sits"}


@pytest.fixture
def project(tmp_path: Path) -> Project:
    items = [{"id": name, "gold": gold, "language": "en"} for name, gold in GOLD.items()]
    return build_project(tmp_path / "p", items, {"one": ANSWERS, "two": ANSWERS})


class Half:
    """A stand-in model: every edit is level 2, deletions are past its window."""

    version = "1"

    def __init__(self) -> None:
        self.scored: list[tuple[str, str]] = []

    def levels_of(
        self, pairs: Sequence[tuple[str, str]], edits: Sequence[Sequence[Edit]]
    ) -> Iterator[tuple[Levels | None, ...]]:
        for pair, ours in zip(pairs, edits, strict=True):
            self.scored.append(pair)
            yield tuple(None if edit.op == "del" else (0.0, 0.0, 1.0, 0.0, 0.0) for edit in ours)


def test_equal_lines_are_scored_once_and_never_again(project: Project) -> None:
    model = Half()
    report = charge_with_semcer(project, Query(), model)
    assert (sorted(model.scored), report.scored_lines) == (sorted(zip(GOLD.values(), ANSWERS.values(), strict=True)), 2)
    again = charge_with_semcer(project, Query(), model)
    assert (again.scored_lines, again.charged) == (0, report.charged)
    row = report_severity(project, Query(resamples=20), "semcer").rows[0]
    assert row.mean_severity == 0.5


def test_edits_past_the_window_stay_unscored(tmp_path: Path) -> None:
    project = build_project(tmp_path, [{"id": "a", "gold": "abc def"}, {"id": "b", "gold": "abc"}],
                            {"one": {"a": "abc df", "b": "abd"}})  # fmt: skip
    report = charge_with_semcer(project, Query(), Half())
    assert (report.charged, report.unscored) == (1, 1)
    (row,) = report_severity(project, Query(resamples=20), "semcer").rows
    assert (row.coverage, row.n) == (0.5, 1)


def test_severities_imported_under_the_name_are_not_written_over(project: Project) -> None:
    with project.write() as connection:
        put_provider(connection, "semcer", "imported", "1", {}, 1.0)
    with pytest.raises(UsageError, match="kind imported"):
        charge_with_semcer(project, Query(), Half())


def test_without_the_package_one_sentence_says_what_to_do(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "semcer", None)
    with pytest.raises(EngineError, match="pip install semcer"):
        load_semcer()
    monkeypatch.delitem(sys.modules, "semcer")
    monkeypatch.setitem(sys.modules, "transformers", None)
    with pytest.raises((EngineError, InputError), match=r"pip install semcer|nothing is downloaded"):
        load_semcer()
    monkeypatch.setitem(sys.modules, "semcer", None)
    result = CliRunner().invoke(root, ["severity", "--provider", "semcer", "--project", str(project.folder)])
    assert isinstance(result.exception, EngineError)


def test_a_folder_that_is_no_model_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("semcer")
    pytest.importorskip("transformers")
    monkeypatch.setenv("SEMCER_MODEL", str(tmp_path / "gone"))
    with pytest.raises(InputError, match="is not a folder"):
        load_semcer()
    with pytest.raises(InputError, match=r"not a semcer model.*semcer_meta\.json"):
        load_semcer(tmp_path)
    monkeypatch.delenv("SEMCER_MODEL")
    monkeypatch.setenv("HF_HOME", str(tmp_path / "empty"))
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "empty"))
    with pytest.raises(InputError, match="nothing is downloaded"):
        load_semcer()


def tiny_model(folder: Path) -> Path:
    """A bundle in the package's own form: a random network of two small layers over bytes."""
    import torch
    from safetensors.torch import save_file
    from semcer._model import SeverityStudent
    from semcer._prep import ALIGNMENT_VERSION, INPUT_TEMPLATE_VERSION
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast, Qwen2Config

    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    tokenizer = Tokenizer(models.BPE(vocab={ch: at for at, ch in enumerate(alphabet)}, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    folder.mkdir()
    PreTrainedTokenizerFast(tokenizer_object=tokenizer, pad_token=alphabet[0]).save_pretrained(folder)
    config = Qwen2Config(vocab_size=256, hidden_size=16, intermediate_size=32, num_hidden_layers=2,
                         num_attention_heads=2, num_key_value_heads=2, max_position_embeddings=1024)  # fmt: skip
    config.save_pretrained(folder)
    torch.manual_seed(0)
    network = SeverityStudent.from_config(config, head_hidden=8)
    save_file({name: value.contiguous() for name, value in network.state_dict().items()}, folder / "model.safetensors")
    meta = {"bundle_version": 1, "head_type": "distribution", "readout": "span2_last", "max_length": 512, "head_hidden": 8,
            "backbone": "tiny", "backbone_revision": "0", "input_template_version": INPUT_TEMPLATE_VERSION,
            "alignment_version": ALIGNMENT_VERSION, "digit_order": [0, 1, 2, 3, 4]}  # fmt: skip
    (folder / "semcer_meta.json").write_text(json.dumps(meta), encoding="utf-8")
    return folder


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning", "ignore::UserWarning")
def test_the_package_charges_every_edit_of_ours(project: Project, tmp_path: Path) -> None:
    pytest.importorskip("semcer")
    pytest.importorskip("transformers")
    model = load_semcer(tiny_model(tmp_path / "model"))
    report = charge_with_semcer(project, Query(), model)
    assert report.unscored == 0
    for row in report_severity(project, Query(resamples=20), "semcer").rows:
        assert (row.coverage, row.imputed) == (1.0, 0)
        assert row.semcer is not None
        assert row.cer is not None
        assert 0 < row.semcer < row.cer
    from semcer import SemCER

    theirs = SemCER(str(tmp_path / "model"), local_files_only=True).score(GOLD["b"], ANSWERS["b"])
    with project.read() as connection:
        ours = connection.execute(
            "SELECT v.severity FROM severity v JOIN prediction p USING (prediction_key) WHERE p.predicted = ? "
            "AND p.run_key = 1 ORDER BY v.ordinal",
            (ANSWERS["b"],),
        ).fetchall()
    assert [row[0] for row in ours] == pytest.approx(theirs.severities, abs=1e-5)
