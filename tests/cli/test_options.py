"""What is given twice: lists add up, and of two different values none is lost without a word."""

import json
from collections.abc import Iterator
from pathlib import Path

import click
import duckdb
import pytest
from support import FLAGS, make_database, ppdt

import ppdt_db
from ppdt_db.cli.main import COMMANDS
from ppdt_db.cli.main import ppdt as whole
from ppdt_db.cli.terminal import TermList
from ppdt_db.errors import RequestError


def commands(group: click.Group = whole, path: str = "") -> Iterator[tuple[str, click.Command]]:
    """Every command, those of groups too."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from commands(command, f"{path}{name} ")
        else:
            yield f"{path}{name}", command


def two_values(param: click.Parameter, folder: Path) -> tuple[str, str]:
    """Two different texts that the type of an option takes."""
    kind = param.type
    if isinstance(kind, click.Choice):
        first, second, *_ = (*kind.choices, kind.choices[0])
        return str(first), str(second)
    if isinstance(kind, click.Path):
        places = [folder / f"{name}-{kind.exists}-{kind.dir_okay}" for name in ("one", "two")]
        for place in places:
            if kind.exists and kind.dir_okay:
                place.mkdir(exist_ok=True)
            elif kind.exists:
                place.touch()
        return str(places[0]), str(places[1])
    if isinstance(kind, click.types.IntParamType | click.types.FloatParamType):
        least = getattr(kind, "min", None) or 3
        return str(least), str(least + 1)
    return ("a=1", "b=2") if "=" in kind.name else ("one", "two")


def needed(command: click.Command, folder: Path, without: click.Parameter) -> list[str]:
    """The shortest arguments that a command takes."""
    args: list[str] = []
    for param in command.params:
        if not param.required or param is without:
            continue
        value = two_values(param, folder)[0]
        args += [value] if isinstance(param, click.Argument) else [param.opts[-1], value]
    return args


PAIRS = [
    pytest.param(command, option, id=f"{name} {option.opts[-1]}")
    for name, command in commands()
    for option in command.params
    if isinstance(option, click.Option)
]


@pytest.mark.parametrize(("command", "option"), PAIRS)
def test_nothing_that_is_given_twice_is_lost(
    command: click.Command, option: click.Option, tmp_path: Path
) -> None:
    """All of it is taken, or it is a fault that names the option."""
    assert option.name is not None
    start = needed(command, tmp_path, option)
    if option.is_flag:
        twice = [option.opts[-1], (option.secondary_opts or option.opts)[-1]]
        if twice[0] == twice[1]:
            command.make_context("ppdt", [*start, *twice])
            return
        with pytest.raises(RequestError, match=twice[0]):
            command.make_context("ppdt", [*start, *twice])
        return
    first, second = two_values(option, tmp_path)
    once = command.make_context("ppdt", [*start, option.opts[-1], first]).params[option.name]
    same = [*start, option.opts[-1], first, option.opts[-1], first]
    adds = isinstance(once, list | tuple) or isinstance(option.type, TermList)
    if not adds:
        # The same thing said twice is no contradiction.
        assert command.make_context("ppdt", same).params[option.name] == once
    args = [*start, option.opts[-1], first, option.opts[-1], second]
    try:
        taken = command.make_context("ppdt", args).params[option.name]
    except RequestError as error:
        assert option.opts[-1] in str(error) and not adds
        return
    assert all(part.rpartition("=")[2] in repr(taken) for part in (first, second))


def test_every_list_adds_up() -> None:
    """Where commas make a list, a second option makes it longer."""
    lists = [
        (name, command, option)
        for name, command in commands()
        for option in command.params
        if option.type.name == "a,b,c"
    ]
    assert len(lists) > 20
    for name, command, option in lists:
        args = [option.opts[-1], "a,b", option.opts[-1], '"c,d"']
        context = command.make_context("ppdt", args, resilient_parsing=True)
        assert context.params[option.name] == ["a", "b", "c,d"], (name, option.opts)


def test_every_command_is_walked() -> None:
    names = [name for name, _ in commands()]
    assert {name.split()[0] for name in names} == set(COMMANDS)
    assert {"risk tree", "hierarchy build", "bench paper kadet"} <= set(names)


def released(path: Path) -> list[str]:
    with duckdb.connect(str(path), read_only=True) as con:
        return [str(row[0]) for row in con.execute("DESCRIBE safe").fetchall()]


def test_two_ids_are_both_dropped(tmp_path: Path) -> None:
    db = make_database(tmp_path / "clinic.duckdb")
    ended = ppdt(
        "anonymize", "patients", "--db", db, "--qi", "age", "--qi", "sex,zip", "--id", "name",
        "--id", "number", "--sensitive", "diagnosis", "--keep", "readmitted", "--into", "safe",
    )  # fmt: skip
    assert ended.code == 0, ended.err
    assert set(released(db)) == {"age", "sex", "zip", "diagnosis", "readmitted"}
    with duckdb.connect(str(db), read_only=True) as con:
        found = con.execute(
            "SELECT min(n) FROM (SELECT count(*) AS n FROM safe GROUP BY age, sex, zip)"
        )
        assert found.fetchall()[0][0] >= 10


def test_terms_add_up_and_do_not_contradict(tmp_path: Path) -> None:
    db = make_database(tmp_path / "clinic.duckdb")
    args = ["anonymize", "patients", "--db", db, *FLAGS, "--id", "number", "--into", "safe"]
    args = [*args, "--json"]
    ended = ppdt(*args, "--l", "2", "--l", "entropy=1.5")
    assert ended.code == 0, ended.err
    assert ended.json["parameters"]["l"] == 2 and ended.json["parameters"]["entropy"] == 1.5
    for l_words in (["--l", "2", "--l", "3"], ["--l", "2,distinct=3"]):
        ended = ppdt(*args, *l_words)
        assert ended.code == 2 and "--l" in ended.err and "twice" in ended.err
    measured = ["audit", "safe", "--db", db, "--qi", "age,sex,zip", "--sensitive", "diagnosis"]
    ended = ppdt(*measured, "--require", "k=2", "--require", "l=99")
    assert (ended.code == 3 and "distinct" in ended.out + ended.err) or "l of" in ended.out


def test_contradictions_are_listed_at_once(tmp_path: Path) -> None:
    db = make_database(tmp_path / "clinic.duckdb")
    ended = ppdt(
        "anonymize", "patients", "--db", db, *FLAGS, "--id", "number", "--into", "safe",
        "--k", 5, "--k", 6, "--recode", "age=set", "--recode", "age=range", "--target", "a",
        "--target", "b",
    )  # fmt: skip
    assert ended.code == 2 and ended.out == ""
    for word in ("--k", "--recode", '"age"', "--target"):
        assert word in ended.err
    ended = ppdt("learn", "c45", "x.parquet", "--target", "a", "--json", "--sql")
    assert ended.code == 2 and "--json" in ended.err and "--sql" in ended.err


@pytest.mark.parametrize("text", ["", "a\nb", '"a'])
def test_a_list_that_would_lose_names_is_refused(text: str, tmp_path: Path) -> None:
    db = make_database(tmp_path / "clinic.duckdb")
    ended = ppdt("profile", "patients", "--db", db)
    assert ended.code == 0
    ended = ppdt("audit", "patients", "--db", db, "--qi", text)
    assert ended.code == 2 and "--qi" in ended.err and "internal error" not in ended.err


POLICY = """
source: patients
db: {db}
identifiers: [name, number]
quasi: [age, sex, zip]
sensitive: [diagnosis]
keep: [readmitted]
k: 10
into: safe
"""


@pytest.mark.parametrize(
    ("more", "key"),
    [
        ("quasi: [age]\n", "quasi"),
        ("k: 10\n", "k"),
        ("recode: {age: set, sex: set, age: range}\n", "age"),
        ("hierarchy: {sex: {grouping: {all: [f], all: [m]}}}\n", "all"),
        ("accept: [a, a]\n", "accept"),
        ("order: {sex: [f, m, f]}\n", "order"),
    ],
)
def test_a_policy_says_nothing_twice(more: str, key: str, tmp_path: Path) -> None:
    db = make_database(tmp_path / "clinic.duckdb")
    policy = tmp_path / "policy.yaml"
    policy.write_text(POLICY.format(db=db) + more)
    ended = ppdt("anonymize", "--policy", policy)
    assert ended.code == 2 and f'"{key}"' in ended.err and "twice" in ended.err, ended.err
    with duckdb.connect(str(db)) as con:
        assert con.execute("SELECT count(*) FROM duckdb_views() WHERE NOT internal").fetchall() == [
            (0,)
        ]


def test_yaml_merges_are_no_duplicates(tmp_path: Path) -> None:
    db = make_database(tmp_path / "clinic.duckdb")
    policy = tmp_path / "policy.yaml"
    policy.write_text(
        POLICY.format(db=db) + "recode: &shape {age: set}\norder: {<<: &other {}, <<: *other}\n"
    )
    assert ppdt("anonymize", "--policy", policy).code == 0


TREE = {
    "format": "ppdt-tree-1", "target": "t", "missing": "branch", "classes": ["a"],
    "attributes": [], "nodes": [{"weights": [1]}],
}  # fmt: skip


def test_a_json_file_says_nothing_twice(tmp_path: Path) -> None:
    from ppdt_db.learn import read_model
    from ppdt_db.tree.tree import FORMAT
    from ppdt_db.tree.tree_json import read_tree

    text = json.dumps({**TREE, "format": FORMAT})
    read_tree(text)
    for key in ("target", "weights"):
        doubled = text.replace(f'"{key}":', f'"{key}": "x", "{key}":')
        for read in (read_tree, read_model):
            with pytest.raises(RequestError, match=f'"{key}".*twice'):
                read(doubled)


@pytest.mark.parametrize("is_policy", [True, False])
def test_the_rest_of_the_columns_can_be_dropped(tmp_path: Path, is_policy: bool) -> None:
    path = make_database(tmp_path / "clinic.duckdb")
    out, certificate = tmp_path / "o.parquet", tmp_path / "o.json"
    policy = tmp_path / "p.yaml"
    policy.write_text("identifiers: rest\n" if is_policy else "k: 10\n")
    said = ["--id", "name"] if is_policy else ["--id", "rest"]
    ended = ppdt(
        "anonymize", "patients", "--db", path, "--policy", policy, *said, "--qi", "age,sex",
        "--sensitive", "diagnosis", "--k", 5, "--out", out, "--certificate", certificate,
    )  # fmt: skip
    assert ended.code == 0, ended.err
    with duckdb.connect() as con:
        shown = [
            row[0] for row in con.execute("DESCRIBE FROM read_parquet(?)", [str(out)]).fetchall()
        ]
    assert shown == ["age", "sex", "diagnosis"]
    dropped = json.loads(certificate.read_text())["policy"]["identifiers_dropped"]
    assert set(dropped) == {"name", "number", "zip", "readmitted"}


def test_the_rest_is_dropped_or_kept(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    path = make_database(tmp_path / "clinic.duckdb")
    both = ppdt(
        "anonymize", "patients", "--db", path, "--qi", "age", "--id", "rest", "--keep", "rest",
        "--into", "x",
    )  # fmt: skip
    assert both.code == 2 and "--id rest and --keep rest: the remaining columns" in both.err
    beside = ppdt("anonymize", "patients", "--db", path, "--qi", "age", "--id", "name,rest")
    assert beside.code == 2 and "--id: rest means all other columns" in beside.err
    con.execute("CREATE TABLE t AS SELECT i % 7 AS a, i AS b FROM range(70) r (i)")
    release = ppdt_db.anonymize(con, "t", quasi=["a"], identifiers="rest", into="safe")
    assert release.certificate["policy"]["identifiers_dropped"] == ["b"]
