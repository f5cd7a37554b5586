"""How a CSV file is written: the dialect, and how a user says it."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from ppdt_db.errors import RequestError
from ppdt_db.names import fold, nearest

# `delim=;,header=no`, or the same as a map; "sniff" leaves it to DuckDB's sniffer.
# Several texts where files differ: `old.csv:delim=;` is for that file alone.
CsvWish: TypeAlias = str | Mapping[str, object] | Sequence[str] | None

SNIFF = "sniff"
KEYS = ("delim", "quote", "header", "null", "encoding", "types")
ENCODINGS = {
    "utf-8": "utf-8", "utf8": "utf-8", "latin-1": "latin-1", "latin1": "latin-1",
    "iso-8859-1": "latin-1", "utf-16": "utf-16", "utf16": "utf-16",
}  # fmt: skip
WORDS = {"\\t": "\t", "tab": "\t", "none": "", "comma": ",", "semicolon": ";"}
YES_NO = {"yes": True, "true": True, "no": False, "false": False}
# What a type may be made of: a name, or DECIMAL(p,s); lists of them.
TYPE = re.compile(r"[A-Za-z][A-Za-z0-9_ ]*(\(\s*\d+\s*(,\s*\d+\s*)?\))?(\[\])?")
_START = re.compile(rf"(?:^|,)\s*({'|'.join(KEYS)})\s*=")
_FOR_FILE = re.compile(rf"(.+?):((?:{'|'.join(KEYS)})=.*|{SNIFF})", re.DOTALL)
_PAIR = re.compile(
    r'\s*(?:"((?:[^"]|"")*)"|([^:,"]+?))\s*:\s*([^,(]+(?:\([^)]*\))?(?:\[\])?)\s*(?:,|$)'
)


@dataclass(frozen=True, kw_only=True)
class Dialect:
    """One way of writing CSV; by default RFC 4180 in UTF-8."""

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
    def told(self) -> str:
        """The dialect as the option says it."""
        delim = {"\t": "tab"}.get(self.delim, self.delim)
        null = f",null={self.null}" if self.null else ""
        return (
            f"delim={delim},quote={self.quote or 'none'},header={'yes' if self.header else 'no'}"
            f"{null},encoding={self.encoding}"
        )


@dataclass(frozen=True)
class CsvGiven:
    """A source together with what was said of its CSV."""

    name: str
    dialect: Dialect


def with_csv(given: object, csv: CsvWish) -> object:
    """The source with the dialect that it is written in, where one was said."""
    if csv is None:
        return given
    wishes = [csv] if isinstance(csv, str | Mapping) else [*csv]
    of_all: list[Dialect] = []
    of_file: dict[Path, Dialect] = {}
    for wish in wishes:
        found = _FOR_FILE.fullmatch(wish) if isinstance(wish, str) else None
        if found:
            of_file[Path(found.group(1)).absolute()] = as_dialect(found.group(2))
        else:
            of_all.append(as_dialect(wish))
    if len(of_all) > 1:
        raise RequestError("csv: say it once, or for a file alone: FILE:delim=;.")
    if not isinstance(given, str | Path):
        return given
    dialect = of_file.get(Path(given).absolute(), of_all[0] if of_all else None)
    return given if dialect is None else CsvGiven(str(given), dialect)


def unread_faults(csv: CsvWish, kind: str) -> list[str]:
    """Return why a dialect has nothing to say: the one source of a run is no CSV."""
    if csv is None or kind == "csv":
        return []
    return [f"--csv: the source is no CSV file but a {kind}. Leave it out."]


def as_dialect(wish: str | Mapping[str, object]) -> Dialect:
    """The dialect that a text or a map asks for; every fault at once."""
    if isinstance(wish, str):
        if wish.strip().lower() == SNIFF:
            return Dialect(is_given=True, is_sniffed=True)
        wish = _parts(wish)
    # In YAML the word null is no text.
    wish = {"null" if name is None else name: part for name, part in wish.items()}
    faults = [
        f'csv: unknown part "{name}". It takes {", ".join(KEYS)}.{nearest(str(name), KEYS)}'
        for name in wish
        if name not in KEYS
    ]
    delim, quote = (_sign(wish, name, faults) for name in ("delim", "quote"))
    header = wish.get("header", True)
    if not isinstance(header, bool):
        faults += [] if str(header).lower() in YES_NO else ["csv: header is yes or no."]
        header = YES_NO.get(str(header).lower(), True)
    encoding = ENCODINGS.get(str(wish.get("encoding", "utf-8")).lower())
    if encoding is None:
        faults.append(f"csv: encoding is one of {', '.join(dict.fromkeys(ENCODINGS.values()))}.")
    if delim == "" or delim == quote:
        faults.append("csv: delim and quote are two different characters.")
    types, all_text = _types(wish.get("types"), faults)
    if faults:
        raise RequestError(*faults)
    return Dialect(
        delim=delim, quote=quote, header=header, null=str(wish.get("null") or ""),
        encoding=encoding or "utf-8", types=types, all_text=all_text, is_given=True,
    )  # fmt: skip


def _parts(text: str) -> dict[str, object]:
    """`delim=,,quote=",types=a:DATE,b:BIGINT` as a map: a part ends where the next one begins."""
    starts = list(_START.finditer(text))
    if not starts or starts[0].start() != 0:
        raise RequestError(
            f"csv: write it as delim=;,quote=...,header=no,null=NA,encoding=latin-1,types=... "
            f"(any of them), or {SNIFF}."
        )
    ends = [start.start() for start in starts[1:]] + [len(text)]
    parts: dict[str, object] = {}
    for start, end in zip(starts, ends, strict=True):
        if start.group(1) in parts:
            raise RequestError(f"csv: {start.group(1)} is said twice. Say it once.")
        parts[start.group(1)] = text[start.end() : end]
    return parts


def _sign(wish: Mapping[str, object], name: str, faults: list[str]) -> str:
    default = {"delim": ",", "quote": '"'}[name]
    sign = wish.get(name, default)
    sign = WORDS.get(str(sign).lower(), str(sign)) if sign is not None else ""
    if len(sign) > 1 or not sign.isascii() or sign in ("\r", "\n", "\x00"):
        faults.append(f"csv: {name} is one ASCII character (tab for a tab).")
        return default
    return sign


def _types(wish: object, faults: list[str]) -> tuple[dict[str, str], bool]:
    """The types of single columns; `text` for all of them."""
    if wish is None or wish == "":
        return {}, False
    if isinstance(wish, str) and wish.strip().lower() in ("text", "varchar"):
        return {}, True
    found: dict[str, str] = {}
    if isinstance(wish, Mapping):
        found = {str(name): str(kind).strip() for name, kind in wish.items()}
    else:
        text, place = str(wish), 0
        while place < len(text) and (pair := _PAIR.match(text, place)):
            quoted, plain, kind = pair.groups()
            found[plain if quoted is None else quoted.replace('""', '"')] = kind.strip()
            place = pair.end()
        if place < len(text):
            faults.append("csv: types are written as column:TYPE,column:TYPE, or text for all.")
    faults += [
        f'csv: types: "{name}" needs the name of a type, such as VARCHAR or DECIMAL(10,2).'
        for name, kind in found.items()
        if not TYPE.fullmatch(kind)
    ]
    names = [fold(name) for name in found]
    faults += [] if len(set(names)) == len(names) else ["csv: types: a column is named twice."]
    return found, False
