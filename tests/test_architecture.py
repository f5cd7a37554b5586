"""The shape of the package: who may import whom, what is public, where SQL lives."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest
from support import for_each

import ppdt_db
from ppdt_db.methods import METHODS

PACKAGE = Path(ppdt_db.__file__).parent
MODULES = {
    path.relative_to(PACKAGE).with_suffix("").as_posix(): path
    for path in sorted(PACKAGE.rglob("*.py"))
}
# A package imports what stands in lower rows, and itself: nothing beside it, nothing above it.
ROWS = [
    {"arguments", "errors", "figures", "progress", "recodings", "version"},
    {"sqltext"},
    {"cost", "engine", "policy", "tree"},
    {"demo", "source"},
    {"encode", "profile"},
    {"audit", "hierarchy", "learn"},
    {"methods"},
    {"release"},
    {"apply", "plan", "report", "tree_risk"},
    {"anonymize"},
    {"evaluate", "span_table"},
    {"experiments"},
    {"cli"},
]


def row_of(module: str) -> int:
    package = module.partition("/")[0]
    return next(number for number, packages in enumerate(ROWS) if package in packages)


def imports_of(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("ppdt_db"):
            base = (node.module or "").removeprefix("ppdt_db").strip(".").replace(".", "/")
            found |= {base} if base else {alias.name for alias in node.names}
        elif isinstance(node, ast.Import):
            found |= {
                alias.name.removeprefix("ppdt_db.").replace(".", "/")
                for alias in node.names
                if alias.name.startswith("ppdt_db.")
            }
    return found - {"ppdt_db"}


@for_each(m for m in MODULES if m != "__init__")
def test_imports_point_down(module: str) -> None:
    own = module.partition("/")[0]
    for other in imports_of(MODULES[module]):
        if other.partition("/")[0] != own:
            assert row_of(other) < row_of(module), f"{module} imports {other}, which is not below"


def test_every_package_has_its_row() -> None:
    packages = [package for row in ROWS for package in row]
    assert sorted(packages) == sorted({m.partition("/")[0] for m in MODULES} - {"__init__"})


@pytest.mark.parametrize("package", ["engine", "source", "encode", "audit", "learn", "methods"])
def test_a_package_loads_nothing_from_above(package: str) -> None:
    """Asked of a fresh process, which sees imports that are made on the way, too."""
    own = [m.removesuffix("/__init__") for m in MODULES if m.partition("/")[0] == package]
    wanted = [
        f"ppdt_db.{m.replace('/', '.')}" for m in own if "spark" not in m and "sklearn" not in m
    ]
    loaded = "import importlib, sys; [importlib.import_module(m) for m in sys.argv[1:]]; "
    shown = "print(*[m for m in sys.modules if m.startswith('ppdt_db.')])"
    done = subprocess.run(
        [sys.executable, "-c", loaded + shown, *wanted], capture_output=True, text=True, check=True
    )
    found = {m.split(".")[1] for m in done.stdout.split()}
    assert package in found
    assert {p for p in found - {package} if row_of(p) >= row_of(package)} == set()


def test_no_circle() -> None:
    known = {name.removesuffix("/__init__"): path for name, path in MODULES.items()}
    graph = {name: {i for i in imports_of(path) if i in known} for name, path in known.items()}
    graph.pop("__init__", None)
    while graph:
        free = {name for name, needs in graph.items() if not needs & graph.keys() - {name}}
        assert free, f"these import each other: {sorted(graph)}"
        graph = {name: needs for name, needs in graph.items() if name not in free}


def test_a_method_imports_what_methods_share_and_no_other_method() -> None:
    shared = {
        "__init__", "base", "distance_options", "examples", "guard", "labels", "options", "target",
    }  # fmt: skip
    methods = {
        module
        for module in MODULES
        if module.startswith("methods/") and module.removeprefix("methods/") not in shared
        if not module.startswith("methods/algorithms/")
    }
    assert len(methods) >= 7
    for module in methods:
        others = {i for i in imports_of(MODULES[module]) if i.startswith("methods")}
        assert {
            i
            for i in others
            if not i.startswith("methods/algorithms/") and i.removeprefix("methods/") not in shared
        } == set(), module


def test_only_the_cli_imports_experiments() -> None:
    assert not {
        module
        for module, path in MODULES.items()
        if module.partition("/")[0] not in ("cli", "experiments")
        and any(i.startswith("experiments") for i in imports_of(path))
    }


def test_only_the_engine_executes() -> None:
    for module, path in MODULES.items():
        if not module.startswith("engine/"):
            text = path.read_text("utf-8")
            assert not re.search(r"\.(execute|executemany|sql|query)\(", _code(text)), module


SQL = re.compile(
    r"\b(SELECT .+ FROM|INSERT INTO|CREATE (OR|TEMP|TABLE|VIEW)|UPDATE .+ SET|DELETE FROM)\b"
)


def _code(text: str) -> str:
    """A module without docstrings, whose examples may show SQL."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        first = body[0] if isinstance(body, list) and body else None
        if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
            first.value = ast.Constant(value="")
    return ast.unparse(tree)


@for_each(MODULES)
def test_python_holds_no_sql(module: str) -> None:
    assert not SQL.search(_code(MODULES[module].read_text("utf-8")))


def test_public_names_are_exact() -> None:
    methods = [method.__name__ for method in METHODS.values()]
    wanted = {
        "ApplyResult", "Attribute", "Audit", "C45", "EngineError", "Finding", "GuaranteeError",
        "ID3", "KNN", "Kadet", "Logistic", "NaiveBayes", "Part", "Plan", "PpdtError", "Profile",
        "Release", "RequestError", "Rules", "TreeRisk", "__version__", "anonymize", "audit",
        "drop", "evaluate", "learn", "load_rules", "migrate", "plan", "profile", "publish_spans",
        "releases", "report", "tree_risk", "verify_tree", *methods,
    }  # fmt: skip
    named = set(ppdt_db.__all__)
    assert len(named) == len(ppdt_db.__all__)
    assert named == wanted, (
        f"in ppdt_db/__init__.py (__all__, _HOMES and its imports for type checkers) "
        f"{wanted - named or 'nothing'} is missing, {named - wanted or 'nothing'} too many"
    )
    for name in ppdt_db.__all__:
        assert getattr(ppdt_db, name).__doc__
    assert (PACKAGE / "py.typed").exists()


def test_every_error_has_its_exit_code() -> None:
    codes = {e.__name__: e.exit_code for e in ppdt_db.PpdtError.__subclasses__()}
    assert codes == {"RequestError": 2, "GuaranteeError": 3, "EngineError": 1}
