"""The dialect of a CSV file, and its notation in --csv."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from ppdt_db.errors import RequestError
from ppdt_db.sqltext.quoting import did_you_mean, normalize_name

# `delim=;,header=no`, or the same as a map; "sniff" leaves it to DuckDB's sniffer.
# Several texts if files differ: `old.csv:delim=;` is for that file alone.
CsvOptions: TypeAlias = str | Mapping[str, object] | Sequence[str] | None

SNIFF = "sniff"
KEYS = ("delim", "quote", "header", "null", "encoding", "types")
ENCODINGS = {
    "utf-8": "utf-8", "utf8": "utf-8", "latin-1": "latin-1", "latin1": "latin-1",
    "iso-8859-1": "latin-1", "utf-16": "utf-16", "utf16": "utf-16",
}  # fmt: skip
WORDS = {"\\t": "\t", "tab": "\t", "none": "", "comma": ",", "semicolon": ";"}
YES_NO = {"yes": True, "true": True, "no": False, "false": False}
# A type name, or DECIMAL(p,s), or a list of either.
TYPE = re.compile(r"[A-Za-z][A-Za-z0-9_ ]*(\(\s*\d+\s*(,\s*\d+\s*)?\))?(\[\])?")
_START = re.compile(rf"(?:^|,)\s*({'|'.join(KEYS)})\s*=")
_FOR_FILE = re.compile(rf"(.+?):((?:{'|'.join(KEYS)})=.*|{SNIFF})", re.DOTALL)
_PAIR = re.compile(
    r'\s*(?:"((?:[^"]|"")*)"|([^:,"]+?))\s*:\s*([^,(]+(?:\([^)]*\))?(?:\[\])?)\s*(?:,|$)'
)


@dataclass(frozen=True, kw_only=True)
class Dialect:
    """A CSV dialect; by default RFC 4180 in UTF-8."""

    delim: str = ","
    quote: str = '"'
    header: bool = True
    null: str = ""
    encoding: str = "utf-8"
    types: Mapping[str, str] = field(default_factory=dict)
    all_text: bool = False
    is_given: bool = False
    is_sniffed: bool = False

    @property
    def as_option(self) -> str:
        """The dialect in the notation of --csv."""
        delim = {"\t": "tab"}.get(self.delim, self.delim)
        null = f",null={self.null}" if self.null else ""
        return (
            f"delim={delim},quote={self.quote or 'none'},header={'yes' if self.header else 'no'}"
            f"{null},encoding={self.encoding}"
        )


@dataclass(frozen=True)
class CsvSource:
    """A CSV source with its dialect."""

    name: str
    dialect: Dialect


def with_csv(given: object, csv: CsvOptions) -> object:
    """Return the source together with its dialect, if one was given for it."""
    if csv is None:
        return given
    options = [csv] if isinstance(csv, str | Mapping) else [*csv]
    defaults: list[Dialect] = []
    per_file: dict[Path, Dialect] = {}
    for option in options:
        match = _FOR_FILE.fullmatch(option) if isinstance(option, str) else None
        if match:
            per_file[Path(match.group(1)).absolute()] = as_dialect(match.group(2))
        else:
            defaults.append(as_dialect(option))
    if len(defaults) > 1:
        raise RequestError(
            "--csv: given more than once for all files. Give it once, or per file as FILE:delim=;."
        )
    if not isinstance(given, str | Path):
        return given
    dialect = per_file.get(Path(given).absolute(), defaults[0] if defaults else None)
    return given if dialect is None else CsvSource(str(given), dialect)


def unread_faults(csv: CsvOptions, kind: str) -> list[str]:
    """Return a fault if a dialect was given for a source that is not CSV."""
    if csv is None or kind == "csv":
        return []
    return [f"--csv: the source is not CSV but {kind}. Remove it."]


def as_dialect(options: str | Mapping[str, object]) -> Dialect:
    """Return the dialect described by a text or a map; raise with every fault at once."""
    if isinstance(options, str):
        if options.strip().lower() == SNIFF:
            return Dialect(is_given=True, is_sniffed=True)
        options = _parts(options)
    # In YAML the key null is None, not text.
    options = {"null" if name is None else name: part for name, part in options.items()}
    faults = [
        f'--csv: unknown key "{name}". Use {", ".join(KEYS)}.{did_you_mean(str(name), KEYS)}'
        for name in options
        if name not in KEYS
    ]
    delim, quote = (_sign(options, name, faults) for name in ("delim", "quote"))
    header = options.get("header", True)
    if not isinstance(header, bool):
        faults += [] if str(header).lower() in YES_NO else ["--csv: header must be yes or no."]
        header = YES_NO.get(str(header).lower(), True)
    encoding = ENCODINGS.get(str(options.get("encoding", "utf-8")).lower())
    if encoding is None:
        faults.append(
            f"--csv: encoding must be one of {', '.join(dict.fromkeys(ENCODINGS.values()))}."
        )
    if delim == "" or delim == quote:
        faults.append("--csv: delim and quote must be two different characters.")
    types, all_text = _types(options.get("types"), faults)
    if faults:
        raise RequestError(*faults)
    return Dialect(
        delim=delim, quote=quote, header=header, null=str(options.get("null") or ""),
        encoding=encoding or "utf-8", types=types, all_text=all_text, is_given=True,
    )  # fmt: skip


def _parts(text: str) -> dict[str, object]:
    """Split `delim=,,quote=",types=a:DATE,b:BIGINT` into a map; each part ends where one begins."""
    starts = list(_START.finditer(text))
    if not starts or starts[0].start() != 0:
        raise RequestError(
            f"--csv: write delim=;,quote=...,header=no,null=NA,encoding=latin-1,types=... "
            f"(any of these), or {SNIFF}."
        )
    ends = [start.start() for start in starts[1:]] + [len(text)]
    parts: dict[str, object] = {}
    for start, end in zip(starts, ends, strict=True):
        if start.group(1) in parts:
            raise RequestError(f"--csv: {start.group(1)} is given twice. Give it once.")
        parts[start.group(1)] = text[start.end() : end]
    return parts


def _sign(options: Mapping[str, object], name: str, faults: list[str]) -> str:
    default = {"delim": ",", "quote": '"'}[name]
    sign = options.get(name, default)
    sign = WORDS.get(str(sign).lower(), str(sign)) if sign is not None else ""
    if len(sign) > 1 or not sign.isascii() or sign in ("\r", "\n", "\x00"):
        faults.append(f"--csv: {name} must be one ASCII character (or the word tab).")
        return default
    return sign


def _types(types: object, faults: list[str]) -> tuple[dict[str, str], bool]:
    """Return the types of single columns, and whether all columns are text."""
    if types is None or types == "":
        return {}, False
    if isinstance(types, str) and types.strip().lower() in ("text", "varchar"):
        return {}, True
    by_name: dict[str, str] = {}
    if isinstance(types, Mapping):
        by_name = {str(name): str(kind).strip() for name, kind in types.items()}
    else:
        text, place = str(types), 0
        while place < len(text) and (pair := _PAIR.match(text, place)):
            quoted, plain, kind = pair.groups()
            by_name[plain if quoted is None else quoted.replace('""', '"')] = kind.strip()
            place = pair.end()
        if place < len(text):
            faults.append("--csv: write types as column:TYPE,column:TYPE, or text for all columns.")
    faults += [
        f'--csv: types: "{name}" needs a type name, such as VARCHAR or DECIMAL(10,2).'
        for name, kind in by_name.items()
        if not TYPE.fullmatch(kind)
    ]
    names = [normalize_name(name) for name in by_name]
    faults += (
        []
        if len(set(names)) == len(names)
        else ["--csv: types: a column is named twice. Name it once."]
    )
    return by_name, False
