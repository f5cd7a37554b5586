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
from support import PATIENTS, mostly_slow, ppdt

import ppdt_db
from ppdt_db.cli.terminal import shown
from ppdt_db.figures import amount

BROWSER = (
    shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
)


CHROMIUM = [
    str(BROWSER), "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic",
    "--no-first-run", "--disable-background-networking", "--disable-component-update",
    "--disable-sync",
]  # fmt: skip


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


@pytest.fixture(scope="module")
def standing(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with a release."""
    path = tmp_path_factory.mktemp("standing") / "clinic.duckdb"
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


@pytest.fixture
def file(tmp_path: Path, standing: Path) -> Path:
    """A copy of it, to do with as a test likes."""
    return Path(shutil.copy(standing, tmp_path / "clinic.duckdb"))


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
    n_charts = text.count('class="bars"')
    assert n_charts == 7 and page.reached >= 2 * n_charts, "charts and tables by keyboard"
    assert "prefers-color-scheme: dark" in text
    assert re.search(r"2024-01-01 to 2024-01-0\d", text)
    assert "80,000 to 80,001" in page.cells, "ends of narrow bins far from 0 are told apart"


def test_small_counts_of_the_original_are_not_told(file: Path) -> None:
    """One person of 140 years among many: no bar says that it is one."""
    with duckdb.connect(str(file)) as con:
        con.execute("UPDATE patients SET age = 140 WHERE number = 7")
        ppdt_db.anonymize(
            con, "patients", identifiers=["name", "number"], quasi=["age"], keep="rest",
            method=ppdt_db.Mondrian(k=5), into="patients_k5", replace=True, accept=["new-columns"],
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
@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_browser_shows_it(file: Path, scheme: str) -> None:
    with_tree(file)
    made(file, "--original", "patients")
    shot = file.with_name("shot.png")
    subprocess.run(
        [
            *CHROMIUM, f"--user-data-dir={file.parent / 'user'}", "--hide-scrollbars",
            f"--blink-settings=preferredColorScheme={int(scheme == 'light')}",
            "--window-size=900,4000", f"--screenshot={shot}",
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
    for words in ("all rows 200 rows, tests age", "age: lower values 97 rows, tests sex",
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


def test_numbers_are_written_out() -> None:
    words = {
        54290.4: "54,290", 1e12: "1,000,000,000,000", 0.10712: "0.1071", 2.5e-7: "0.00000025",
        12: "12", 1234567: "1,234,567", None: "not measured", True: "yes", 0.0: "0",
        "Infinity": "Infinity", float("inf"): "infinite", -3.14159: "-3.142",
    }  # fmt: skip
    for value, word in words.items():
        assert amount(value) == shown(value) == word


def test_no_number_has_an_exponent(tmp_path: Path) -> None:
    with duckdb.connect() as con:
        con.execute(
            "CREATE TABLE t AS SELECT i % 7 AS a, 1000000.0 * (i % 40) AS b, i % 3 AS c "
            "FROM range(30000) r(i)"
        )
        ppdt_db.anonymize(
            con, "t", quasi=["a", "b"], sensitive=["c"], method=ppdt_db.Mondrian(k=5), into="o"
        )  # fmt: skip
        page = ppdt_db.report(con, "o", original="t")
    assert not re.search(r"\d[eE][+-]?\d", " ".join(Page(page).cells))


def test_many_dropped_columns_share_a_row(con: duckdb.DuckDBPyConnection) -> None:
    listed = ", ".join(f"i AS c{n}" for n in range(20))
    con.execute(f"CREATE TABLE wide AS SELECT i % 5 AS age, {listed} FROM range(50) r(i)")
    ppdt_db.anonymize(
        con, "wide", identifiers="rest", quasi=["age"], method=ppdt_db.Mondrian(k=5), into="o"
    )
    cells = Page(ppdt_db.report(con, "o")).cells
    names = ", ".join(f"c{n}" for n in range(20))
    place = cells.index(f"20 columns: {names}")
    assert cells[place + 1 : place + 3] == ["identifier", "not released"] and "c7" not in cells


def test_roles_kept_columns_and_risk(file: Path) -> None:
    page = Page(made(file))
    for row in (
        ["age", "quasi-identifier", "ranges"], ["sex", "quasi-identifier", "sets"],
        ["diagnosis", "sensitive", "unchanged"], ["readmitted", "kept", "unchanged"],
        ["name", "identifier", "not released"], ["number", "identifier", "not released"],
    ):  # fmt: skip
        places = [i for i, cell in enumerate(page.cells) if cell == row[0]]
        assert row in [page.cells[place : place + 3] for place in places], row
    place = page.cells.index("unique rows per 100")
    assert page.cells[place + 1 : place + 3] == ["readmitted", "0"]
    text = made(file)
    with duckdb.connect(str(file), read_only=True) as con:
        ((k,),) = con.execute(
            "SELECT min(n) FROM (SELECT count(*) AS n FROM patients_k5 GROUP BY age, sex, zip, day)"
        ).fetchall()
    assert f"<b>1 in {k}</b>" in text


ROLES = ["--id", "name,number", "--sensitive", "diagnosis", "--keep", "readmitted", "--k", 5]


@pytest.mark.parametrize("ending", mostly_slow(["parquet", "csv", "duckdb"], "csv"))
@pytest.mark.parametrize("recode", mostly_slow(["range", "bounds", "mean", "set"], "bounds"))
def test_a_file_with_its_certificate(file: Path, ending: str, recode: str) -> None:
    out, proof, page = (file.with_name(f"o.{e}") for e in (ending, "json", "html"))
    args = ["patients", "--db", file, "--read-only", "--qi", "age,sex,zip,day", *ROLES]
    args += ["--recode", f"age={recode}"]
    assert ppdt("anonymize", *args, "--out", out, "--certificate", proof).code == 0
    asked = ["report", out, "--certificate", proof, "--out", page]
    ended = ppdt(*asked)
    assert ended.code == 0, ended.err
    cells = Page(page.read_text("utf-8")).cells
    place = cells.index("rows in a class") + 2
    sizes = cells[place : cells.index("risk")][1::2]
    assert sum(int(n.replace(",", "")) for n in sizes) == json.loads(proof.read_text())["classes"]
    ended = ppdt(*asked, "--db", file, "--original", "patients")
    assert ended.code == 0 and "age: before and after" in page.read_text("utf-8")


def test_a_file_on_record_needs_no_certificate(file: Path) -> None:
    out, page = file.with_name("o.parquet"), file.with_name("o.html")
    args = ["patients", "--db", file, "--qi", "age,sex,zip,day", *ROLES, "--out", out]
    assert ppdt("anonymize", *args).code == 0
    ended = ppdt("report", out, "--db", file, "--out", page)
    assert ended.code == 0 and "<title>o.parquet:" in page.read_text("utf-8"), ended.err


def test_a_certificate_of_another_file(file: Path, tmp_path: Path) -> None:
    out, proof, page = (file.with_name(f"o.{e}") for e in ("parquet", "json", "html"))
    args = ["patients", "--db", file, "--read-only", "--qi", "age,sex,zip,day", *ROLES]
    assert ppdt("anonymize", *args, "--out", out, "--certificate", proof).code == 0
    whole = json.loads(proof.read_text())
    asked = ["report", out, "--certificate", proof, "--out", page]
    wrong = {
        "rows": json.dumps({**whole, "rows_out": 7}),
        "k": json.dumps({**whole, "k_measured": 99}),
        "column": proof.read_text().replace('"zip"', '"zap"'),
        "part": json.dumps({name: part for name, part in whole.items() if name != "policy"}),
        "twice": proof.read_text().replace('"method":', '"method": "x", "method":'),
        "list": "[]",
        "none": "{",
        "deep": "[" * 100_000,
        "day": json.dumps({**whole, "created_at": "yesterday"}),
        "findings": json.dumps({**whole, "findings": [1]}),
    }
    for kind, text in wrong.items():
        proof.write_text(text)
        ended = ppdt(*asked)
        assert ended.code == 2 and "internal error" not in ended.err, (kind, ended.err)
    assert ppdt("report", tmp_path / "no.parquet", "--certificate", proof, "--out", page).code == 2
    assert ppdt("report", out, "--certificate", tmp_path / "no.json", "--out", page).code == 2
    assert ppdt("report", out, "--out", page).code == 2
    proof.write_text(json.dumps(whole))
    ended = ppdt("report", out, "--certificate", proof, "--out", proof)
    assert ended.code == 2 and json.loads(proof.read_text()) == whole
    assert not page.exists()


MEASURING = """
<script>
const broken = [], small = [];
const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const node = walker.currentNode;
  if (!node.textContent.trim() || !node.parentElement.getClientRects().length) continue;
  if (parseFloat(getComputedStyle(node.parentElement).fontSize) < 12) small.push(node.textContent);
  for (const word of node.textContent.matchAll(/[A-Za-z0-9]+/g)) {
    const range = document.createRange();
    range.setStart(node, word.index); range.setEnd(node, word.index + word[0].length);
    if (new Set([...range.getClientRects()].map(r => r.top)).size > 1) broken.push(word[0]);
  }
}
const wide = document.documentElement.scrollWidth > document.documentElement.clientWidth;
parent.postMessage(JSON.stringify({broken, small, wide, width: innerWidth}), "*");
</script>
"""
OUTER = """
<script>onmessage = told => {{ document.body.textContent = "FOUND" + told.data + "END"; }};</script>
<body><iframe src="inner.html" width="{}" height="900" style="border: 0"></iframe></body>
"""


@pytest.mark.skipif(BROWSER is None, reason="no browser here: install Debian's chromium to look")
@pytest.mark.parametrize("width", [390, 1280])
def test_words_are_whole_and_large_enough(file: Path, width: int) -> None:
    text = made(file, "--original", "patients")
    text = re.sub(r"<meta http-equiv[^>]*>", "", text).replace("</body>", MEASURING + "</body>")
    text = text.replace("&lt;script&gt;alert(1)&lt;/script&gt;", "female")
    file.with_name("inner.html").write_text(text)
    # A window is never narrower than 500; a frame is.
    outer = file.with_name("outer.html")
    outer.write_text(OUTER.format(width))
    ended = subprocess.run(
        [*CHROMIUM, f"--user-data-dir={file.parent / 'user'}", "--window-size=1400,900",
         "--virtual-time-budget=5000", "--dump-dom", outer.as_uri()],
        check=True, capture_output=True, timeout=120, text=True,
    )  # fmt: skip
    found = json.loads(ended.stdout.rpartition("FOUND")[2].partition("END")[0])
    assert found["width"] == width
    assert found["broken"] == [] and found["small"] == [] and not found["wide"], found
