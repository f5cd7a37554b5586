"""Lints: what a release reveals although it keeps its guarantee, each with a remedy.

A lint has a name, which programs find in the certificate, and a sentence for people. It names
columns and shares, never a value of the source.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import chain

from ppdt_db.audit import KeptShare
from ppdt_db.audit.finding import number
from ppdt_db.methods.base import LabelColumn, Method
from ppdt_db.policy.roles import Roles
from ppdt_db.recodings import RECODINGS, RecodingKind
from ppdt_db.sqltext.quoting import list_names

# Shares of unique rows from which a lint reports: in the kept columns together; in those and the
# quasi-identifiers; in one kept column.
KEPT_UNIQUE = 0.05
WITH_QUASI_UNIQUE = 0.2
NEARLY_UNIQUE = 0.5
# From this many distinct values per row on, sets show nearly everybody's own value.
VALUES_SHOWN = 0.2
NEARLY_LOST = 0.9
K_FOR_DIVERSITY = 5
# The fewest classes, and rows in each, with which sums of squares are reported.
FEWEST = 3
SOLVING = ("sse", "sst", "il")


@dataclass(frozen=True, kw_only=True)
class Lint:
    """One thing that a release reveals although it keeps its guarantee."""

    name: str
    says: str
    columns: Sequence[str] = ()
    measured: float | None = None
    warns: bool = True
    """True if the terminal shows it too; otherwise only the certificate has it."""

    @property
    def entry(self) -> dict[str, object]:
        """The lint as the certificate lists it."""
        fields = asdict(self)
        del fields["warns"]
        return {**fields, "columns": list(self.columns)}


@dataclass(frozen=True, kw_only=True)
class Facts:
    """The facts about a release that lints look at."""

    method: Method
    roles: Roles
    labels: Sequence[LabelColumn]
    measures: Mapping[str, object]
    kept: KeptShare
    values_per_row: Mapping[str, float] = field(default_factory=dict)
    """For each quasi-identifier, its number of distinct values per row of the source."""
    left_out: bool = False
    """True if SSE, SST and IL are left out because they would give values away."""
    linked: bool = False

    def shown_as(self, *recodings: RecodingKind) -> list[str]:
        """Return the quasi-identifiers that are shown by certain recodings."""
        shapes = [recoding.name for recoding in recodings]
        return list(dict.fromkeys(la.attribute for la in self.labels if la.shape in shapes))


def find_lints(facts: Facts) -> list[Lint]:
    """Return every lint of a release."""
    rules = (_homogeneous, _lost, _kept, _sensitive, _sets, _small_k, _means, _ends, _linked)
    return list(chain.from_iterable(rule(facts) for rule in rules))


def without_solvable(
    figures: Mapping[str, object], measures: Mapping[str, object]
) -> dict[str, object]:
    """Return the figures of a method; drop SSE, SST and IL if they would give away a class.

    The values of a class of two follow from its mean and its SSE, and a sum over one or two classes
    is nearly that of one; SST minus the sum of squares between the means is SSE. The decision
    depends only on what the release shows (rows per class, classes), so it reveals nothing.
    """
    few = min(number(measures["k_rows"]), number(measures["classes"])) < FEWEST
    return {name: None if few and name in SOLVING else figure for name, figure in figures.items()}


def _homogeneous(facts: Facts) -> Iterator[Lint]:
    sensitive = facts.measures["sensitive"]
    assert isinstance(sensitive, dict)
    for column, of_column in sensitive.items():
        if of_column["distinct_l"] == 1:
            yield Lint(
                name="homogeneous-class",
                says=f'in some class all rows have the same value of "{column}": whoever finds a '
                "person's class learns that value. Require different values with --l 2.",
                columns=[column],
            )


def _lost(facts: Facts) -> Iterator[Lint]:
    gcp = facts.measures["gcp"]
    if not isinstance(gcp, float) or gcp == 0:
        return
    remedy = (
        f"Weaken the guarantee ({_weaker_options(facts.method)}) or choose other "
        "quasi-identifiers; --max-loss refuses such a release."
    )
    if gcp >= NEARLY_LOST:
        how_much = "all" if gcp == 1 else f"{100 * gcp:.1f} %"
        tells = "nothing" if gcp == 1 else "hardly anything"
        says = (
            f"the release tells {tells} about the quasi-identifiers: {how_much} of their "
            "information is lost. "
        )
        yield Lint(name="everything-lost", says=says + remedy, measured=gcp)
    elif facts.measures["classes"] == 1:
        says = (
            "all rows of the release are in one class, so the quasi-identifiers tell nothing "
            "about them. "
        )
        yield Lint(name="one-class", says=says + remedy, measured=gcp)


def _weaker_options(method: Method) -> str:
    """Return the options that would weaken the guarantee."""
    guard = method.guard
    wider = {"t": guard.t, "beta": guard.beta, "enhanced-beta": guard.enhanced_beta,
             "delta": guard.delta, "alpha": guard.alpha}  # fmt: skip
    named = [f"a larger --{name}" for name, bound in wider.items() if bound is not None]
    return ", ".join([*named, "a smaller --k"])


def _kept(facts: Facts) -> Iterator[Lint]:
    kept = facts.kept
    named = list_names(kept.together)
    remedy = (
        "Drop some (--id), make them coarser in a view, or make them quasi-identifiers (--qi); "
        "--max-kept-uniqueness refuses such a release."
    )
    for column in kept.together:
        if kept.by_column[column] >= NEARLY_UNIQUE:
            yield Lint(
                name="kept-column-nearly-unique",
                says=f'the kept column "{column}" is unique for '
                f"{_share(kept.by_column[column])}: it may identify people on its own. "
                f"{remedy}",
                columns=[column],
                measured=kept.by_column[column],
            )
    if kept.uniqueness is not None and kept.uniqueness >= KEPT_UNIQUE:
        if len(kept.together) > 1 or kept.uniqueness < NEARLY_UNIQUE:
            yield Lint(
                name="kept-nearly-unique",
                says=f"the kept columns together are unique for {_share(kept.uniqueness)}: "
                f"whoever knows {named} of a person finds the row. {remedy}",
                columns=list(kept.together),
                measured=kept.uniqueness,
            )
    elif kept.with_quasi is not None and kept.with_quasi >= WITH_QUASI_UNIQUE:
        yield Lint(
            name="kept-with-quasi-nearly-unique",
            says="the kept columns together with the quasi-identifiers are unique for "
            f"{_share(kept.with_quasi)}: whoever knows these and {named} of a person finds "
            f"the row. {remedy}",
            columns=list(kept.together),
            measured=kept.with_quasi,
        )


def _sensitive(facts: Facts) -> Iterator[Lint]:
    kept, sensitive = facts.kept, facts.roles.sensitive
    added = (kept.with_sensitive or 0.0) - (kept.uniqueness or 0.0)
    if added >= NEARLY_UNIQUE:
        yield Lint(
            name="sensitive-nearly-unique",
            says=f"the sensitive {list_names(sensitive)} is released unchanged and, together "
            f"with the kept columns, is unique for {_share(kept.with_sensitive or 0.0)}: "
            "whoever knows it of a person finds the row. Make it coarser in a view "
            "(amounts in steps).",
            columns=list(sensitive),
            measured=kept.with_sensitive,
        )


def _sets(facts: Facts) -> Iterator[Lint]:
    for column in facts.shown_as(*(kind for kind in RECODINGS.values() if kind.lists_values)):
        share = facts.values_per_row.get(column, 0.0)
        if share >= VALUES_SHOWN:
            yield Lint(
                name="sets-show-values",
                says=f'"{column}" has {100 * share:.0f} distinct values per 100 rows, and sets '
                "list each of them: whoever reads the release reads them all. Release "
                f"prefixes (--hierarchy {column}=prefixes:3,2,1), or drop it (--id "
                f"{column}).",
                columns=[column],
                measured=share,
            )


def _small_k(facts: Facts) -> Iterator[Lint]:
    k = facts.method.guard.k
    if facts.method.guard.asks_of_sensitive and k < K_FOR_DIVERSITY:
        yield Lint(
            name="small-k-with-diversity",
            says=f"k is {k}: whoever knows how the classes are formed can sometimes rule out "
            "sensitive values of classes this small, until only one is left. Use --k "
            f"{K_FOR_DIVERSITY} or more.",
            columns=list(facts.roles.sensitive),
            measured=k,
        )


def _means(facts: Facts) -> Iterator[Lint]:
    for recoding in RECODINGS.values():
        columns = facts.shown_as(recoding)
        if not columns or not recoding.solved:
            continue
        yield Lint(
            name=f"{recoding.plural}-can-be-solved",
            says=f"{list_names(columns)} is released as {recoding.plural}: whoever knows all but "
            f"one row of a class (k - 1 of k) {recoding.solved}. Release ranges (--recode "
            "COLUMN=range, with a method that supports them), or choose a k so large that "
            "nobody knows that many rows.",
            columns=columns,
        )
    if facts.left_out:
        yield Lint(
            name="sse-left-out",
            says="SSE, SST and IL are left out: with fewer than 3 classes, or fewer than 3 rows "
            "in each, the original values can be computed from means and SSE. Use --k 3 or "
            "more.",
            warns=False,
        )


def _ends(facts: Facts) -> Iterator[Lint]:
    columns = facts.shown_as(*(kind for kind in RECODINGS.values() if kind.shows_ends))
    if columns:
        yield Lint(
            name="tight-labels",
            says=f"{list_names(columns)} is released as tight ranges: some row of the class has "
            "the lower end as its value, and some the upper. Use a hierarchy (--hierarchy "
            "COLUMN=intervals:10): the ends of its nodes do not depend on the data.",
            columns=columns,
            warns=False,
        )


def _linked(facts: Facts) -> Iterator[Lint]:
    if facts.linked and facts.roles.pseudonymized:
        columns = facts.roles.pseudonymized
        yield Lint(
            name="pseudonyms-linked",
            says=f"the pseudonyms of {list_names(columns)} are the same in every release and "
            "column made with this key: whoever has two of them can join them. Remove "
            "--link-pseudonyms, or use another key for each purpose.",
            columns=list(columns),
            warns=len(columns) > 1,
        )


def _share(share: float) -> str:
    return f"{100 * share:.1f} % of the rows"
