"""Reads a policy file: every field that a job does not know, or cannot take, is a fault."""

from collections import Counter
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import yaml

from ppdt_db.errors import RequestError
from ppdt_db.job import Job
from ppdt_db.json_text import TOO_DEEP
from ppdt_db.names import nearest
from ppdt_db.policy import raise_all
from ppdt_db.source import files_of

MERGE = "tag:yaml.org,2002:merge"
# How Python spells the annotations of fields that take a list, or a list or one word.
LIST = ("list", "typing.Union[list")


def _twice(loader: yaml.SafeLoader, root: yaml.Node) -> list[str]:
    """Return the keys that stand twice in one mapping, anywhere; a merge (`<<`) is none."""
    found: list[str] = []
    waiting, seen = [root], {id(root)}
    while waiting:
        node = waiting.pop()
        if isinstance(node, yaml.MappingNode):
            keys = [key for key, _ in node.value if key.tag != MERGE]
            said = Counter(repr(loader.construct_object(key, deep=True)) for key in keys)
            found += [name.strip("'") for name, n_times in said.items() if n_times > 1]
        below = node.value if isinstance(node, yaml.CollectionNode) else []
        for one in below:
            # What an anchor names more than once is looked at once.
            new = list(one) if isinstance(one, tuple) else [one]
            waiting += [part for part in new if id(part) not in seen]
            seen.update(map(id, new))
    return found


def _read(path: Path) -> dict[str, Any]:
    """Return the fields of a policy file."""
    try:
        loader = yaml.SafeLoader(path.read_text("utf-8"))
        try:
            root = loader.get_single_node()
            twice = _twice(loader, root) if root is not None else []
            content = None if root is None else loader.construct_document(root)
        finally:
            loader.dispose()
    except (OSError, UnicodeDecodeError):
        raise RequestError(f"policy {path}: the file cannot be read.") from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = f", line {mark.line + 1}" if mark else ""
        raise RequestError(f"policy {path}{line}: this is not YAML.") from None
    except RecursionError:
        raise RequestError(f"policy {path}: {TOO_DEEP}") from None
    except (ValueError, TypeError):
        # A date of the 31st of February, a list as the name of a field.
        raise RequestError(f"policy {path}: a value in it is none that YAML knows.") from None
    if not isinstance(content, dict):
        raise RequestError(f"policy {path}: write fields as `name: value`.")
    raise_all(
        [
            f'policy {path}: "{name}" stands twice in one place. Leave one of them.'
            for name in dict.fromkeys(twice)
        ]
        + [f"policy {path}: {fault}" for fault in _repeats(content, (), set())]
    )
    return content


def _repeats(value: object, above: tuple[str, ...], seen: set[int]) -> list[str]:
    """Return the lists that name something twice, without what they name."""
    # What an anchor names more than once is looked at once.
    if id(value) in seen:
        return []
    seen.add(id(value))
    if isinstance(value, dict):
        return [
            fault
            for name, one in value.items()
            for fault in _repeats(one, (*above, f'"{name}"'), seen)
        ]
    if not isinstance(value, list):
        return []
    counts = Counter(repr(one) for one in value if not isinstance(one, dict | list))
    n_twice = sum(n_times > 1 for n_times in counts.values())
    inside = [fault for one in value for fault in _repeats(one, above, seen)]
    if not n_twice:
        return inside
    return [f"{' of '.join(reversed(above))} names {n_twice} twice. Name each once.", *inside]


def read_policy(path: Path) -> Job:
    """The job that a policy file describes."""
    content = _read(path)
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
    return _from_there(Job(**content), path.parent)


# What a job names by a path. Tables, addresses of a store and what Spark reads are none.
PATHS = (
    "db", "db_key_file", "pseudonym_key_file", "tree", "out", "certificate", "rules",
    "temp_directory",
)  # fmt: skip


def _from_there(job: Job, folder: Path) -> Job:
    """Return the job with its paths seen from the folder of its policy."""
    if folder == Path():
        return job
    of_spark = ("db", "out", "temp_directory") if job.engine == "spark" else ()
    given = {name: getattr(job, name) for name in PATHS if name not in of_spark}
    moved: dict[str, Any] = {
        name: str(folder / place)
        for name, place in given.items()
        if place is not None and "://" not in place
    }
    source = job.source
    if source is not None and job.engine != "spark" and _is_file(folder, source):
        source = str(folder / source)
    return replace(
        job,
        **moved,
        source=source,
        order={
            name: str(folder / order) if isinstance(order, str) else order
            for name, order in job.order.items()
        },
        hierarchy={
            name: str(folder / wish) if isinstance(wish, str) and _is_file(folder, wish) else wish
            for name, wish in job.hierarchy.items()
        },
    )


def _is_file(folder: Path, name: str) -> bool:
    """Tell a path or a glob from the name of a relation, by what is there."""
    return "://" not in name and bool(files_of(str(folder / name)))


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
