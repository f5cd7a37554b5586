"""Read a policy file; unknown fields and wrong values are faults."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import yaml

from ppdt_db.cli.job import Job
from ppdt_db.errors import RequestError
from ppdt_db.methods import OPTIONS
from ppdt_db.policy.roles import raise_all
from ppdt_db.source.source import files_of
from ppdt_db.sqltext.json_text import TOO_DEEP
from ppdt_db.sqltext.quoting import did_you_mean

MERGE = "tag:yaml.org,2002:merge"
# The annotations of fields that take a list, or a list or one word.
LIST = ("list", "typing.Union[list")


def _duplicate_keys(loader: yaml.SafeLoader, root: yaml.Node) -> list[str]:
    """Return the keys that occur twice in one mapping, anywhere; a merge (`<<`) does not count."""
    duplicates: list[str] = []
    queue, seen = [root], {id(root)}
    while queue:
        node = queue.pop()
        if isinstance(node, yaml.MappingNode):
            keys = [key for key, _ in node.value if key.tag != MERGE]
            counts = Counter(repr(loader.construct_object(key, deep=True)) for key in keys)
            duplicates += [name.strip("'") for name, n_times in counts.items() if n_times > 1]
        below = node.value if isinstance(node, yaml.CollectionNode) else []
        for one in below:
            # An anchored node is visited once.
            new = list(one) if isinstance(one, tuple) else [one]
            queue += [part for part in new if id(part) not in seen]
            seen.update(map(id, new))
    return duplicates


def _read(path: Path) -> dict[str, Any]:
    """Return the fields of a policy file."""
    try:
        loader = yaml.SafeLoader(path.read_text("utf-8"))
        try:
            root = loader.get_single_node()
            twice = _duplicate_keys(loader, root) if root is not None else []
            content = None if root is None else loader.construct_document(root)
        finally:
            loader.dispose()
    except (OSError, UnicodeDecodeError):
        raise RequestError(f"policy {path}: the file cannot be read.") from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = f", line {mark.line + 1}" if mark else ""
        raise RequestError(f"policy {path}{line}: not valid YAML.") from None
    except RecursionError:
        raise RequestError(f"policy {path}: {TOO_DEEP}") from None
    except (ValueError, TypeError):
        # For example 31 February, or a list as a key.
        raise RequestError(f"policy {path}: it contains an invalid YAML value.") from None
    if not isinstance(content, dict):
        raise RequestError(f"policy {path}: write fields as `name: value`.")
    raise_all(
        [
            f'policy {path}: the key "{name}" is given twice in one place. Remove one.'
            for name in dict.fromkeys(twice)
        ]
        + [f"policy {path}: {fault}" for fault in _repeats(content, (), set())]
    )
    return content


def _repeats(value: object, above: tuple[str, ...], seen: set[int]) -> list[str]:
    """Return a fault for every list with duplicates, without quoting them."""
    # An anchored value is visited once.
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
    return [
        f"{' of '.join(reversed(above))} lists {n_twice} items twice. List each once.",
        *inside,
    ]


def read_policy(path: Path) -> Job:
    """Return the job that a policy file describes."""
    content = _read(path)
    # Annotations are text as written there, because of its `from __future__ import annotations`.
    known = {entry.name: str(entry.type) for entry in fields(Job) if entry.name != "options"}
    known |= {name: option.kind for name, option in OPTIONS.items()}
    faults = [
        f'policy {path}: unknown field "{name}".{did_you_mean(str(name), known)}'
        for name in content
        if name not in known
    ]
    faults += [
        f'policy {path}: "{name}" must be {_expected(known[name])}.'
        for name, value in content.items()
        if name in known and not _fits(known[name], value)
    ]
    raise_all(faults)
    options = {name: content.pop(name) for name in OPTIONS if name in content}
    return _relative_to(Job(**content, options=options), path.parent)


# The fields that are local paths. Tables, object store URLs and what Spark reads are not.
PATHS = (
    "db", "db_key_file", "pseudonym_key_file", "out", "certificate", "rules", "tree_out",
    "temp_directory",
)  # fmt: skip


def _relative_to(job: Job, folder: Path) -> Job:
    """Return the job with its paths relative to the folder of its policy."""
    if folder == Path():
        return job
    of_spark = ("db", "out", "temp_directory") if job.engine == "spark" else ()
    moved = _moved({name: getattr(job, name) for name in PATHS if name not in of_spark}, folder)
    files = {
        name: job.options.get(name) for name, o in OPTIONS.items() if o.kind.startswith("path")
    }
    source = job.source
    if source is not None and job.engine != "spark" and _is_file(folder, source):
        source = str(folder / source)
    bins = job.bins
    if bins is not None and _is_file(folder, bins):
        bins = str(folder / bins)
    return replace(
        job,
        **moved,
        bins=bins,
        options={**job.options, **_moved(files, folder)},
        source=source,
        order={
            name: str(folder / order) if isinstance(order, str) else order
            for name, order in job.order.items()
        },
        hierarchy={
            name: str(folder / spec) if isinstance(spec, str) and _is_file(folder, spec) else spec
            for name, spec in job.hierarchy.items()
        },
    )


def _moved(paths: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """Return the local paths among these, relative to a folder."""
    return {
        name: str(folder / place)
        for name, place in paths.items()
        if place is not None and "://" not in place
    }


def _is_file(folder: Path, name: str) -> bool:
    """Return whether a name is a path or a glob of existing files, not a relation."""
    return "://" not in name and bool(files_of(str(folder / name)))


def _fits(kind: str, value: object) -> bool:
    if kind == "CsvOptions":
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
        return kind.startswith(("str", "path", "int | str")) or (value == "rest" and "rest" in kind)
    if isinstance(value, list):
        is_list = kind.startswith(LIST)
        return is_list and all(isinstance(item, str) for item in value)
    return (
        kind.startswith("dict")
        and isinstance(value, dict)
        and all(isinstance(name, str) for name in value)
        and all(isinstance(item, _item_types(kind)) for item in value.values())
    )


def _item_types(kind: str) -> tuple[type, ...]:
    """Return the types that the values of a map may have."""
    if "object" in kind:
        return (str, list, dict)
    return (int, float, str) if "float" in kind else (str, list)


def _expected(kind: str) -> str:
    for start, word in (
        ("bool", "true or false"),
        ("CsvOptions", "such as delim=;,header=no, or a map of these"),
        ("int | str", "a whole number, or distinct=, entropy= or recursive="),
        ("int", "a whole number"),
        ("float", "a number"),
        *((start, "a list of names") for start in LIST),
        ("dict", "a map from column to value"),
    ):
        if kind.startswith(start):
            return word
    return "text"
