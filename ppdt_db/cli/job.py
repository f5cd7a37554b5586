"""The settings of a run, from a policy file and the command line."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Literal, TypedDict

from ppdt_db.engine import Limits, named
from ppdt_db.errors import RequestError
from ppdt_db.methods import METHODS, OPTIONS, Method, known_method
from ppdt_db.policy.roles import Attribute, raise_all
from ppdt_db.source.csv.bytes import read_lines
from ppdt_db.source.csv.dialect import CsvOptions
from ppdt_db.sqltext.quoting import did_you_mean
from ppdt_db.tree.tree import Tree
from ppdt_db.tree.tree_json import read_from, read_tree


class RunArguments(TypedDict):
    """The roles of the columns and the method, under their names in the Python API."""

    quasi: list[Attribute]
    identifiers: list[str] | Literal["rest"]
    sensitive: list[str | Attribute]
    target: str | None
    entity: str | None
    pseudonymize: list[str]
    keep: list[str] | Literal["rest"]
    bins: str | None
    method: Method


@dataclass(frozen=True, kw_only=True)
class Job:
    """All settings of a policy file, under their names in the Python API."""

    source: str | None = None
    csv: CsvOptions = None
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
    options: Mapping[str, object] = field(default_factory=dict)
    """The options of the method, each under its own name in a policy file."""
    recode: dict[str, str] = field(default_factory=dict)
    order: dict[str, str | list[str]] = field(default_factory=dict)
    hierarchy: dict[str, object] = field(default_factory=dict)
    bins: str | None = None
    into: str | None = None
    out: str | None = None
    live: bool = False
    max_kept_uniqueness: float | None = None
    max_loss: float | None = None
    accept: list[str] = field(default_factory=list)
    replace: bool = False
    certificate: str | None = None
    rules: str | None = None
    tree_out: str | None = None
    seed: int | None = None
    threads: int | None = None
    memory_limit: str | None = None
    temp_directory: str | None = None
    encrypt_temp: bool = False
    db_key_file: str | None = None

    def with_options(self, options: Mapping[str, object]) -> Job:
        """Return the job with the command line's options on top; lists and maps add up.

        Otherwise `--id a` would replace the identifiers of a policy file, and with `keep: rest`
        they would be released.
        """
        given = {name: value for name, value in options.items() if value is not None}
        new = {name: self._with(name, value) for name, value in given.items()}
        of_method = {**self.options, **{name: new.pop(name) for name in OPTIONS if name in new}}
        return replace(self, options=of_method, **new)  # type: ignore[arg-type]

    def _with(self, name: str, value: object) -> object:
        own = self.options.get(name) if name in OPTIONS else getattr(self, name)
        if name == "identifiers" and own == "rest":
            return own
        if isinstance(own, list) and isinstance(value, list):
            return [*own, *(one for one in value if one not in own)]
        if isinstance(own, dict) and isinstance(value, dict):
            return {**own, **value}
        return value

    def run_arguments(self) -> RunArguments:
        """Return the arguments that `anonymize()` and `plan()` share."""
        return RunArguments(
            quasi=self.attributes(),
            identifiers=self.identifiers,
            sensitive=self.sensitive_attributes(),
            target=self.target,
            entity=self.entity,
            pseudonymize=self.pseudonymize,
            keep=self.keep,
            bins=self.bins,
            method=self.make_method(),
        )

    def attributes(self) -> list[Attribute]:
        """Return the quasi-identifiers with their options."""
        faults = [
            f'{option} "{name}": not a quasi-identifier.{did_you_mean(name, self.quasi)}'
            for option, names in self._column_options.items()
            for name in names
            if name not in [*self.quasi, *(self.sensitive if option == "hierarchy" else [])]
        ]
        raise_all(faults)
        return [
            Attribute(
                name,
                _recoding(self.recode.get(name)),  # type: ignore[arg-type]
                self._order(name),
                self.hierarchy.get(name),  # type: ignore[arg-type]
                _rule(self.recode.get(name)),
            )
            for name in self.quasi
        ]

    def sensitive_attributes(self) -> list[str | Attribute]:
        """Return the sensitive columns with their hierarchies."""
        return [
            Attribute(name, hierarchy=self.hierarchy[name])  # type: ignore[arg-type]
            if name in self.hierarchy
            else name
            for name in self.sensitive
        ]

    @property
    def _column_options(self) -> Mapping[str, Mapping[str, object]]:
        """The options of single quasi-identifiers."""
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
        """Return the method with its parameters."""
        name = known_method(self.method)
        options: dict[str, object] = {
            **{option: self.options.get(option) for option in OPTIONS if option != "l"},
            **diversity_of(str(self.options.get("l", 1))),
            "tree": self._tree(),
            "weight": self._weights() or None,
        }
        options = {name: value for name, value in options.items() if value is not None}
        parameters = [parameter.name for parameter in fields(METHODS[name])]
        raise_all(
            [
                f"--{name.replace('_', '-')} does not apply to method {self.method}; remove it."
                for name in options
                if name not in parameters
            ]
        )
        return METHODS[name](**options)  # type: ignore[arg-type]

    def _weights(self) -> dict[str, float]:
        """Return the weights of attributes; the command line gives text, a policy file numbers."""
        given = self.options.get("weight")
        assert given is None or isinstance(given, dict)
        weights: dict[str, float] = {}
        faults: list[str] = []
        for name, text in (given or {}).items():
            try:
                weights[name] = float(text)
            except ValueError:
                faults.append(f'weight "{name}": write a number, such as {name}=2.')
        raise_all(faults)
        return weights

    def _tree(self) -> Tree | None:
        path = self.options.get("tree")
        return None if path is None else read_from(Path(str(path)), read_tree)

    def limits(self) -> Limits:
        """Return the resource limits of the run."""
        return Limits(
            threads=self.threads,
            memory_limit=self.memory_limit,
            temp_directory=named("--temp-directory", self.temp_directory),
            encrypt_temp=self.encrypt_temp,
            key_file=named("--db-key-file", self.db_key_file),
        )

    def pseudonym_key(self) -> str | None:
        """Return the pseudonym key, from its file or from the environment."""
        return read_key(self.pseudonym_key_file)


def _recoding(text: str | None) -> str | None:
    """Return the name of a recoding, without a rule for bins."""
    return "bins" if text is not None and text.startswith("bins:") else text


def _rule(text: str | None) -> str | None:
    """Return the rule for bins in a recoding such as `bins:quantiles:4`."""
    return text.removeprefix("bins:") if text is not None and text.startswith("bins:") else None


def read_key(path: str | None) -> str | None:
    """Return the pseudonym key, from a file or from the environment."""
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
    """Parse `2`, `distinct=2`, `entropy=1.5`, `recursive=2:3`, or several with commas."""
    parameters: dict[str, object] = {}
    for part in text.split(","):
        name, sign, value = part.strip().rpartition("=")
        name = name if sign else "distinct"
        parameter = {"distinct": "l"}.get(name, name)
        if parameter in parameters:
            raise RequestError(f"--l: {name} is given twice. Give it once.")
        try:
            if name == "distinct":
                parameters["l"] = int(value)
            elif name == "entropy":
                parameters["entropy"] = float(value)
            elif name == "recursive":
                c, level = value.split(":")
                parameters["recursive"] = (float(c), int(level))
            else:
                raise ValueError
        except ValueError:
            raise RequestError(
                "--l: write 2, distinct=2, entropy=1.5 or recursive=C:L (such as recursive=2:3)."
            ) from None
    return parameters
