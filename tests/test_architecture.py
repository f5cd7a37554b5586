"""The shape of the package: who may import whom, what is public, where SQL lives."""

import ast
import re
from pathlib import Path

import pytest

import ppdt_db

PACKAGE = Path(ppdt_db.__file__).parent
MODULES = {
    path.relative_to(PACKAGE).with_suffix("").as_posix(): path
    for path in sorted(PACKAGE.rglob("*.py"))
}
# Lower layers know nothing of higher ones.
LAYERS = [
    ["version", "accept", "errors", "figures", "given", "json_text"],
    ["names", "families", "exact"],
    ["template"],
    ["engine"],
    ["gauge", "whole_file", "different", "foreign", "csv_dialect", "csv_bytes", "csv_scan"],
    ["laws", "effort"],
    [
        "allowed",
        "connection",
        "expression",
        "hierarchies",
        "policy",
        "csv_types",
        "csv_source",
        "csv_written",
        "resolve",
        "frames",
        "source",
        "catalog",
        "pseudonym",
    ],
    [
        "coded",
        "dictionaries",
        "taxonomy",
        "encode",
        "guard",
        "label",
        "target",
        "partition",
        "specialize",
        "openings",
        "axis",
        "measured",
        "micro",
        "line",
        "inducer",
        "suppress",
        "risk",
        "error_risk",
        "outline",
        "audit",
        "methods",
        "recode",
        "lints",
        "certificate",
        "earlier",
        "request",
        "prove",
        "tiers",
        "witness",
        "publish",
        "publish_duckdb",
        "folder_spark",
        "publish_spark",
        "ground",
        "ground_spark",
        "site",
        "site_spark",
        "rules",
        "rules_head",
        "placing",
        "admission",
        "newcomers",
        "tree",
        "tree_file",
        "learn",
    ],
    [
        "allowance",
        "estimate",
        "samples",
        "trial",
        "plan",
        "manage",
        "anonymize",
        "asked",
        "hierarchy",
        "auditing",
        "profile",
        "drawn",
        "page",
        "charts",
        "report",
        "reported",
        "tree_risk",
        "job",
        "policy_file",
        "demo",
        "evaluate",
    ],
    ["cli"],
]


def layer_of(module: str) -> int:
    room = module.partition("/")[0]
    return next(number for number, rooms in enumerate(LAYERS) if room in rooms)


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


@pytest.mark.parametrize("module", [m for m in MODULES if m != "__init__"])
def test_imports_point_one_way(module: str) -> None:
    own = layer_of(module)
    for other in imports_of(MODULES[module]):
        assert layer_of(other) <= own, f"{module} imports {other}, which is above it"


def test_no_circle() -> None:
    known = {name.removesuffix("/__init__"): path for name, path in MODULES.items()}
    graph = {name: {i for i in imports_of(path) if i in known} for name, path in known.items()}
    graph.pop("__init__", None)
    while graph:
        free = {name for name, needs in graph.items() if not needs & graph.keys() - {name}}
        assert free, f"these import each other: {sorted(graph)}"
        graph = {name: needs for name, needs in graph.items() if name not in free}


def test_methods_never_import_each_other() -> None:
    methods = {m for m in MODULES if m.startswith("methods/")} - {
        "methods/__init__", "methods/contract",
    }  # fmt: skip
    for module in methods:
        assert not imports_of(MODULES[module]) & (methods - {module})


def test_the_audit_shares_no_code_with_the_methods() -> None:
    assert not {
        (module, i)
        for module in MODULES
        if module.startswith("audit/")
        for i in imports_of(MODULES[module])
        if i.startswith(("methods", "label", "guard"))
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


@pytest.mark.parametrize("module", MODULES)
def test_python_holds_no_sql(module: str) -> None:
    assert not SQL.search(_code(MODULES[module].read_text("utf-8")))


def test_public_names_are_exact() -> None:
    assert sorted(ppdt_db.__all__) == [
        "Applied", "Attribute", "Audit", "C45", "EngineError", "Erp", "Finding", "GuaranteeError",
        "ID3", "KNN", "Kactus", "Kadet", "Logistic", "Mdav", "Mdav2k", "Microaggregate", "Mict",
        "Mondrian", "NaiveBayes", "Part", "Plan", "PpdtError", "Profile", "Release",
        "RequestError", "Rules", "Tdr", "Tds", "TreeRisk", "Univariate", "Vmdav", "__version__",
        "anonymize", "audit", "drop", "evaluate", "learn", "load_rules", "migrate", "plan",
        "profile", "releases", "report", "tree_risk", "verify_tree",
    ]  # fmt: skip
    for name in ppdt_db.__all__:
        assert getattr(ppdt_db, name).__doc__
    assert (PACKAGE / "py.typed").exists()


def test_every_error_has_its_exit_code() -> None:
    codes = {e.__name__: e.exit_code for e in ppdt_db.PpdtError.__subclasses__()}
    assert codes == {"RequestError": 2, "GuaranteeError": 3, "EngineError": 1}
