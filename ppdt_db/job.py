"""A job: one run as a policy file or the command line asks for it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Literal

import yaml

from ppdt_db.engine import Limits
from ppdt_db.errors import RequestError
from ppdt_db.guard import parse_l
from ppdt_db.methods import METHODS, Method, parameters_of
from ppdt_db.names import nearest
from ppdt_db.policy import Attribute, raise_all
from ppdt_db.tree import Tree
from ppdt_db.tree_file import read_tree


@dataclass(frozen=True, kw_only=True)
class Job:
    """Everything that a policy file may say, under the names of the Python interface."""

    source: str | None = None
    engine: str | None = None
    db: str | None = None
    quasi: list[str] = field(default_factory=list)
    sensitive: list[str] = field(default_factory=list)
    target: str | None = None
    identifiers: list[str] = field(default_factory=list)
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
        """The job with what the command line says on top."""
        return replace(self, **{name: value for name, value in given.items() if value is not None})  # type: ignore[arg-type]

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
            return [line for line in Path(order).read_text("utf-8").splitlines() if line]
        except (OSError, UnicodeDecodeError):
            raise RequestError(f'order "{name}": the file {order} cannot be read.') from None

    def make_method(self) -> Method:
        """The method with its parameters."""
        if self.method not in METHODS:
            raise RequestError(
                f"method {self.method}: choose one of {', '.join(METHODS)}."
                f"{nearest(self.method, METHODS)}"
            )
        wishes: dict[str, object] = {
            **{name: getattr(self, name) for name in OF_METHODS},
            **parse_l(str(self.l)),
            "tree": self._tree(),
            "weight": self._weights() or None,
        }
        wishes = {name: wish for name, wish in wishes.items() if wish is not None}
        taken = parameters_of(self.method)
        raise_all(
            [
                f"--{name.replace('_', '-')} says nothing to method {self.method}. Leave it out."
                for name in wishes
                if name not in taken
            ]
        )
        return METHODS[self.method](**wishes)  # type: ignore[arg-type]

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
        try:
            return read_tree(Path(self.tree).read_text("utf-8"))
        except (OSError, UnicodeDecodeError):
            raise RequestError(f"--tree {self.tree}: the file cannot be read.") from None

    def limits(self) -> Limits:
        """What the run may use of the machine."""
        return Limits(
            threads=self.threads,
            memory_limit=self.memory_limit,
            temp_directory=Path(self.temp_directory) if self.temp_directory else None,
            encrypt_temp=self.encrypt_temp,
            key_file=Path(self.db_key_file) if self.db_key_file else None,
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


# What a method may take beside k and l: what is given and it does not take is a fault.
OF_METHODS = (
    "k", "t", "alpha", "beta", "enhanced_beta", "delta", "relaxed", "criterion", "min_rows",
    "refine", "plain", "tiered", "scale", "gamma", "gain", "part_rows", "mode",
)  # fmt: skip

# How Python spells the annotations of fields that take a list, or a list or one word.
LIST = ("list", "typing.Union[list")


def read_policy(path: Path) -> Job:
    """Read a policy file; every field that it does not know is a fault."""
    try:
        content = yaml.safe_load(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError):
        raise RequestError(f"policy {path}: the file cannot be read.") from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = f", line {mark.line + 1}" if mark else ""
        raise RequestError(f"policy {path}{line}: this is not YAML.") from None
    if not isinstance(content, dict):
        raise RequestError(f"policy {path}: write fields as `name: value`.")
    # Annotations are texts here (see the import from __future__), as they stand above.
    known = {entry.name: str(entry.type) for entry in fields(Job)}
    faults = [
        f'policy {path}: unknown field "{name}".{nearest(str(name), known)}'
        for name in content
        if name not in known
    ]
    faults += [
        f'policy {path}: "{name}" must be {_wanted(known[name])}.'
        for name, value in content.items()
        if name in known and not _fits(known[name], value)
    ]
    raise_all(faults)
    return Job(**content)


def _fits(kind: str, value: object) -> bool:
    if value is None:
        return "None" in kind
    if isinstance(value, bool):
        return kind.startswith("bool")
    if isinstance(value, int):
        return kind.startswith(("int", "float"))
    if isinstance(value, float):
        return kind.startswith("float")
    if isinstance(value, str):
        return kind.startswith(("str", "int | str")) or (value == "rest" and "rest" in kind)
    if isinstance(value, list):
        is_list = kind.startswith(LIST)
        return is_list and all(isinstance(item, str) for item in value)
    return (
        kind.startswith("dict")
        and isinstance(value, dict)
        and all(isinstance(name, str) for name in value)
        and all(isinstance(wish, _held(kind)) for wish in value.values())
    )


def _held(kind: str) -> tuple[type, ...]:
    """What the values of a map may be."""
    if "object" in kind:
        return (str, list, dict)
    return (int, float, str) if "float" in kind else (str, list)


def _wanted(kind: str) -> str:
    for start, word in (
        ("bool", "true or false"),
        ("int | str", "a whole number, or distinct=, entropy= or recursive="),
        ("int", "a whole number"),
        ("float", "a number"),
        *((start, "a list of names") for start in LIST),
        ("dict", "a map from column to value"),
    ):
        if kind.startswith(start):
            return word
    return "text"
