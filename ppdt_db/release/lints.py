"""Lints: what a release keeps its promise with, and still tells; each says what would end it.

A lint has a name for programs, in the certificate, and a sentence for people. It names columns and
shares, and no value of the source.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import chain

from ppdt_db.audit import Kept
from ppdt_db.audit.finding import number
from ppdt_db.methods.contract import LabelColumn, Method
from ppdt_db.names import in_words
from ppdt_db.policy import Roles

# Shares of rows that are alone on what is kept; on that and the quasi-identifiers; on one column.
KEPT_UNIQUE = 0.05
WITH_QUASI_UNIQUE = 0.2
NEARLY_UNIQUE = 0.5
# Different values for each row, from which on a set shows nearly everybody's own.
VALUES_SHOWN = 0.2
NEARLY_LOST = 0.9
K_FOR_DIVERSITY = 5
# Of classes, and of rows in each, for a sum of squares to be told.
FEWEST = 3
SOLVING = ("sse", "sst", "il")


@dataclass(frozen=True, kw_only=True)
class Lint:
    """One thing that a release tells although it keeps its promise."""

    name: str
    says: str
    columns: Sequence[str] = ()
    measured: float | None = None
    warns: bool = True
    """Whether it is said in the terminal, too; else only the certificate has it."""

    @property
    def entry(self) -> dict[str, object]:
        """The lint as the certificate lists it."""
        told = asdict(self)
        del told["warns"]
        return {**told, "columns": list(self.columns)}


@dataclass(frozen=True, kw_only=True)
class Facts:
    """What lints go by."""

    method: Method
    roles: Roles
    labels: Sequence[LabelColumn]
    measures: Mapping[str, object]
    kept: Kept
    values_per_row: Mapping[str, float] = field(default_factory=dict)
    """Of each quasi-identifier: its different values, for each row of the source."""
    left_out: bool = False
    """Whether SSE, SST and IL are not told, since a class could be solved by them."""
    linked: bool = False

    def shown_as(self, *shapes: str) -> list[str]:
        """The quasi-identifiers that are shown in certain shapes."""
        return list(dict.fromkeys(la.attribute for la in self.labels if la.shape in shapes))


def find_lints(facts: Facts) -> list[Lint]:
    """All that there is to say about a release."""
    rules = (_homogeneous, _lost, _kept, _sensitive, _sets, _small_k, _means, _ends, _linked)
    return list(chain.from_iterable(rule(facts) for rule in rules))


def without_solvable(
    figures: Mapping[str, object], measures: Mapping[str, object]
) -> dict[str, object]:
    """The figures of a method, without SSE, SST and IL where they could be solved for a class.

    A class of two is solved by its mean and its SSE, and a sum over one or two classes is nearly
    that of one; SST less what lies between the means is SSE. What the release itself shows decides
    (rows in classes, classes), so that leaving them out tells nothing.
    """
    few = min(number(measures["k_rows"]), number(measures["classes"])) < FEWEST
    return {name: None if few and name in SOLVING else told for name, told in figures.items()}


def _homogeneous(facts: Facts) -> Iterator[Lint]:
    sensitive = facts.measures["sensitive"]
    assert isinstance(sensitive, dict)
    for column, of_column in sensitive.items():
        if of_column["distinct_l"] == 1:
            yield Lint(
                name="homogeneous-class",
                says=f'in some class all rows share one value of "{column}": whoever finds the '
                "class of a person learns it. Ask for different values with --l 2.",
                columns=[column],
            )


def _lost(facts: Facts) -> Iterator[Lint]:
    gcp = facts.measures["gcp"]
    if not isinstance(gcp, float) or gcp == 0:
        return
    remedy = (
        f"Ask for less ({_asked(facts.method)}), or choose other quasi-identifiers; --max-loss "
        "refuses such a release."
    )
    if gcp >= NEARLY_LOST:
        how_much = "everything" if gcp == 1 else f"{100 * gcp:.1f} %"
        tells = "nothing" if gcp == 1 else "hardly anything"
        says = f"the release tells {tells} of the quasi-identifiers: {how_much} in them is lost. "
        yield Lint(name="everything-lost", says=says + remedy, measured=gcp)
    elif facts.measures["classes"] == 1:
        says = "all rows of the release are one class, which tells none from another. "
        yield Lint(name="one-class", says=says + remedy, measured=gcp)


def _asked(method: Method) -> str:
    """What could be asked less of, by its option."""
    guard = method.guard
    wider = {"t": guard.t, "beta": guard.beta, "enhanced-beta": guard.enhanced_beta,
             "delta": guard.delta, "alpha": guard.alpha}  # fmt: skip
    named = [f"a larger --{name}" for name, bound in wider.items() if bound is not None]
    return ", ".join([*named, "a smaller --k"])


def _kept(facts: Facts) -> Iterator[Lint]:
    kept = facts.kept
    named = in_words(kept.together)
    remedy = (
        "Drop some (--id), make them coarser in a view, or give them as quasi-identifiers (--qi); "
        "--max-kept-uniqueness refuses such a release."
    )
    for column in kept.together:
        if kept.by_column[column] >= NEARLY_UNIQUE:
            yield Lint(
                name="kept-column-nearly-unique",
                says=f'the kept column "{column}" singles out {_share(kept.by_column[column])}: it '
                f"may identify people on its own. {remedy}",
                columns=[column],
                measured=kept.by_column[column],
            )
    if kept.uniqueness is not None and kept.uniqueness >= KEPT_UNIQUE:
        if len(kept.together) > 1 or kept.uniqueness < NEARLY_UNIQUE:
            yield Lint(
                name="kept-nearly-unique",
                says=f"the columns that are shown as they are, together, single out "
                f"{_share(kept.uniqueness)}: whoever knows {named} of a person finds the row. "
                f"{remedy}",
                columns=list(kept.together),
                measured=kept.uniqueness,
            )
    elif kept.with_quasi is not None and kept.with_quasi >= WITH_QUASI_UNIQUE:
        yield Lint(
            name="kept-with-quasi-nearly-unique",
            says=f"the columns that are shown as they are, with the quasi-identifiers, single out "
            f"{_share(kept.with_quasi)}: whoever knows {named} beside them finds the row. {remedy}",
            columns=list(kept.together),
            measured=kept.with_quasi,
        )


def _sensitive(facts: Facts) -> Iterator[Lint]:
    kept, sensitive = facts.kept, facts.roles.sensitive
    added = (kept.with_sensitive or 0.0) - (kept.uniqueness or 0.0)
    if added >= NEARLY_UNIQUE:
        yield Lint(
            name="sensitive-nearly-unique",
            says=f"the sensitive {in_words(sensitive)} is shown as it is, and singles out "
            f"{_share(kept.with_sensitive or 0.0)}, together with what is kept: whoever knows it "
            "of a person finds the row. Make it coarser in a view (amounts in steps).",
            columns=list(sensitive),
            measured=kept.with_sensitive,
        )


def _sets(facts: Facts) -> Iterator[Lint]:
    for column in facts.shown_as("set"):
        share = facts.values_per_row.get(column, 0.0)
        if share >= VALUES_SHOWN:
            yield Lint(
                name="sets-show-values",
                says=f'"{column}" has {100 * share:.0f} different values in 100 rows, and sets '
                "show each of them as it is: whoever reads the release reads them all. Show its "
                f"beginnings (--hierarchy {column}=prefixes:3,2,1), or drop it (--id {column}).",
                columns=[column],
                measured=share,
            )


def _small_k(facts: Facts) -> Iterator[Lint]:
    k = facts.method.guard.k
    if facts.method.guard.asks_of_sensitive and k < K_FOR_DIVERSITY:
        yield Lint(
            name="small-k-with-diversity",
            says=f"k is {k}: whoever knows how classes are formed can sometimes exclude a "
            "sensitive value of such small ones, and what remains may be one. Take --k "
            f"{K_FOR_DIVERSITY} or more.",
            columns=list(facts.roles.sensitive),
            measured=k,
        )


def _means(facts: Facts) -> Iterator[Lint]:
    columns = facts.shown_as("mean")
    if columns:
        yield Lint(
            name="means-can-be-solved",
            says=f"{in_words(columns)} shows means: whoever knows all but one row of a class "
            "(k - 1 of k) computes the last. Show ranges (--recode COLUMN=range, by a method that "
            "has them), or take a k that nobody knows so many rows of.",
            columns=columns,
        )
    if facts.left_out:
        yield Lint(
            name="sse-left-out",
            says="SSE, SST and IL are not told: with fewer than 3 classes, or 3 rows in each, "
            "means and SSE give the values. Take --k 3 or more.",
            warns=False,
        )


def _ends(facts: Facts) -> Iterator[Lint]:
    columns = facts.shown_as("range", "bounds")
    if columns:
        yield Lint(
            name="tight-labels",
            says=f"{in_words(columns)} shows tight ranges: somebody in the class has the lower "
            "end, and somebody the upper. Give a hierarchy (--hierarchy COLUMN=intervals:10): its "
            "nodes end where the data does not say.",
            columns=columns,
            warns=False,
        )


def _linked(facts: Facts) -> Iterator[Lint]:
    if facts.linked and facts.roles.pseudonymized:
        columns = facts.roles.pseudonymized
        yield Lint(
            name="pseudonyms-linked",
            says=f"the pseudonyms of {in_words(columns)} are the same in every release and column "
            "under this key: who holds two of them can join them. Leave --link-pseudonyms out, or "
            "take another key for each purpose.",
            columns=list(columns),
            warns=len(columns) > 1,
        )


def _share(share: float) -> str:
    return f"{100 * share:.1f} % of the rows"
