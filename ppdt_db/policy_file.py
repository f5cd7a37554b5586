"""Reads a policy file: every field that a job does not know, or cannot take, is a fault."""

from dataclasses import fields
from pathlib import Path

import yaml

from ppdt_db.errors import RequestError
from ppdt_db.job import Job
from ppdt_db.names import nearest
from ppdt_db.policy import raise_all

# How Python spells the annotations of fields that take a list, or a list or one word.
LIST = ("list", "typing.Union[list")


def read_policy(path: Path) -> Job:
    """The job that a policy file describes."""
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
    # Annotations are texts there (see its import from __future__), as they stand in it.
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
    if kind == "CsvWish":
        return value is None or isinstance(value, str | dict | list)
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
        ("CsvWish", "such as delim=;,header=no, or a map of these"),
        ("int | str", "a whole number, or distinct=, entropy= or recursive="),
        ("int", "a whole number"),
        ("float", "a number"),
        *((start, "a list of names") for start in LIST),
        ("dict", "a map from column to value"),
    ):
        if kind.startswith(start):
            return word
    return "text"
