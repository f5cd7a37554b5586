"""The bytes of a CSV file, decoded and split into lines."""

import codecs
import gzip
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, cast

from ppdt_db.errors import RequestError
from ppdt_db.source.csv.dialect import Dialect
from ppdt_db.sqltext.quoting import normalize_name

BLOCK = 1 << 22
# The engine's own limit for a record.
LONGEST = 2_000_000


class CsvBytes:
    """A file in a dialect, read in blocks that end with a line."""

    def __init__(self, path: Path, dialect: Dialect) -> None:
        self.path = path
        self.dialect = dialect

    def column_of(self, line: bytes, place: int) -> int:
        """Return the column of a position in a line, in characters."""
        return len(line[:place].decode(self.codec, "replace")) + 1

    def error(self, line: int, column: int, what: str) -> RequestError:
        """Return an error for a position in the file, without any value."""
        return RequestError(
            f"{self.path.name}, line {line}, column {column}: {what}. It was read as "
            f"{self.dialect.as_option}. Fix the file, or give its dialect with --csv (--csv sniff "
            "detects one)."
        )

    @property
    def codec(self) -> str:
        """The encoding of the bytes in memory: UTF-16 is converted to UTF-8."""
        return "utf-8" if self.dialect.encoding == "utf-16" else self.dialect.encoding

    def blocks(self) -> Iterator[bytes]:
        """Yield the file in blocks that end with a line; raise for invalid text."""
        n_lines = 0
        with self._opened() as file:
            # A byte order mark is not part of the first column name.
            block = file.read(BLOCK).removeprefix(codecs.BOM_UTF8)
            while block:
                if not block.endswith(b"\n"):
                    block += file.readline(LONGEST + 1)
                start = self._not_text(block)
                if start is not None:
                    before = block[:start]
                    line = before[before.rfind(b"\n") + 1 :]
                    raise self.error(
                        n_lines + before.count(b"\n") + 1, self.column_of(line, len(line)),
                        f"a byte that is not valid in {self.dialect.encoding}"
                        + (" (--csv encoding=latin-1?)" if self.codec == "utf-8" else ""),
                    )  # fmt: skip
                yield block
                n_lines += block.count(b"\n")
                block = file.read(BLOCK)

    def _not_text(self, block: bytes) -> int | None:
        """Return the position of the first byte that is not text."""
        try:
            block.decode(self.codec)
        except UnicodeDecodeError as error:
            # A line cut for its length is reported as such, not as invalid text.
            return None if error.end == len(block) > LONGEST else error.start
        place = block.find(b"\0")
        return None if place < 0 else place

    def lines(self) -> Iterator[bytes]:
        """Yield the lines of the file with their line ends."""
        rest = b""
        for block in self.blocks():
            *whole, rest = (rest + block).split(b"\n")
            yield from (line + b"\n" for line in whole)
        if rest:
            yield rest

    @contextmanager
    def _opened(self) -> Iterator[IO[bytes]]:
        """Yield the bytes of a file, decompressed, and with UTF-16 converted to UTF-8."""
        with ExitStack() as stack:
            try:
                file: IO[bytes] = stack.enter_context(self.path.open("rb"))
                if normalize_name(self.path.name).endswith(".gz"):
                    file = cast("IO[bytes]", gzip.GzipFile(fileobj=file))
                if self.dialect.encoding == "utf-16":
                    file = cast("IO[bytes]", codecs.EncodedFile(file, "utf-8", "utf-16"))
                yield file
            except (OSError, EOFError, UnicodeError) as error:
                raise RequestError(
                    f"{self.path.name}: it cannot be read as {self.dialect.as_option} "
                    f"({type(error).__name__})."
                ) from None


def encoding_of(path: Path) -> str:
    """Return the encoding of a file: UTF-16 by its byte order mark, UTF-8, else Latin-1."""
    with path.open("rb") as file:
        start = file.read(2)
    if start in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        return "utf-16"
    scan = CsvBytes(path, Dialect())
    try:
        for _ in scan.blocks():
            pass
    except RequestError:
        return "latin-1"
    return "utf-8"


def read_lines(path: Path) -> list[str]:
    """Return the values of a file with one per line, such as an order: UTF-8, LF or CRLF."""
    lines: list[str] = []
    for number, line in enumerate(path.read_bytes().removeprefix(codecs.BOM_UTF8).split(b"\n"), 1):
        try:
            value = line.removesuffix(b"\r").decode("utf-8")
        except UnicodeDecodeError:
            raise ValueError(f"line {number} is not UTF-8") from None
        if "\r" in value or "\0" in value:
            raise ValueError(f"line {number} contains a carriage return or NUL")
        lines += [value] if value else []
    return lines
