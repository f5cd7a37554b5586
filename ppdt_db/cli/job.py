"""A job: one run as a policy file or the command line asks for it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal, TypedDict

from ppdt_db.csv_bytes import read_lines
from ppdt_db.csv_dialect import CsvWish
from ppdt_db.engine import Limits, named
from ppdt_db.errors import RequestError
from ppdt_db.methods import METHODS, Method, known_method, parameters_of
from ppdt_db.names import nearest
from ppdt_db.policy import Attribute, raise_all
from ppdt_db.tree import Tree
from ppdt_db.tree_file import read_from, read_tree


class Asked(TypedDict):
    """The roles of the columns and the method, under the names of the Python interface."""

    quasi: list[Attribute]
    identifiers: list[str] | Literal["rest"]
    sensitive: list[str | Attribute]
    target: str | None
    entity: str | None
    pseudonymize: list[str]
    keep: list[str] | Literal["rest"]
    method: Method


@dataclass(frozen=True, kw_only=True)
class Job:
    """Everything that a policy file may say, under the names of the Python interface."""

    source: str | None = None
    csv: CsvWish = None
    engine: str | None = None
    db: str | None = None
    quasi: list[str] = field(default_factory=list)
    sensitive: list[str] = field(default_factory=list)
    target: str | None = None
    identifiers: list[str] | Literal["rest"] = field(default_factory=list)
    entity: str | None = None
    pseudonymize: list[str] = field(default_factory=list)
    pseudonym_key_file: str | None = None
    link_pseudonyms: bool = False
    keep: list[str] | Literal["rest"] = field(default_factory=list)
    method: str = "mondrian"
    k: int = 10
    l: int | str = 1  # noqa: E741
    t: float | None = None
    alpha: float | None = None
    beta: float | None = None
    enhanced_beta: float | None = None
    delta: float | None = None
    relaxed: bool | None = None
    criterion: str | None = None
    tree: str | None = None
    min_rows: int | None = None
    refine: bool | None = None
    plain: bool | None = None
    tiered: bool | None = None
    scale: str | None = None
    gamma: float | None = None
    weight: dict[str, float | str] = field(default_factory=dict)
    gain: float | None = None
    part_rows: int | None = None
    mode: str | None = None
    recode: dict[str, str] = field(default_factory=dict)
    order: dict[str, str | list[str]] = field(default_factory=dict)
    hierarchy: dict[str, object] = field(default_factory=dict)
    into: str | None = None
    out: str | None = None
    live: bool = False
    max_kept_uniqueness: float | None = None
    max_loss: float | None = None
    accept: list[str] = field(default_factory=list)
    replace: bool = False
    certificate: str | None = None
    rules: str | None = None
    seed: int | None = None
    threads: int | None = None
    memory_limit: str | None = None
    temp_directory: str | None = None
    encrypt_temp: bool = False
    db_key_file: str | None = None

    def with_options(self, given: Mapping[str, object]) -> Job:
        """Return the job with what the command line says on top; lists and maps add up.

        Otherwise `--id a` would take the identifiers of a policy file out, and with `keep: rest`
        they would be released.
        """
        said = {name: value for name, value in given.items() if value is not None}
        return replace(self, **{name: self._with(name, value) for name, value in said.items()})  # type: ignore[arg-type]

    def _with(self, name: str, value: object) -> object:
        own = getattr(self, name)
        if name == "identifiers" and own == "rest":
            return own
        if isinstance(own, list) and isinstance(value, list):
            return [*own, *(one for one in value if one not in own)]
        if isinstance(own, dict) and isinstance(value, dict):
            return {**own, **value}
        return value

    def asked(self) -> Asked:
        """What a run and its plan are both asked: `anonymize(con, source, **job.asked(), ...)`."""
        return Asked(
            quasi=self.attributes(),
            identifiers=self.identifiers,
            sensitive=self.secrets(),
            target=self.target,
            entity=self.entity,
            pseudonymize=self.pseudonymize,
            keep=self.keep,
            method=self.make_method(),
        )

    def attributes(self) -> list[Attribute]:
        """The quasi-identifiers with their wishes."""
        faults = [
            f'{wish} "{name}": it is not a quasi-identifier of this run.{nearest(name, self.quasi)}'
            for wish, names in self._wishes.items()
            for name in names
            if name not in [*self.quasi, *(self.sensitive if wish == "hierarchy" else [])]
        ]
        raise_all(faults)
        return [
            Attribute(
                name,
                self.recode.get(name),  # type: ignore[arg-type]
                self._order(name),
                self.hierarchy.get(name),  # type: ignore[arg-type]
            )
            for name in self.quasi
        ]

    def secrets(self) -> list[str | Attribute]:
        """The sensitive columns with their hierarchies."""
        return [
            Attribute(name, hierarchy=self.hierarchy[name])  # type: ignore[arg-type]
            if name in self.hierarchy
            else name
            for name in self.sensitive
        ]

    @property
    def _wishes(self) -> Mapping[str, Mapping[str, object]]:
        """What is wished for single quasi-identifiers."""
        return {"recode": self.recode, "order": self.order, "hierarchy": self.hierarchy}

    def _order(self, name: str) -> list[str] | None:
        order = self.order.get(name)
        if order is None or isinstance(order, list):
            return order
        try:
            return read_lines(Path(order))
        except (OSError, ValueError) as error:
            why = f" ({error})" if type(error) is ValueError else ""
            raise RequestError(f'order "{name}": the file {order} cannot be read{why}.') from None

    def make_method(self) -> Method:
        """The method with its parameters."""
        name = known_method(self.method)
        wishes: dict[str, object] = {
            **{name: getattr(self, name) for name in OF_METHODS},
            **diversity_of(str(self.l)),
            "tree": self._tree(),
            "weight": self._weights() or None,
        }
        wishes = {name: wish for name, wish in wishes.items() if wish is not None}
        taken = parameters_of(name)
        raise_all(
            [
                f"--{name.replace('_', '-')} says nothing to method {self.method}. Leave it out."
                for name in wishes
                if name not in taken
            ]
        )
        return METHODS[name](**wishes)  # type: ignore[arg-type]

    def _weights(self) -> dict[str, float]:
        """How much attributes count; the command line gives text, a policy file numbers."""
        weights: dict[str, float] = {}
        faults: list[str] = []
        for name, text in self.weight.items():
            try:
                weights[name] = float(text)
            except ValueError:
                faults.append(f'weight "{name}": write a number, such as {name}=2.')
        raise_all(faults)
        return weights

    def _tree(self) -> Tree | None:
        if self.tree is None:
            return None
        return read_from(Path(self.tree), read_tree)

    def limits(self) -> Limits:
        """What the run may use of the machine."""
        return Limits(
            threads=self.threads,
            memory_limit=self.memory_limit,
            temp_directory=named("--temp-directory", self.temp_directory),
            encrypt_temp=self.encrypt_temp,
            key_file=named("--db-key-file", self.db_key_file),
        )

    def pseudonym_key(self) -> str | None:
        """The key of the pseudonyms, from its file or from the environment."""
        return read_key(self.pseudonym_key_file)


def read_key(path: str | None) -> str | None:
    """The key of the pseudonyms, from a file or from the environment."""
    if path is None:
        return os.environ.get("PPDT_PSEUDONYM_KEY")
    try:
        key = Path(path).read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError):
        raise RequestError(f"the pseudonym key file {path} cannot be read.") from None
    if not key:
        raise RequestError(f"the pseudonym key file {path} is empty.")
    return key


def diversity_of(text: str) -> dict[str, object]:
    """Read `2`, `distinct=2`, `entropy=1.5`, `recursive=2:3`, or several with commas."""
    found: dict[str, object] = {}
    for part in text.split(","):
        name, sign, value = part.strip().rpartition("=")
        name = name if sign else "distinct"
        taken = {"distinct": "l"}.get(name, name)
        if taken in found:
            raise RequestError(f"--l: {name} is given twice. Give it once.")
        try:
            if name == "distinct":
                found["l"] = int(value)
            elif name == "entropy":
                found["entropy"] = float(value)
            elif name == "recursive":
                c, level = value.split(":")
                found["recursive"] = (float(c), int(level))
            else:
                raise ValueError
        except ValueError:
            raise RequestError(
                "--l: write 2, distinct=2, entropy=1.5 or recursive=C:L (such as recursive=2:3)."
            ) from None
    return found


# What a method may take beside k and l: what is given and it does not take is a fault.
OF_METHODS = (
    "k", "t", "alpha", "beta", "enhanced_beta", "delta", "relaxed", "criterion", "min_rows",
    "refine", "plain", "tiered", "scale", "gamma", "gain", "part_rows", "mode",
)  # fmt: skip
