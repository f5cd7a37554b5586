"""Single steps on tables small enough to check by hand: cases/<room>/<step>/<case>/."""

import tomllib
from collections import Counter
from pathlib import Path

import duckdb
import pytest
from samples import coded, names_of

from ppdt_db.methods.guard import Guard
from ppdt_db.sqltext.quoting import Sql
from ppdt_db.sqltext.templates import render, steps

CASES = Path(__file__).parent / "cases"
ALL = sorted(path.parent for path in CASES.rglob("expect.csv"))


def load(con: duckdb.DuckDBPyConnection, folder: Path) -> None:
    for path in folder.glob("given_*.csv"):
        name = path.stem.removeprefix("given_")
        con.execute(
            f"CREATE TEMP TABLE {name} AS FROM read_csv('{path}', header = true, nullstr = 'NULL')"
        )


def names_for(step: str, given: dict) -> dict[str, object]:
    names = names_of(step) | given
    if "attributes" in given:
        names["attributes"] = [
            coded(number, **one) for number, one in enumerate(given["attributes"])
        ]
    if "attribute" in given:
        names["attribute"] = coded(0, **given["attribute"])
    if step.startswith("guard/"):
        names["guard"] = Guard(k=2, l=2)
    if "release" in given:
        names["release"] = Sql(given["release"])
    return names


@pytest.mark.parametrize("folder", ALL, ids=lambda p: p.relative_to(CASES).as_posix())
def test_the_step_gives_what_is_expected(con: duckdb.DuckDBPyConnection, folder: Path) -> None:
    step = folder.parent.relative_to(CASES).as_posix()
    asked = tomllib.loads((folder / "params.toml").read_text("utf-8"))
    load(con, folder)
    statement = render(step, names_for(step, asked.get("names", {})))
    params = {name: asked.get("params", {}).get(name) for name in statement.params}
    found = con.sql(statement.text, params=params or None)
    columns = ", ".join(f'"{name}"::VARCHAR' for name in found.columns)
    rounded = ", ".join(
        f'round("{name}", 9)::VARCHAR' if str(kind) == "DOUBLE" else f'"{name}"::VARCHAR'
        for name, kind in zip(found.columns, found.types, strict=True)
    )
    expected = con.execute(
        f"SELECT {columns} FROM read_csv(?, header = true, all_varchar = true, nullstr = 'NULL')",
        [str(folder / "expect.csv")],
    ).fetchall()
    shown = con.sql(f"SELECT {rounded} FROM found").fetchall()
    assert Counter(shown) == Counter(expected)


def test_every_case_is_of_a_step() -> None:
    assert len(ALL) >= 12
    assert {path.parent.relative_to(CASES).as_posix() for path in ALL} <= set(steps())
