"""The wheel holds every template and migration, and runs away from the checkout."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from ppdt_db.sqltext.templates import folder, steps

TOP = Path(__file__).parent.parent
LIST = """
from ppdt_db.sqltext.templates import folder, steps, _environment
from ppdt_db.release.catalog import _migrations
assert "site" in str(folder("sql")), folder("sql")
for step in steps():
    _environment().get_template(step + ".sql")
print(len(steps()), len(_migrations()))
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", place, TOP]
    made = subprocess.run(build, capture_output=True, text=True, check=False)
    if made.returncode != 0 and ("onnection" in made.stderr or "No module named" in made.stderr):
        pytest.skip("building a wheel needs pip and its index")
    assert made.returncode == 0, made.stderr
    return next(place.glob("*.whl"))


def test_the_wheel_holds_everything(wheel: Path) -> None:
    inside = set(zipfile.ZipFile(wheel).namelist())
    for name in ("sql", "migrations"):
        for path in folder(name).rglob("*.sql"):
            assert f"ppdt_db/{name}/{path.relative_to(folder(name)).as_posix()}" in inside
    assert "ppdt_db/py.typed" in inside
    # What spark-submit takes for a Python program.
    assert any(name.endswith(".data/scripts/ppdt.py") for name in inside)
    assert any(name.endswith("licenses/LICENSE") for name in inside)
    assert not any(name.startswith("tests") for name in inside)


@pytest.mark.slow
def test_the_wheel_runs_elsewhere(wheel: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    zipfile.ZipFile(wheel).extractall(site)
    run = {"cwd": tmp_path, "capture_output": True, "text": True, "env": {"PYTHONPATH": str(site)}}
    listed = subprocess.run([sys.executable, "-c", LIST], check=False, **run)  # type: ignore[call-overload]
    assert listed.returncode == 0, listed.stderr
    assert listed.stdout.split()[0] == str(len(steps()))
    demo = [sys.executable, "-c", "from ppdt_db.cli import main; main()", "demo", "--json"]
    ended = subprocess.run(demo, check=False, **run)  # type: ignore[call-overload]
    assert ended.returncode == 0, ended.stderr
