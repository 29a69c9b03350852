"""Figures that must come out of the real test sets, by the commands that people run."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.contract import annotate, read

pytestmark = pytest.mark.shared

# system: aggregate, corner (n 615), centre (n 294), gap, gap within benchmarks, in percent and points
STR = {
    "ppocrv6_small": (89.29, 81.46, 92.18, -10.71, -9.84),
    "ppocrv4_ch": (81.84, 76.26, 85.37, -9.11, -8.06),
    "easyocr_crnn": (57.01, 51.54, 60.88, -9.34, -8.29),
    "tesseract_dict": (59.83, 47.48, 68.71, -21.23, -20.14),
}


@pytest.fixture(scope="module")
def str_project(tmp_path_factory: pytest.TempPathFactory, shared_data: Path) -> str:
    folder, source = tmp_path_factory.mktemp("str"), shared_data / "str"
    lines = (source / "items.tsv").read_text(encoding="utf-8").rstrip("\n").split("\n")
    place = lines[0].split("\t").index("image")
    rows = ["\t".join(cell for at, cell in enumerate(line.split("\t")) if at != place) for line in lines]
    (folder / "items.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    read("import", "items", str(folder / "items.tsv"), "--project", str(folder / "p"))
    for system in STR:
        read("import", "predictions", str(source / f"predictions_{system}.jsonl"), "--project", str(folder / "p"))
    return str(folder / "p")


def test_the_stratified_diagnostic_of_five_benchmarks(str_project: str) -> None:
    document = read("report", "strata", "--resamples", "200", "--project", str_project)
    assert (document["reference"], document["language"], document["kept"]) == ("wordfreq-en", "en", 5798)
    assert document["dropped"]["by_benchmark"] == {"iiit5k": 583, "ic15": 182, "cute80": 53, "svtp": 22, "svt": 19}
    assert {system["system"] for system in document["systems"]} == set(STR)
    for system in document["systems"]:
        names = ("aggregate", "corner", "centre", "gap", "gap_stratified")
        assert tuple(round(100 * system[name], 2) for name in names) == STR[system["system"]]
        assert (system["grid"][4][4]["n"], system["grid"][2][2]["n"], system["grid"][0][4]["n"]) == (615, 294, 0)
        assert system["interaction"]["marginal_ngram"] is None
        assert "1-5" in system["interaction"]["why"]["marginal_ngram"]


def test_two_systems_in_a_cell(str_project: str) -> None:
    document = read("report", "compare", "ppocrv6_small", "tesseract_dict", "--cell", "5-5", "--project", str_project)
    assert document["n"] == 615
    assert document["delta"] == pytest.approx(0.8146 - 0.4748, abs=1e-4)
    assert sum(map(sum, document["transitions"])) == 615
    assert document["verdict"] == "significant"


def test_edges_of_a_paper_need_their_corpus(str_project: str, tmp_path: Path) -> None:
    edges = tmp_path / "edges.csv"
    rows = [f"{name},{axis},1,2,3,4,other" for name in ("IIIT5K", "SVT", "SVTP", "CUTE80", "IC15")
            for axis in ("word-freq", "trigram-nov")]  # fmt: skip
    edges.write_text("benchmark,axis,e1,e2,e3,e4,reference\n" + "\n".join(rows) + "\n", encoding="utf-8")
    where = ("report", "strata", "--edges", str(edges), "--resamples", "10", "--json", "--project", str_project)
    assert annotate(*where).code == 2
    forced = annotate(*where, "--force-edges").document
    assert forced["edges"]["svt"] == {"word": [1, 2, 3, 4], "ngram": [1, 2, 3, 4]}
    assert forced["notes"]


@pytest.mark.parametrize(("name", "n"), [("gpt-5.2", 231), ("qwen3-vl-32b-thinking", 347)])
def test_rewritten_answers(name: str, n: int, shared_data: Path, tmp_path: Path) -> None:
    project = str(tmp_path / "p")
    read("import", "items", str(shared_data / "scenefaith" / "items.tsv"), "--project", project)
    read("import", "predictions", str(shared_data / "scenefaith" / "predictions.jsonl"), "--project", project)
    (row,) = read("report", "outcomes", "--system", name, "--macro", "domain", "--project", project)["rows"]
    assert (row["n"], row["canonical"]) == (781, n)
    by_change = ("report", "outcomes", "--by-perturbation", "--system", name, "--resamples", "10", "--project", project)
    assert {group["group"]: group["n"] for group in read(*by_change)["pooled"]} == {
        "letter-shape": 151, "split-merge": 26, "duplication": 149, "digit-symbol": 61, "deletion": 172, "insertion": 36,
        "transposition": 141, "substitution": 45,
    }  # fmt: skip
