"""Two hundred bad inputs, of every command: the right exit code, a message that says what is wrong,
no value of the source, no traceback, and nothing touched."""

import hashlib
import json
import shlex
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest
from support import PATIENTS, SECRET, make_database, ppdt

FLAGS = "--id name --qi age,sex,zip --sensitive diagnosis --keep rest"
WORDS = {
    "flags": FLAGS,
    "numbers": "--id name --qi age,zip --sensitive diagnosis --keep rest",
    "learn": "--target readmitted --features age,sex",
}
DEEP = 3_000

# What each folder holds beside clinic.duckdb. Every text of the source holds the secret.
FILES: dict[str, str | bytes] = {
    "ragged.csv": f"a,b\n1,{SECRET}\n2\n3,{SECRET},4\n",
    "unclosed.csv": f'a,b\n1,"{SECRET}\n2,x\n',
    "stray.csv": f'a,b\n1,{SECRET}"x\n2,"x"y\n',
    "latin.csv": f"a,b\n1,{SECRET}é\n".encode("latin-1"),
    "nul.csv": f"a,b\n1,{SECRET}\0\n".encode(),
    "twins.csv": f"a,A\n1,{SECRET}\n",
    "same.csv": f"a,a\n1,{SECRET}\n",
    "empty.csv": "",
    "header.csv": "a,b\n",
    "people.csv": "age,sex\n" + "30,f\n" * 20,
    "part_1.csv": "age,sex\n30,f\n",
    "part_2.csv": "age,town\n30,x\n",
    "not.parquet": f"PAR1{SECRET}",
    "not.duckdb": f"no database {SECRET}" * 300,
    "rules.duckdb": f"no rules {SECRET}" * 300,
    "key_short": "short",
    "key_empty": "",
    "order.txt": "f\n",
    "hier.csv": "leaf,top\nf,*\n",
    "hier_ragged.csv": "leaf,top\nf,*\nm\n",
    "hier_roots.csv": "leaf,top\nf,one\nm,two\n",
    "hier_parents.csv": "leaf,mid,top\nf,a,*\nf,b,*\nm,a,*\n",
    "tree.json": "{",
    "tree_list.json": "[]",
    "tree_deep.json": "[" * DEEP + "]" * DEEP,
    "tree_words.json": '{"format": "something else"}',
    "tree_number.json": "7",
    "yaml_twice.yaml": "source: patients\nquasi: [age]\nquasi: [sex]\ninto: x\n",
    "yaml_inner.yaml": "source: patients\nquasi: [age]\nrecode: {age: set, age: range}\ninto: x\n",
    "yaml_unknown.yaml": "source: patients\nquasy: [age]\ninto: x\n",
    "yaml_deep.yaml": "quasi: " + "[" * DEEP + "]" * DEEP + "\n",
    "yaml_types.yaml": "source: patients\nquasi: age\nk: ten\ninto: x\n",
    "yaml_list.yaml": "- source\n- patients\n",
    "yaml_broken.yaml": "source: [patients\n",
    "yaml_object.yaml": "source: !!python/object/apply:os.getcwd []\n",
    "yaml_binary.yaml": b"\xff\xfe\x00",
    "yaml_empty.yaml": "",
}


def cases() -> list[tuple[str, int, str, str]]:
    """Read the table: a name, the exit code, a word of the message, what is typed."""
    text = Path(__file__).with_name("bad_inputs.txt").read_text("utf-8")
    rows = [line.split(" | ", 3) for line in text.splitlines() if line and line[0] != "#"]
    return [(name, int(code), word, typed) for code, name, word, typed in rows]


CASES = cases()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a database, one release in it, and files that are not what they say."""
    path = tmp_path_factory.mktemp("bad")
    secret = PATIENTS.replace("'name '", f"'{SECRET} '").replace("'flu'", f"'{SECRET}'")
    make_database(
        path / "clinic.duckdb",
        secret,
        "CREATE TABLE empty AS FROM patients LIMIT 0",
        "CREATE TABLE nested AS SELECT [number] AS list, {'a': number} AS struct, "
        "MAP {1: 2} AS map, number FROM patients",
        "CREATE TABLE mine AS SELECT 1 AS one",
        "CREATE TABLE ppdt_mine AS SELECT 1 AS one",
        "CREATE TABLE reserved AS SELECT 1 AS ppdt_one, 2 AS b FROM range(20)",
        "CREATE TABLE same AS SELECT i % 5 AS age, 'one' AS target FROM range(50) AS r (i)",
    )
    made = ppdt(
        "anonymize", "patients", "--db", path / "clinic.duckdb", *shlex.split(FLAGS),
        "--into", "released",
    )  # fmt: skip
    assert made.code == 0, made.err
    for name, content in FILES.items():
        (path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@pytest.fixture(autouse=True)
def no_key(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.delenv("PPDT_PSEUDONYM_KEY", raising=False)
    monkeypatch.delenv("PPDT_DEBUG", raising=False)
    yield


def state_of(folder: Path) -> dict[str, str]:
    """Every file with the digest of its bytes."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_there_are_two_hundred() -> None:
    assert len({name for name, *_ in CASES}) == len(CASES) >= 200


@pytest.mark.parametrize(
    "case",
    # Three of four repeat what the others show.
    [pytest.param(p, marks=[pytest.mark.slow] if n % 4 else []) for n, p in enumerate(CASES)],
    ids=[name for name, *_ in CASES],
)
def test_bad_input(folder: Path, case: tuple[str, int, str, str]) -> None:
    _, code, word, typed = case
    before = state_of(folder)
    names = {"db": folder / "clinic.duckdb", "dir": folder, **WORDS}
    args = shlex.split(typed.format_map(names))
    ended = ppdt(*args)
    printed = ended.out + ended.err
    assert (ended.code, word.lower() in printed.lower()) == (code, True), printed
    for not_said in (SECRET, SECRET.lower(), "Traceback", "internal error"):
        assert not_said not in printed
    assert state_of(folder) == before


def test_the_release_of_before_still_stands(folder: Path) -> None:
    with duckdb.connect(str(folder / "clinic.duckdb"), read_only=True) as con:
        assert con.execute("SELECT count(*) FROM released").fetchone() == (200,)
    listed = ppdt("releases", "--db", folder / "clinic.duckdb", "--json")
    assert [entry["name"] for entry in json.loads(listed.out)] == ["released"]
