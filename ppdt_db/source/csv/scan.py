"""Reads CSV a second, independent way: counts its records, and finds where a file goes wrong.

The engine parses; this checks it by another grammar: quotes cut a block of bytes into what is
outside and what is inside of values, and outside of them line ends and delimiters are counted. No
value is kept, and none is ever told.
"""

import csv
import io
import re
from collections.abc import Sequence
from pathlib import Path

from ppdt_db.csv_bytes import LONGEST, CsvBytes
from ppdt_db.csv_dialect import Dialect
from ppdt_db.errors import RequestError
from ppdt_db.names import fold

OTHER_DELIMS = {";": ";", "\t": "tab", "|": "|"}


class CsvFile(CsvBytes):
    """One CSV file in a dialect."""

    def __init__(self, path: Path, dialect: Dialect) -> None:
        super().__init__(path, dialect)
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
        for line in self.lines():
            record += line
            if not self.quote or record.count(self.quote) % 2 == 0:
                break
        if not record.strip(b"\r\n"):
            raise self.error(1, 1, "here the names of the columns are missing")
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
        for number, line in enumerate(self.lines(), 1):
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
                return self.error(number, self.column_of(line, place), what)
            if after and (not odd or line.count(self.quote) > 1):
                begun = number
                column = self.column_of(line, line.rfind(self.quote))
            ends = ends or (b"" if after else end)
            odd = after
        if odd:
            return self.error(begun, column, "a quoted value begins here and does not end")
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
        text = record.decode(self.codec)
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
                raise self.error(1, 1, f"the name of column {place} holds a line end")
            first = seen.setdefault(fold(name), place)
            if first != place:
                raise self.error(
                    1, 1, f"columns {first} and {place} have one name (letters of either case are "
                    "the same)",
                )  # fmt: skip
        for sign, word in OTHER_DELIMS.items():
            if len(names) == 1 and sign in names[0] and not self.dialect.is_given:
                raise self.error(
                    1, 1, "one column only, and its name holds what may stand between values "
                    f"(--csv delim={word})",
                )  # fmt: skip


def _values(count: int) -> str:
    return "1 value" if count == 1 else f"{count} values"


def _n_blank(text: bytes) -> int:
    """The lines without anything; a text begins with a line, or with a quote."""
    n_blank = int(text.startswith((b"\n", b"\r\n")))
    if b"\n\n" in text or b"\n\r" in text:
        n_blank += len(re.findall(rb"\n(?=\r?\n)", text))
    return n_blank
