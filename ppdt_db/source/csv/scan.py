"""Count the records of CSV independently of the engine, and locate the errors in a file.

The engine parses; this checks it in another way: quotes split a block of bytes into text outside
and inside of values, and line ends and delimiters are counted outside of them. Values are neither
kept nor shown.
"""

import csv
import io
import re
from collections.abc import Sequence
from pathlib import Path

from ppdt_db.errors import RequestError
from ppdt_db.source.csv.bytes import LONGEST, CsvBytes
from ppdt_db.source.csv.dialect import Dialect
from ppdt_db.sqltext.quoting import normalize_name

OTHER_DELIMS = {";": ";", "\t": "tab", "|": "|"}


class CsvFile(CsvBytes):
    """One CSV file in a dialect."""

    def __init__(self, path: Path, dialect: Dialect) -> None:
        super().__init__(path, dialect)
        self.delim = dialect.delim.encode()
        self.quote = quote = dialect.quote.encode()
        # Outside of values, a quote must be next to a delimiter, a line end, or another quote.
        sides = re.escape(self.delim + quote)
        pattern = b"%b(?:(?=[^\r\n%b])|(?<=[^\n%b]%b))" % (re.escape(quote), sides, sides,
                                                           re.escape(quote))  # fmt: skip
        self._stray = re.compile(pattern if quote else b"(?!)")

    def header(self) -> tuple[str, ...]:
        """Return the column names: the first record, or column0, column1, ... without a header."""
        record = b""
        for line in self.lines():
            record += line
            if not self.quote or record.count(self.quote) % 2 == 0:
                break
        if not record.strip(b"\r\n"):
            raise self.error(1, 1, "the column names are missing")
        # A column without a name gets the name that the engine would give it.
        values = self._values(record) if self.dialect.header else [""] * len(self._values(record))
        names = tuple(value or f"column{place}" for place, value in enumerate(values))
        self._check_names(names, with_crlf=record.endswith(b"\r\n"))
        return names

    def count(self, n_columns: int) -> int:
        """Return the number of records without the header; raise if the file is broken."""
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
        """Return the first place where the file does not parse, as line and column."""
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
                what = "the line ending (LF or CRLF) differs from the previous lines"
            elif not after and n_delims != n_columns - 1 and (bare or odd or n_columns == 1):
                what = f"{_values(n_delims + 1)} instead of {n_columns} as in the first line"
            if what:
                return self.error(number, self.column_of(line, place), what)
            if after and (not odd or line.count(self.quote) > 1):
                begun = number
                column = self.column_of(line, line.rfind(self.quote))
            ends = ends or (b"" if after else end)
            odd = after
        if odd:
            return self.error(begun, column, "a quoted value begins here and never ends")
        return RequestError(
            f"{self.path.name}: two ways of reading it as {self.dialect.as_option} disagree. Check "
            "that it does not change during the run."
        )

    # -- pieces ----------------------------------------------------------------------------------

    def _outside(self, block: bytes, odd: int) -> tuple[bytes, int]:
        """Return the text outside of quotes with a quote per value, and 1 if one stays open."""
        if not self.quote or not (odd or self.quote in block):
            return block, 0
        parts = block.split(self.quote)
        after = (odd + len(parts) - 1) & 1
        return self.quote * odd + self.quote.join(parts[odd::2]) + self.quote * after, after

    def _stray_place(self, line: bytes, odd: int) -> tuple[int, str]:
        """Return the position of a misplaced quote in a line, and what is wrong with it."""
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
                return place, "a value continues after its closing quote"
            else:
                state = "plain"
        return len(line), "a quote in the wrong place"

    def _lone_return(self, line: bytes, odd: int) -> int:
        """Return the position of a carriage return outside of quotes without a line feed."""
        start = 0
        for place, part in enumerate(line.split(self.quote) if self.quote else [line]):
            if place % 2 == odd and (found := re.search(rb"\r(?!\n)", part)):
                return start + found.start()
            start += len(part) + 1
        return len(line)

    def _values(self, record: bytes) -> Sequence[str]:
        """Return the values of the first record."""
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
            # The engine finds no rows under such a name.
            if "\r" in name or (with_crlf and "\n" in name):
                raise self.error(1, 1, f"the name of column {place} contains a line break")
            first = seen.setdefault(normalize_name(name), place)
            if first != place:
                raise self.error(
                    1, 1, f"columns {first} and {place} have the same name (upper and lower case "
                    "are equal)",
                )  # fmt: skip
        for sign, word in OTHER_DELIMS.items():
            if len(names) == 1 and sign in names[0] and not self.dialect.is_given:
                raise self.error(
                    1, 1, "there is only one column, and its name contains what may be the "
                    f"delimiter (--csv delim={word})",
                )  # fmt: skip


def _values(count: int) -> str:
    return "1 value" if count == 1 else f"{count} values"


def _n_blank(text: bytes) -> int:
    """Return the number of blank lines; a text begins at the start of a line, or with a quote."""
    n_blank = int(text.startswith((b"\n", b"\r\n")))
    if b"\n\n" in text or b"\n\r" in text:
        n_blank += len(re.findall(rb"\n(?=\r?\n)", text))
    return n_blank
