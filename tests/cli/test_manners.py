"""How commands speak: the right exit code, no traceback, and each message says what to do."""

import ast
import json
import re
from pathlib import Path

import duckdb
import pytest
from support import FLAGS, PATIENTS, make_database, mostly_slow, ppdt
from test_options import POLICY, commands

import ppdt_db
from ppdt_db import EngineError, RequestError
from ppdt_db.tree.tree import FORMAT
from ppdt_db.tree.tree_json import read_tree

PACKAGE = Path(ppdt_db.__file__).parent


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return make_database(tmp_path / "clinic.duckdb")


def test_a_file_is_not_dropped_from_a_database(db: Path) -> None:
    out = db.with_name("rel.duckdb")
    assert ppdt("anonymize", "patients", "--db", db, *FLAGS, "--out", out).code == 0
    ended = ppdt("drop", out, "--db", db)
    assert ended.code == 2 and "is a file" in ended.err and "Did you mean" not in ended.err
    assert ppdt("anonymize", "patients", "--db", db, *FLAGS, "--into", "rel").code == 0
    ended = ppdt("drop", "rell", "--db", db)
    assert ended.code == 2 and 'Did you mean "rel"' in ended.err
    assert out.exists() and ppdt("drop", "rel", "--db", db).code == 0


def tree(**more: object) -> str:
    whole = {
        "format": FORMAT, "target": "t", "missing": "branch", "classes": ["a"],
        "attributes": [{"name": "x", "type": "INTEGER"}], "nodes": [{"weights": [1]}], **more,
    }  # fmt: skip
    return json.dumps(whole)


DEEP = 100_000
WRONG_TREES = {
    "deep": "[" * DEEP + "]" * DEEP,
    "deep inside": tree(classes=["a"]).replace('["a"]', "[" * DEEP + "]" * DEEP),
    "infinite": tree(nodes=[{"weights": [float("inf")]}]),
    "too large": tree().replace("[1]", "[1e999]"),
    "not a number": tree(nodes=[{"weights": [float("nan")]}]),
    "a word": tree(nodes=[{"weights": ["inf"]}]),
    "many digits": tree().replace("[1]", f"[1{'0' * 5000}]"),
    "a long number": tree().replace("[1]", f"[1{'0' * 290}]"),
    "decimal": tree(attributes=[{"name": "x", "type": "DECIMAL(99,5)"}]),
    "decimal of nothing": tree(attributes=[{"name": "x", "type": "DECIMAL(0,0)"}]),
    "decimal beyond": tree(attributes=[{"name": "x", "type": "DECIMAL(5,6)"}]),
}


@pytest.mark.parametrize("kind", WRONG_TREES)
def test_what_is_no_tree(kind: str, db: Path) -> None:
    path = db.with_name("tree.json")
    path.write_text(WRONG_TREES[kind])
    if kind != "a long number":
        with pytest.raises(RequestError):
            read_tree(WRONG_TREES[kind])
    asked = ["--db", db, "--id", "name", "--qi", "age", "--target", "sex", "--keep", "rest"]
    for ended in (
        ppdt("anonymize", "patients", *asked, "--method", "kactus", "--tree", path, "--into", "o"),
        ppdt("predict", path, "patients", "--db", db, "--into", "o"),
        ppdt("verify", path, "patients", "--db", db, "--public", "age", "--k", 2),
        ppdt("risk", "tree", "patients", "--db", db, "--qi", "age", "--target", "sex",
             "--tree", path),
    ):  # fmt: skip
        assert ended.code == 2 and "internal error" not in ended.err, ended.err


@pytest.mark.parametrize(
    "text",
    [
        "[" * DEEP,
        "a: " + "[" * DEEP + "]" * DEEP,
        "a: " + "{b: " * 5_000 + "1" + "}" * 5_000,
        "seed: 2024-02-31\n",
        "? [a, b]\n: 1\n",
        "- a\n",
        "",
        "a: &a [1]\nb: &b [*a, *a]\n" + "".join(
            f"c{i}: &c{i} [{'*b' if i == 0 else f'*c{i - 1}'}, *a]\n" for i in range(60)
        ),
    ],
    ids=["open", "lists", "maps", "no day", "a list as a name", "a list", "nothing", "anchors"],
)  # fmt: skip
def test_what_is_no_policy(text: str, tmp_path: Path) -> None:
    policy = tmp_path / "p.yaml"
    policy.write_text(text)
    ended = ppdt("anonymize", "--policy", policy)
    assert ended.code == 2 and "p.yaml" in ended.err and "internal error" not in ended.err, (
        ended.err
    )


def test_an_empty_table_of_rules(db: Path) -> None:
    rules = db.with_name("rules.duckdb")
    args = ["patients", "--db", db, *FLAGS, "--k", 5, "--into", "safe", "--rules", rules]
    assert ppdt("anonymize", *args).code == 0
    with duckdb.connect(str(rules)) as con:
        con.execute("DELETE FROM rules")
    ended = ppdt("apply", rules, "patients", "--db", db, "--into", "again")
    assert ended.code == 2 and "rules.duckdb" in ended.err and "internal error" not in ended.err


def test_paths_of_a_policy_are_seen_from_its_folder(
    db: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "jobs").mkdir()
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    with duckdb.connect(str(db)) as con:
        con.execute(f"COPY patients TO '{tmp_path}/jobs/patients.parquet'")
    (tmp_path / "jobs" / "order.txt").write_text("m\nf\n")
    (tmp_path / "jobs" / "key.txt").write_text("a key that is long enough for everybody")
    (tmp_path / "jobs" / "sex.csv").write_text("leaf,all\nm,*\nf,*\n")
    text = POLICY.format(db="../clinic.duckdb").replace("into: safe\n", "")
    text = text.replace("source: patients", "source: patients.parquet").replace(
        "[name, number]", "[name]"
    )
    text += (
        "pseudonymize: [number]\npseudonym_key_file: key.txt\norder: {sex: order.txt}\n"
        "out: safe.parquet\ncertificate: safe.json\nrecode: {sex: set}\n"
    )
    (tmp_path / "jobs" / "p.yaml").write_text(text)
    ended = ppdt("anonymize", "--policy", "../jobs/p.yaml")
    assert ended.code == 0, ended.err
    assert {"safe.parquet", "safe.json"} <= {p.name for p in (tmp_path / "jobs").iterdir()}
    ended = ppdt("anonymize", "--policy", "../jobs/p.yaml", "--out", "here.parquet")
    assert ended.code == 0 and (tmp_path / "elsewhere" / "here.parquet").exists()
    by_tree = text.replace("order: {sex: order.txt}\n", "hierarchy: {sex: sex.csv}\n")
    by_tree = by_tree.replace("recode: {sex: set}\n", "replace: true\n")
    (tmp_path / "jobs" / "t.yaml").write_text(by_tree)
    assert ppdt("anonymize", "--policy", "../jobs/t.yaml").code == 0


@pytest.mark.parametrize("name", mostly_slow(["Mondrian", "MONDRIAN", "mondrian"], "MONDRIAN"))
def test_a_method_s_name_in_any_case(name: str, db: Path) -> None:
    args = ["anonymize", "patients", "--db", db, *FLAGS, "--into", "safe", "--json"]
    ended = ppdt(*args, "--method", name)
    assert ended.code == 0 and ended.json["method"] == "mondrian"
    policy = db.with_name("p.yaml")
    policy.write_text(POLICY.format(db=db) + f"method: {name}\nreplace: true\n")
    assert ppdt("anonymize", "--policy", policy).code == 0


def test_every_command_can_be_quiet() -> None:
    for name, command in commands():
        assert any("--quiet" in param.opts for param in command.params), name


def test_quiet_commands_say_nothing(db: Path) -> None:
    quiet = "--quiet"
    with duckdb.connect(str(db)) as con:
        con.execute(f"COPY patients TO '{db.parent}/p.parquet'")
    kadet = ["learn", "kadet", "patients", "--db", db, "--target", "readmitted", "--k", 5]
    kadet += ["--public", "sex", "--out", db.with_name("kadet.json")]
    asked = ["patients", "--db", db, *FLAGS, "--k", 5]
    model = db.with_name("model.json")
    model.write_text(
        ppdt("learn", "c45", "patients", "--db", db, "--target", "readmitted", "--json",
             "--features", "age,sex").out
    )  # fmt: skip
    rules, page = db.with_name("rules.duckdb"), db.with_name("r.html")
    told = {
        "anonymize": ["anonymize", *asked, "--id", "number", "--l", 2, "--into", "safe",
                      "--rules", rules],
        "apply": ["apply", rules, "patients", "--db", db, "--into", "again"],
        "audit": ["audit", "safe", "--db", db, "--qi", "age,sex,zip", "--require", "k=5"],
        "report": ["report", "safe", "--db", db, "--out", page],
        "predict": ["predict", model, "patients", "--db", db, "--into", "told"],
        "build": ["hierarchy", "build", "patients", "--db", db, "--column", "age", "intervals",
                  10, "--out", db.with_name("age.csv")],
        "check": ["hierarchy", "check", "patients", "--db", db, "--column", "age",
                  "--hierarchy", db.with_name("age.csv")],
        "drop": ["drop", "safe", "--db", db],
        "migrate": ["migrate", "--db", db],
        "demo": ["demo", "--db", db.with_name("demo.duckdb")],
    }  # fmt: skip
    for name, args in told.items():
        ended = ppdt(*args, quiet)
        assert (ended.code, ended.out, ended.err) == (0, "", ""), (name, ended)
    ended = ppdt(*kadet, quiet)
    assert ended.code == 0 and ended.err == "", ended.err
    ended = ppdt("audit", "patients", "--db", db, "--qi", "age,sex,zip", "--require", "k=5", quiet)
    assert ended.code == 3 and ended.out == "" and "k" in ended.err


def warnings() -> list[tuple[str, str]]:
    """Every text that a function for warnings can give, or a lint that warns, with its module."""
    found: list[tuple[str, str]] = []
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef) and re.search(r"(^|_)warnings?$", node.name):
                found += [(path.name, text) for text in _texts(node)]
            found += [(path.name, text) for text in _lints(node)]
    return found


def _lints(node: ast.AST) -> list[str]:
    """What the lints of a function say that warn, with the remedies that they name."""
    if not isinstance(node, ast.FunctionDef):
        return []
    remedies = [
        ast.unparse(one.value)
        for one in ast.walk(node)
        if isinstance(one, ast.Assign) and ast.unparse(one.targets[0]) == "remedy"
    ]
    found: list[str] = []
    for call in ast.walk(node):
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "Lint":
            said = {one.arg: one.value for one in call.keywords}
            if ast.unparse(said.get("warns", ast.Constant(True))) != "False":
                text = ast.unparse(said["says"])
                found.append(" ".join([text, *(remedies if "remedy" in text else [])]))
    return found


def _texts(function: ast.FunctionDef) -> list[str]:
    """The sentences in a function; parts in braces are left out."""
    doc = ast.get_docstring(function, clean=False)
    inner = {
        id(part)
        for node in ast.walk(function)
        if isinstance(node, ast.JoinedStr)
        for part in ast.walk(node)
        if part is not node
    }
    texts = []
    for node in ast.walk(function):
        if id(node) in inner:
            continue
        if isinstance(node, ast.JoinedStr):
            texts.append("".join(str(p.value) for p in node.values if isinstance(p, ast.Constant)))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value != doc:
            texts.append(node.value)
    return [text for text in texts if text.count(" ") > 3]


def test_every_warning_names_what_would_make_it_go_away() -> None:
    found = warnings()
    assert len(found) >= 10
    for module, text in found:
        named = re.search(r"--[a-z]|coarser in a view", text)
        assert named, f"{module}: name what ends this: {text}"


def test_all_warnings_are_made_there() -> None:
    """A warning that comes from elsewhere would not be walked."""
    for path in PACKAGE.rglob("*.py"):
        text = path.read_text("utf-8")
        assert "warning:" not in text or path.name == "terminal.py", path
        for function in ast.walk(ast.parse(text)):
            if isinstance(function, ast.FunctionDef) and "warnings.append(" in ast.unparse(
                function
            ):
                inside = [n for n in ast.walk(function) if isinstance(n, ast.FunctionDef)]
                names = [n.name for n in inside if "warnings.append(" in ast.unparse(n)]
                assert any(name.endswith(("warnings", "warning")) for name in names), names


@pytest.mark.parametrize("command", ["audit", "learn", "profile", "plan"])
def test_only_what_releases_says_that_nothing_was(
    command: str, db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An engine error of an audit is no word about a release."""
    asked = {
        "audit": ["--qi", "age2"],
        "learn": ["--target", "sex"],
        "profile": [],
        "plan": [*FLAGS, "--id", "number", "--qi", "age2"],
    }
    words = ["c45"] if command == "learn" else []
    # A function that is not there is an error of the engine inside any step.
    with duckdb.connect(str(db)) as con:
        con.execute("CREATE VIEW broken AS SELECT *, error('x')::INTEGER AS age2 FROM patients")
    ended = ppdt(command, *words, "broken", "--db", db, *asked[command])
    assert ended.code != 0 and "Nothing was released" not in ended.err, ended.err
    args = ["broken", "--db", db, "--qi", "age2", "--keep", "rest", "--out", db.with_name("o.csv")]
    ended = ppdt("anonymize", *args)
    assert ended.code == 1 and ended.err.count("Nothing was released") == 1, ended.err


@pytest.mark.parametrize("error", [KeyboardInterrupt, ZeroDivisionError])
def test_an_error_of_ours_says_it_only_where_it_fits(
    error: type[BaseException], db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("ppdt_db.cli.audit.run_audit", fail)
    monkeypatch.setattr("ppdt_db.cli.anonymize.run_anonymize", fail)
    ended = ppdt("audit", "patients", "--db", db, "--qi", "age")
    assert ended.code == 1 and "Nothing was released" not in ended.err
    ended = ppdt("anonymize", "patients", "--db", db, *FLAGS, "--into", "o")
    assert ended.code == 1 and "Nothing was released" in ended.err


def test_python_too() -> None:
    with duckdb.connect() as con:
        con.execute(PATIENTS)
        con.execute("CREATE VIEW broken AS SELECT error('x')::INTEGER AS age FROM patients")
        with pytest.raises(EngineError) as caught:
            ppdt_db.audit(con, "broken", quasi=["age"])
        assert "released" not in str(caught.value)
        with pytest.raises(EngineError, match="Nothing was released"):
            ppdt_db.anonymize(con, "broken", quasi=["age"], into="o")
