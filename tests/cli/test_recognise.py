"""`annotator recognise`: JSON, exit status, prompts as conditions, against a local endpoint and a program."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from annotator.cli.main import root
from annotator.errors import EngineError, UsageError
from annotator.ingest.items import import_items
from annotator.store.project import open_project
from annotator.store.reading import read_runs
from tests.runners.fake_endpoint import FakeEndpoint, completion

PNG = Path(__file__).resolve().parents[2] / "data" / "demo" / "images" / "en" / "en-sign-001.jpg"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "set"
    folder.mkdir()
    (folder / "a.jpg").write_bytes(PNG.read_bytes())
    (folder / "items.csv").write_text("id,gold,image,language\na,Open,a.jpg,en\nb,Open,a.jpg,bn\n", encoding="utf-8")
    import_items(open_project(tmp_path / "project", create=True), folder / "items.csv")
    return tmp_path / "project"


def run(project: Path, *args: str) -> Result:
    return CliRunner().invoke(root, ["recognise", "--project", str(project), *args])


def document(result: Result) -> dict[str, Any]:
    found = json.loads(result.stdout)
    assert isinstance(found, dict)
    return found


def test_a_program(project: Path) -> None:
    result = run(
        project, "--system", f'command:"{sys.executable}" -c "print(42)" {{image}}', "--name", "answer", "--json"
    )
    assert result.exit_code == 0, result.output
    found = document(result)
    assert (found["system"], found["written"], found["failed"]) == ("answer", 2, 0)
    assert [answer["predicted"] for answer in found["first"]] == ["42", "42"]
    assert found["seconds_per_item"] > 0


@pytest.mark.parametrize(("prompt", "condition", "role"), [("P1", "P1", "realistic"), ("P3", "P3", "oracle")])
def test_an_endpoint(project: Path, prompt: str, condition: str, role: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "s3cret")
    with FakeEndpoint((200, completion('"Open"'))).serving() as fake:
        monkeypatch.setenv("OPENAI_BASE_URL", fake.url)
        result = run(project, "--system", "openai:tiny", "--prompt", prompt, "--workers", "2", "--json")
    assert result.exit_code == 0, result.output
    assert "2 requests" in result.stderr
    assert "s3cret" not in result.output + result.stderr
    assert fake.keys == ["Bearer s3cret"] * 2
    with open_project(project).read() as connection:
        (found,) = read_runs(connection)
        rows = connection.execute("SELECT predicted, raw, parser_version FROM prediction").fetchall()
    assert (found.system, found.condition, found.role) == ("openai:tiny", condition, role)
    assert [tuple(row)[:2] for row in rows] == [("Open", '"Open"')] * 2
    assert all(row[2] for row in rows)


def test_failures_give_status_1_and_are_done_the_next_time(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with FakeEndpoint((200, completion("Open")), (500, b"oops")).serving() as fake:
        monkeypatch.setenv("OPENAI_BASE_URL", fake.url)
        result = run(project, "--system", "openai:tiny", "--tries", "1", "--workers", "1", "--json")
    assert result.exit_code == 1
    assert [failure["id"] for failure in document(result)["failures"]] == ["b"]
    with FakeEndpoint((200, completion("Open"))).serving() as fake:
        monkeypatch.setenv("OPENAI_BASE_URL", fake.url)
        result = run(project, "--system", "openai:tiny")
    assert result.exit_code == 0, result.output
    assert "wrote 1 predictions" in result.stdout
    assert "1 answered before" in result.stdout


def test_an_estimate_asks_nothing(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    result = run(project, "--system", "openai:tiny", "--estimate", "--price-out", "8", "--json")
    assert result.exit_code == 0, result.output
    found = document(result)
    assert (found["requests"], found["tokens_out_at_most"]) == (2, 512)
    assert found["cost_at_most"] == pytest.approx(512 * 8 / 1e6)


@pytest.mark.parametrize(
    ("system", "error", "words"),
    [
        ("teseract", UsageError, "expected one of: tesseract"),
        ("command:no-such-program {image}", EngineError, "was not found"),
        ("tesseract:xyz", EngineError, "tesseract-ocr"),
        ("openai:tiny", EngineError, "OPENAI_BASE_URL"),
    ],
)
def test_what_is_missing_is_one_sentence(
    project: Path, system: str, error: type[Exception], words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    result = run(project, "--system", system)
    assert isinstance(result.exception, error)
    assert words in str(result.exception)
    assert "\n" not in str(result.exception)
