"""Cases: one run, wholly described; drawn from a seed, or made to order for the grid."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from . import declared, refusals
from .values import DRAWN, Tree, is_ordered, neighbours

NAMES = [
    "age", "a b", 'q"uote', "select", "x;--", "ключ", "'", "😀", "n_rows", "cell_id", "code",
    "value", "class_id", "row_id", "label_rank", "q0", "word_0", "A", "ä", "x_lo", "x", "group",
    "%s", "{{ x }}", "$k", "a.b", "a,b", "\\", "rid2", "lo_0", "thing", "kind", "unit", "shown",
    "NULL", "count",
]  # fmt: skip
COLLIDING = [*NAMES, " blank ", "x_hi"]


TARGETS = ["BOOLEAN", "VARCHAR", "INTEGER", "DOUBLE", "DECIMAL(18,3)"]


@dataclass(frozen=True)
class Column:
    """A column: its name, its type, the text of every row's value."""

    name: str
    type: str
    texts: tuple[str | None, ...]
    recode: str | None = None
    tree: Tree | None = None


@dataclass(frozen=True)
class Case:
    """One run. A column `rid` numbers the rows; it is kept, and tells which row a label is of."""

    seed: str
    quasi: tuple[Column, ...]
    sensitive: tuple[Column, ...]
    target: Column
    others: tuple[Column, ...]
    entity: Column | None
    method: str
    params: Mapping[str, object]
    place: str
    source: str = "table"
    order: tuple[int, ...] = ()
    threads: int = 2

    @property
    def n_rows(self) -> int:
        return len(self.target.texts)

    @property
    def columns(self) -> list[Column]:
        entity = [self.entity] if self.entity else []
        return [*self.quasi, *self.sensitive, self.target, *self.others, *entity]

    @property
    def k(self) -> int:
        k = self.params["k"]
        assert isinstance(k, int)
        return k


@dataclass(frozen=True, kw_only=True)
class Wish:
    """What is fixed beforehand; None leaves it to the seed."""

    method: str
    variant: Mapping[str, object]
    constraint: str | None
    recode: str | None
    place: str
    has_entity: bool


def drawn(seed: int) -> Case:
    """The case of a seed; most are such that the request itself is good."""
    rng = Random(f"fuzz {seed}")
    is_any = rng.random() < 0.08
    while True:
        case = _drawn(seed, rng)
        if is_any or not refusals.expected(case):
            return case


def _drawn(seed: int, rng: Random) -> Case:
    source = rng.choice(["table", "table", "table", "view", "parquet"])
    method = rng.choice(list(declared.METHODS))
    n_rows = rng.choice([rng.randint(5, 20), rng.randint(5, 80), rng.randint(50, 300)])
    k = rng.choice([2, 2, 3, 3, 4, 5, 7, 10, max(2, n_rows // 3), n_rows])
    if rng.random() < 0.04:
        k = rng.choice([0, 1, n_rows + 1, n_rows + 50])
    asked = rng.choices([0, 1, 2, 3], [3, 5, 2, 1])[0]
    terms = rng.sample([term for term in declared.CONSTRAINTS if term], asked)
    constraints = {term: declared.bound(term, rng) for term in terms}
    variant = {name: rng.choice(words) for name, words in declared.choices(method).items()}
    names = iter(rng.sample(COLLIDING if rng.random() < 0.1 else NAMES, 12))
    n_quasi = 1 if method == "univariate" and rng.random() < 0.9 else rng.randint(1, 4)
    only_ordered = method == "univariate"
    quasi = tuple(
        _quasi(rng, next(names), n_rows, method, variant, only_ordered) for _ in range(n_quasi)
    )
    case = Case(
        seed=str(seed),
        quasi=quasi,
        sensitive=tuple(
            _sensitive(rng, next(names), n_rows, constraints)
            for _ in range(rng.choice([1, 1, 1, 2]) if constraints or rng.random() < 0.7 else 0)
        ),
        target=column(rng, next(names), rng.choice(TARGETS), n_rows, few=3),
        others=tuple(column(rng, next(names), t, n_rows) for t in _some(rng)),
        entity=_people(rng, next(names), n_rows) if rng.random() < 0.25 else None,
        method=method,
        params={"k": k, **variant, **declared.numbers(method, rng, [c.name for c in quasi]),
                **constraints},
        place=rng.choice(declared.PLACES),
        source=source,
        order=tuple(rng.sample(range(n_rows), n_rows)),
        threads=rng.choice([1, 2]),
    )  # fmt: skip
    # DuckDB writes 128 bits to Parquet as DOUBLE: such a source would hold other values.
    is_exact = source != "parquet" or all(c.type not in refusals.LARGE for c in case.columns)
    return case if is_exact else replace(case, source="view")


def to_order(wish: Wish) -> Case:
    """The case of one point of the grid; its table does not depend on the place."""
    key = f"{wish.method} {wish.variant} {wish.constraint} {wish.recode} {wish.has_entity}"
    rng = Random(f"grid {key}")
    n_rows = rng.randint(24, 44)
    quasi: list[Column] = []
    if wish.method == "univariate":
        types = [_type(rng, ordered=True)]
    else:
        types = [_type(rng, ordered=True), _type(rng, ordered=False)]
    for place, type_name in enumerate(types):
        made = column(rng, f"q {place}", type_name, n_rows, few=9)
        quasi.append(replace(made, recode=wish.recode))
    if wish.recode == "node":
        quasi = [replace(c, tree=tree_for(rng, c)) for c in quasi]
    elif wish.recode in declared.OF_ORDERED:
        # What has no order has no ranges: the column beside shows what it shows by default.
        quasi = [replace(c, recode=c.recode if is_ordered(c.type) else None) for c in quasi]
    terms = {wish.constraint: MILD[wish.constraint]} if wish.constraint else {}
    secret = column(rng, "secret", _type(rng), n_rows, few=4, no_null=True)
    return Case(
        seed=key,
        quasi=tuple(quasi),
        sensitive=(_even(rng, secret),),
        target=_even(rng, column(rng, "goal", "VARCHAR", n_rows, few=3, no_null=True)),
        others=(column(rng, "note", _type(rng), n_rows),),
        entity=_people(rng, "person", n_rows, n_people=12) if wish.has_entity else None,
        method=wish.method,
        params={"k": 3, **wish.variant, **terms},
        place=wish.place,
        order=tuple(range(n_rows)),
        # All forms must agree, so one of them runs on two threads.
        threads=2 if wish.place == "snapshot" else 1,
    )


# Terms that the grid's tables keep as a whole, so that there is something to release.
MILD: dict[str, object] = {
    "l": 2, "entropy": 1.5, "recursive": (3.0, 2), "t": 0.4, "alpha": 0.8, "beta": 2.0,
    "enhanced_beta": 2.0, "delta": 2.5,
}  # fmt: skip


def column(
    rng: Random, name: str, type_name: str, n_rows: int, *, few: int = 0, no_null: bool = False
) -> Column:
    """A column of few values, or of many; some are missing."""
    most = few or rng.choice([1, 2, 3, 5, 8, 15, 40, n_rows])
    near = neighbours(type_name, rng) if rng.random() < 0.3 else None
    pool: list[str | None] = [(near or DRAWN[type_name])(rng) for _ in range(most)]
    if not no_null and rng.random() < 0.5:
        pool += [None] * rng.choice([1, 1, max(1, most // 2)])
    weights = [rng.choice([1, 1, 3, 8]) for _ in pool]
    return Column(name, type_name, tuple(rng.choices(pool, weights, k=n_rows)))


def tree_for(rng: Random, given: Column) -> Tree:
    """A hierarchy that fits a column: spelled out, or one of the builders."""
    kinds = ["paths"]
    if given.type == "VARCHAR":
        kinds.append("prefixes")
    elif given.type.startswith(("DATE", "TIMESTAMP")):
        kinds = ["dates", "quantiles"]
    elif is_ordered(given.type):
        kinds = ["quantiles"] if given.type == "TIME" else ["intervals", "quantiles"]
        if given.type in ("TINYINT", "SMALLINT", "INTEGER", "BIGINT"):
            kinds.append("paths")
    kind = rng.choice(kinds)
    if kind != "paths":
        wishes = {
            "prefixes": ["prefixes:2,1", "prefixes:1"],
            "dates": ["dates:month,year", "dates:day,quarter,decade"],
            "quantiles": ["quantiles:4,2", "quantiles:3"],
            "intervals": ["intervals:5,20"],
        }
        return Tree(kind, wish=rng.choice(wishes[kind]))
    leaves = sorted({text for text in given.texts if text is not None})
    depth = rng.randint(1, 2)
    paths: dict[str | None, tuple[str, ...]] = {}
    for place, leaf in enumerate(leaves):
        above = [f"group {place // 2 ** (level + 1)}.{level}" for level in range(depth)]
        paths[leaf] = (*above, "*")
    if rng.random() < 0.3:
        paths[None] = paths[leaves[0]] if leaves else ("group 0.0",) * depth + ("*",)
    return Tree("paths", paths)


def _quasi(
    rng: Random, name: str, n_rows: int, method: str, variant: Mapping[str, object], ordered: bool
) -> Column:
    made = column(rng, name, _type(rng, ordered=True if ordered else None), n_rows)
    of = declared.METHODS[method](**variant)  # type: ignore[arg-type]
    if of.uses_hierarchies and rng.random() < 0.25:
        made = replace(made, tree=tree_for(rng, made))
    recodes = [r for r in declared.RECODES if _fits(made, r)]
    if of.controls_recoding and rng.random() < 0.9:
        recodes = [None]
    elif rng.random() < 0.04:
        recodes = declared.RECODES
    return replace(made, recode=rng.choice(recodes))


def _fits(made: Column, recode: str | None) -> bool:
    if recode in declared.OF_ORDERED:
        return is_ordered(made.type) and made.tree is None
    return recode != "node" or made.tree is not None


def _sensitive(rng: Random, name: str, n_rows: int, constraints: Mapping[str, object]) -> Column:
    made = column(rng, name, _type(rng), n_rows, few=rng.choice([2, 3, 4, 6, 12]))
    if rng.random() < 0.6:
        made = _even(rng, made)
    if "t" in constraints and made.type in ("VARCHAR", "BOOLEAN") and rng.random() < 0.4:
        tree = tree_for(rng, made)
        made = replace(made, tree=tree if tree.kind == "paths" and None not in tree.paths else None)
    return made


def _even(rng: Random, given: Column) -> Column:
    """The same values, each about as often as any other."""
    pool = sorted(set(given.texts), key=str)
    texts = [pool[place % len(pool)] for place in range(len(given.texts))]
    rng.shuffle(texts)
    return replace(given, texts=tuple(texts))


def _people(rng: Random, name: str, n_rows: int, n_people: int = 0) -> Column:
    few = n_people or rng.choice([2, 4, n_rows // 3 + 1, n_rows])
    type_name = "INTEGER" if n_people else rng.choice(["INTEGER", "VARCHAR", "HUGEINT", "UUID"])
    return _even(rng, column(rng, name, type_name, n_rows, few=few))


def _type(rng: Random, ordered: bool | None = None) -> str:
    return rng.choice([t for t in DRAWN if ordered is None or is_ordered(t) == ordered])


def _some(rng: Random) -> Sequence[str]:
    return [_type(rng) for _ in range(rng.choice([0, 0, 1, 2]))]
