"""Reads CSV a second, independent way: counts its records, and finds where a file goes wrong.

The engine parses; this checks it by another grammar: quotes cut a block of bytes into what is
outside and what is inside of values, and outside of them line ends and delimiters are counted. No
value is kept, and none is ever told.
"""

import codecs
import csv
import gzip
import io
import re
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, cast

from ppdt_db.csv_dialect import Dialect
from ppdt_db.errors import RequestError
from ppdt_db.names import fold

BLOCK = 1 << 22
# The engine's own limit for a record.
LONGEST = 2_000_000
OTHER_DELIMS = {";": ";", "\t": "tab", "|": "|"}


class CsvFile:
    """One CSV file in a dialect."""

    def __init__(self, path: Path, dialect: Dialect) -> None:
        self.path = path
        self.dialect = dialect
        self.delim = dialect.delim.encode()
        self.quote = quote = dialect.quote.encode()
        # Outside of values, a quote has the end of a value, or another quote, at either side.
        sides = re.escape(self.delim + quote)
        pattern = b"%b(?:(?=[^\r\n%b])|(?<=[^\n%b]%b))" % (re.escape(quote), sides, sides,
                                                           re.escape(quote))  # fmt: skip
        self._stray = re.compile(pattern if quote else b"(?!)")

    def header(self) -> tuple[str, ...]:
        """The names of the columns: the first record, or column0, column1, ... without a header."""
        record = b""
        for line in self._lines():
            record += line
            if not self.quote or record.count(self.quote) % 2 == 0:
                break
        if not record.strip(b"\r\n"):
            raise self._error(1, 1, "here the names of the columns are missing")
        # A column without a name is called as the engine would call it.
        values = self._values(record) if self.dialect.header else [""] * len(self._values(record))
        names = tuple(value or f"column{place}" for place, value in enumerate(values))
        self._check_names(names, with_crlf=record.endswith(b"\r\n"))
        return names

    def count(self, n_columns: int) -> int:
        """The number of records beside the header; raises where the file is not whole."""
        tally = [0, 0, 0, 0]
        odd = 0
        block = b"\n"
        for block in self.blocks():
            text, after = self._outside(block, odd)
            if self._stray.search(text):
                raise self.fault(n_columns)
            returns = text.count(b"\r\n")
            if text.count(b"\r") != returns:
                raise self.fault(n_columns)
            found = text.count(b"\n"), returns, _n_blank(text), text.count(self.delim)
            tally = [before + more for before, more in zip(tally, found, strict=True)]
            odd = after
        n_lines, n_returns, n_blank, n_delims = tally
        if odd or n_returns not in (0, n_lines):
            raise self.fault(n_columns)
        n_records = n_lines + (not block.endswith(b"\n"))
        if n_columns > 1:
            n_records -= n_blank
        if n_delims != n_records * (n_columns - 1):
            raise self.fault(n_columns)
        return n_records - self.dialect.header

    def fault(self, n_columns: int) -> RequestError:
        """The first place where the file does not parse, as line and column."""
        ends = b""
        odd = begun = n_delims = size = 0
        for number, line in enumerate(self._lines(), 1):
            text, after = self._outside(line, odd)
            bare = line.removesuffix(b"\n").removesuffix(b"\r")
            end = line[len(bare) :]
            if not odd:
                n_delims = size = 0
            n_delims += text.count(self.delim)
            size += len(line)
            place, what = len(bare), ""
            if self._stray.search(text):
                place, what = self._stray_place(line, odd)
            elif size > LONGEST:
                what = f"a record is longer than {LONGEST:,} bytes"
            elif text.count(b"\r") > (end == b"\r\n" and not after):
                place = self._lone_return(line, odd)
                what = "a carriage return without a line feed"
            elif not after and ends and end and ends != end:
                what = "this line ends in another way (LF or CRLF) than those before it"
            elif not after and n_delims != n_columns - 1 and (bare or odd or n_columns == 1):
                what = f"{_values(n_delims + 1)}, where the first line has {n_columns}"
            if what:
                return self._error(number, self._column(line, place), what)
            if after and (not odd or line.count(self.quote) > 1):
                begun = number
                column = self._column(line, line.rfind(self.quote))
            ends = ends or (b"" if after else end)
            odd = after
        if odd:
            return self._error(begun, column, "a quoted value begins here and does not end")
        return RequestError(
            f"{self.path.name}: two ways of reading it as {self.dialect.told} disagree. Does it "
            "change while it is read?"
        )

    # -- pieces ----------------------------------------------------------------------------------

    def _outside(self, block: bytes, odd: int) -> tuple[bytes, int]:
        """What is outside of quotes, a quote in the place of each value; is one open at the end."""
        if not self.quote or not (odd or self.quote in block):
            return block, 0
        parts = block.split(self.quote)
        after = (odd + len(parts) - 1) & 1
        return self.quote * odd + self.quote.join(parts[odd::2]) + self.quote * after, after

    def _stray_place(self, line: bytes, odd: int) -> tuple[int, str]:
        """Where in a line a quote stands in the wrong place."""
        state = "inside" if odd else "start"
        for place in range(len(line)):
            sign = line[place : place + 1]
            if state == "inside":
                state = "closed" if sign == self.quote else state
            elif sign == self.quote:
                if state == "plain":
                    return place, "a quote inside a value that does not begin with one"
                state = "inside"
            elif sign == self.delim or sign in b"\r\n":
                state = "start"
            elif state == "closed":
                return place, "a value goes on after its closing quote"
            else:
                state = "plain"
        return len(line), "a quote in the wrong place"

    def _lone_return(self, line: bytes, odd: int) -> int:
        """Where a carriage return stands outside of quotes, and no line feed follows."""
        start = 0
        for place, part in enumerate(line.split(self.quote) if self.quote else [line]):
            if place % 2 == odd and (found := re.search(rb"\r(?!\n)", part)):
                return start + found.start()
            start += len(part) + 1
        return len(line)

    def _values(self, record: bytes) -> Sequence[str]:
        """The values of the first record."""
        text = record.decode(self._codec)
        if not self.quote:
            return text.rstrip("\r\n").split(self.dialect.delim)
        lines = io.StringIO(text, newline="")
        reader = csv.reader(lines, delimiter=self.dialect.delim, quotechar=self.dialect.quote)
        try:
            return next(reader)
        except csv.Error:
            raise self.fault(0) from None

    def _check_names(self, names: Sequence[str], *, with_crlf: bool) -> None:
        seen: dict[str, int] = {}
        for place, name in enumerate(names, 1):
            # The engine finds no row under such a name.
            if "\r" in name or (with_crlf and "\n" in name):
                raise self._error(1, 1, f"the name of column {place} holds a line end")
            first = seen.setdefault(fold(name), place)
            if first != place:
                raise self._error(
                    1, 1, f"columns {first} and {place} have one name (letters of either case are "
                    "the same)",
                )  # fmt: skip
        for sign, word in OTHER_DELIMS.items():
            if len(names) == 1 and sign in names[0] and not self.dialect.is_given:
                raise self._error(
                    1, 1, "one column only, and its name holds what may stand between values "
                    f"(--csv delim={word})",
                )  # fmt: skip

    def _column(self, line: bytes, place: int) -> int:
        return len(line[:place].decode(self._codec, "replace")) + 1

    def _error(self, line: int, column: int, what: str) -> RequestError:
        return RequestError(
            f"{self.path.name}, line {line}, column {column}: {what}. It was read as "
            f"{self.dialect.told}. Mend the file, or say how it is written with --csv (--csv sniff "
            "shows a guess)."
        )

    # -- bytes -----------------------------------------------------------------------------------

    @property
    def _codec(self) -> str:
        """The encoding of the bytes that are looked at: UTF-16 was turned into UTF-8."""
        return "utf-8" if self.dialect.encoding == "utf-16" else self.dialect.encoding

    def blocks(self) -> Iterator[bytes]:
        """The file in blocks that end with a line; what is no text in its encoding is a fault."""
        n_lines = 0
        with self._opened() as file:
            # A mark of the byte order is no part of the first name.
            block = file.read(BLOCK).removeprefix(codecs.BOM_UTF8)
            while block:
                if not block.endswith(b"\n"):
                    block += file.readline(LONGEST + 1)
                start = self._not_text(block)
                if start is not None:
                    before = block[:start]
                    line = before[before.rfind(b"\n") + 1 :]
                    raise self._error(
                        n_lines + before.count(b"\n") + 1, self._column(line, len(line)),
                        f"a byte that does not belong into {self.dialect.encoding} text"
                        + (" (--csv encoding=latin-1?)" if self._codec == "utf-8" else ""),
                    )  # fmt: skip
                yield block
                n_lines += block.count(b"\n")
                block = file.read(BLOCK)

    def _not_text(self, block: bytes) -> int | None:
        """Where a block is no text."""
        try:
            block.decode(self._codec)
        except UnicodeDecodeError as error:
            # A line that was cut for its length is told as such, not as broken text.
            return None if error.end == len(block) > LONGEST else error.start
        place = block.find(b"\0")
        return None if place < 0 else place

    def _lines(self) -> Iterator[bytes]:
        rest = b""
        for block in self.blocks():
            *whole, rest = (rest + block).split(b"\n")
            yield from (line + b"\n" for line in whole)
        if rest:
            yield rest

    @contextmanager
    def _opened(self) -> Iterator[IO[bytes]]:
        """The bytes of a file, unpacked, and in UTF-8 where they were UTF-16."""
        with ExitStack() as stack:
            try:
                file: IO[bytes] = stack.enter_context(self.path.open("rb"))
                if fold(self.path.name).endswith(".gz"):
                    file = cast("IO[bytes]", gzip.GzipFile(fileobj=file))
                if self.dialect.encoding == "utf-16":
                    file = cast("IO[bytes]", codecs.EncodedFile(file, "utf-8", "utf-16"))
                yield file
            except (OSError, EOFError, UnicodeError) as error:
                raise RequestError(
                    f"{self.path.name}: it cannot be read as {self.dialect.told} "
                    f"({type(error).__name__})."
                ) from None


def _values(count: int) -> str:
    return "1 value" if count == 1 else f"{count} values"


def _n_blank(text: bytes) -> int:
    """The lines without anything; a text begins with a line, or with a quote."""
    n_blank = int(text.startswith((b"\n", b"\r\n")))
    if b"\n\n" in text or b"\n\r" in text:
        n_blank += len(re.findall(rb"\n(?=\r?\n)", text))
    return n_blank


def encoding_of(path: Path) -> str:
    """The encoding that the bytes of a file can be in: UTF-16 by its mark, UTF-8, else Latin-1."""
    with path.open("rb") as file:
        start = file.read(2)
    if start in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        return "utf-16"
    scan = CsvFile(path, Dialect())
    try:
        for _ in scan.blocks():
            pass
    except RequestError:
        return "latin-1"
    return "utf-8"


def read_lines(path: Path) -> list[str]:
    """The values of a file with one a line, such as an order: UTF-8, LF or CRLF, no empty lines."""
    lines: list[str] = []
    for number, line in enumerate(path.read_bytes().removeprefix(codecs.BOM_UTF8).split(b"\n"), 1):
        try:
            value = line.removesuffix(b"\r").decode("utf-8")
        except UnicodeDecodeError:
            raise ValueError(f"line {number} is not UTF-8") from None
        if "\r" in value or "\0" in value:
            raise ValueError(f"line {number} holds a carriage return or a NUL")
        lines += [value] if value else []
    return lines


def differing(first: Sequence[str], names: Sequence[str]) -> str:
    """How the columns of one file differ from those of another."""
    missing = [name for name in first if name not in names]
    extra = [name for name in names if name not in first]
    told = [f"it lacks {', '.join(missing)}"] if missing else []
    told += [f"it has {', '.join(extra)} besides"] if extra else []
    return "; ".join(told or ["they stand in another order"])
