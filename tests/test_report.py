"""The page of a release: one file, right numbers, no network, and it looks like something."""

import json
import re
import shutil
import struct
import subprocess
import zlib
from html.parser import HTMLParser
from pathlib import Path

import duckdb
import pytest
from support import PATIENTS, ppdt

import ppdt_db

BROWSER = (
    shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
)


class Page(HTMLParser):
    """Cells of tables, attributes that would load something, and what the keyboard reaches."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.cells: list[str] = []
        self.loads: list[str] = []
        self.reached = 0
        self._inside = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.loads += [f"{tag} {name}" for name, _ in attrs if name in ("src", "href")]
        self.reached += tag == "summary" or ("tabindex", "0") in attrs
        self._inside = tag in ("td", "th")
        if self._inside:
            self.cells.append("")

    def handle_endtag(self, tag: str) -> None:
        self._inside = self._inside and tag not in ("td", "th")

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.cells[-1] += data


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "clinic.duckdb"
    with duckdb.connect(str(path)) as con:
        con.execute(PATIENTS)
        con.execute("ALTER TABLE patients ADD COLUMN day DATE")
        con.execute("UPDATE patients SET day = DATE '2024-01-01' + CAST(number % 60 AS INTEGER)")
        con.execute("UPDATE patients SET sex = '<script>alert(1)</script>' WHERE sex = 'f'")
        ppdt_db.anonymize(
            con, "patients", identifiers=["name", "number"], quasi=["age", "sex", "zip", "day"],
            sensitive=["diagnosis"], keep=["readmitted"], method=ppdt_db.Mondrian(k=5, l=2),
            into="patients_k5",
        )  # fmt: skip
    return path


def made(file: Path, *more: str) -> str:
    out = file.with_name("report.html")
    ended = ppdt("report", "patients_k5", "--db", file, "--out", out, *more)
    assert ended.code == 0, ended.err
    return out.read_text("utf-8")


def test_the_page_holds_what_was_measured(file: Path) -> None:
    text = made(file, "--original", "patients")
    page = Page(text)
    with duckdb.connect(str(file), read_only=True) as con:
        sizes = [n for (n,) in con.sql(
            "SELECT count(*) FROM patients_k5 GROUP BY age, sex, zip, day"
        ).fetchall()]  # fmt: skip
    for finding in (["k", ">= 5", str(min(sizes)), "passed"], ["rows", ">= 200", "200", "passed"]):
        place = page.cells.index(finding[0])
        assert page.cells[place : place + 4] == finding
    place = page.cells.index("rows in a class") + 2
    bars = page.cells[place : page.cells.index("risk")]
    assert sum(int(n.replace(",", "")) for n in bars[1::2]) == len(sizes)
    assert page.loads == [], "nothing is loaded from elsewhere"
    assert "<script" not in text and "&lt;script&gt;" in text
    assert page.reached >= 2 * text.count("<svg"), "charts and tables are reached by keyboard"
    assert "prefers-color-scheme: dark" in text
    assert re.search(r"2024-01-01 to 2024-01-0\d", text)
    assert "80,000 to 80,001" in page.cells, "ends of narrow bins far from 0 are told apart"


def test_small_counts_of_the_original_are_not_told(file: Path) -> None:
    """One person of 140 years among many: no bar says that it is one."""
    with duckdb.connect(str(file)) as con:
        con.execute("UPDATE patients SET age = 140 WHERE number = 7")
        ppdt_db.anonymize(
            con, "patients", identifiers=["name", "number"], quasi=["age"], keep="rest",
            method=ppdt_db.Mondrian(k=5), into="patients_k5", replace=True,
        )  # fmt: skip
    page = Page(made(file, "--original", "patients"))
    assert "fewer than 5" in page.cells


def test_the_page_without_the_original(file: Path) -> None:
    text = made(file)
    assert "as released" in text and "rows before" not in text


def test_faults(file: Path, tmp_path: Path) -> None:
    ended = ppdt("report", "patients_k6", "--db", file, "--out", tmp_path / "r.html")
    assert ended.code == 2 and 'Did you mean "patients_k5"' in ended.err
    ended = ppdt("report", "patients_k5", "--db", file, "--out", tmp_path / "no" / "r.html")
    assert ended.code == 2 and "cannot be written" in ended.err
    other = tmp_path / "other.csv"
    other.write_text("a,b\n1,2\n")
    out = tmp_path / "r.html"
    ended = ppdt("report", "patients_k5", "--db", file, "--original", other, "--out", out)
    assert ended.code == 2 and 'the original has no column "zip"' in ended.err
    assert not out.exists()


@pytest.mark.skipif(BROWSER is None, reason="no browser here: install Debian's chromium to look")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_browser_shows_it(file: Path, scheme: str) -> None:
    with_tree(file)
    made(file, "--original", "patients")
    shot = file.with_name("shot.png")
    subprocess.run(
        [
            str(BROWSER), "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
            f"--blink-settings=preferredColorScheme={int(scheme == 'light')}",
            "--window-size=900,1200", f"--screenshot={shot}",
            (file.parent / "report.html").as_uri(),
        ],
        check=True, capture_output=True, timeout=120,
    )  # fmt: skip
    colours = pixels(shot.read_bytes())
    paper = (255, 255, 255) if scheme == "light" else (13, 17, 23)
    bar = (9, 105, 218) if scheme == "light" else (88, 166, 255)
    assert colours[paper] > sum(colours.values()) / 2, "the paper"
    assert colours[bar] > 1000, "the bars"


def pixels(png: bytes) -> dict[tuple[int, ...], int]:
    """How often each colour occurs in a PNG of 8 bits."""
    width, height, depth, kind = struct.unpack(">IIBB", png[16:26])
    assert depth == 8 and kind in (2, 6)
    size, data, place = (3 if kind == 2 else 4), b"", 8
    while place < len(png):
        length, name = struct.unpack(">I4s", png[place : place + 8])
        data += png[place + 8 : place + 8 + length] if name == b"IDAT" else b""
        place += length + 12
    raw, row, found = zlib.decompress(data), bytearray(width * size), {}
    for y in range(height):
        start = y * (width * size + 1)
        row = _unfiltered(raw[start], raw[start + 1 : start + 1 + width * size], row, size)
        for x in range(0, len(row), size):
            colour = tuple(row[x : x + 3])
            found[colour] = found.get(colour, 0) + 1
    return found


def _unfiltered(kind: int, line: bytes, above: bytearray, size: int) -> bytearray:
    out = bytearray(line)
    for i in range(len(out)):
        left = out[i - size] if i >= size else 0
        up, corner = above[i], above[i - size] if i >= size else 0
        guess = left + up - corner
        near = min((abs(guess - left), 0, left), (abs(guess - up), 1, up),
                   (abs(guess - corner), 2, corner))[2]  # fmt: skip
        out[i] = (out[i] + (0, left, up, (left + up) // 2, near)[kind]) & 255
    return out


TREE = {
    "format": "ppdt tree 1", "target": "readmitted", "classes": ["false", "true"],
    "missing": "fractional", "ties": "first",
    "attributes": [{"name": "age", "type": "INTEGER"}, {"name": "sex", "type": "VARCHAR"}],
    "nodes": [
        {"weights": [120.0, 80.0], "attribute": "age", "branches": [
            {"test": "<=", "value": "47.125", "node": 1},
            {"test": ">", "value": "47.125", "node": 2},
        ]},
        {"weights": [70.0, 27.0], "attribute": "sex", "branches": [
            {"test": "=", "value": "m", "node": 3}, {"test": "=", "value": "hidden", "node": 4},
        ]},
        {"weights": [50.0, 53.0], "attribute": "sex", "branches": [
            {"test": "=", "value": "m", "node": 5}, {"test": "missing", "value": None, "node": 6},
        ]},
        {"weights": [58.0, 26.0]}, {"weights": [12.0, 1.0]},
        {"weights": [50.0, 50.0]}, {"weights": [0.0, 3.0]},
    ],
}  # fmt: skip


def with_tree(file: Path) -> str:
    """The record of a release that a tree made."""
    with duckdb.connect(str(file)) as con:
        ((text,),) = con.execute("SELECT certificate FROM ppdt.release").fetchall()
        proof = {**json.loads(text), "tree": TREE}
        con.execute("UPDATE ppdt.release SET certificate = ?", [json.dumps(proof)])
    return made(file)


def test_a_tree_is_drawn_with_counts_alone(file: Path) -> None:
    text = with_tree(file)
    drawn = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", text[text.index('<ul class="tree">') :]))
    for words in ("all rows 200 rows, asks age", "age: lower values 97 rows, asks sex",
                  "age: higher values 103 rows, 2 nodes below", "sex: m 84 rows",
                  "sex: another value 13 rows"):  # fmt: skip
        assert words in drawn, words
    assert "47.125" not in text and "hidden" not in drawn, "values of the source"
    assert "The tree that made the classes" not in made_without(file)


def made_without(file: Path) -> str:
    with duckdb.connect(str(file)) as con:
        con.execute(
            "UPDATE ppdt.release "
            "SET certificate = json_merge_patch(certificate, '{\"tree\": null}')"
        )
    return made(file)
