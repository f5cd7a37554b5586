"""How every command reads its options: none that is given twice is lost, and --quiet is known.

click keeps the last of what is said twice. Here lists and terms add up, the same word twice is one,
and two different words for one thing are a fault.
"""

from collections.abc import Mapping, MutableMapping, Sequence
from typing import Protocol, cast, runtime_checkable

import click

from ppdt_db.errors import RequestError

QUIET = "ppdt.quiet"


@runtime_checkable
class Adding(Protocol):
    """A type whose values add up when its option is repeated."""

    def together(self, values: Sequence[str], param: click.Parameter, ctx: click.Context) -> object:
        """Return the value that all of them make."""
        ...


@runtime_checkable
class Clashing(Protocol):
    """A type of options that may be repeated, of which two may contradict each other."""

    def clashes(
        self, values: Sequence[str], param: click.Parameter, ctx: click.Context
    ) -> list[str]:
        """Return what is said twice, and differently."""
        ...


class Parser(Protocol):
    """What click asks of a parser."""

    def add_option(
        self,
        obj: click.Option,
        opts: Sequence[str],
        dest: str | None,
        action: str | None = None,
        nargs: int = 1,
        const: object = None,
    ) -> None:
        """Add an option."""
        ...

    def parse_args(
        self, args: list[str]
    ) -> tuple[MutableMapping[str, object], list[str], list[click.Parameter]]:
        """Return the values by name, what is left over, and the order."""
        ...


class Gathering:
    """A parser of click's that keeps all values of an option until it is clear what they make."""

    KEPT: Mapping[str | None, str] = {
        None: "append", "store": "append", "store_const": "append_const",
    }  # fmt: skip

    def __init__(self, parser: Parser, ctx: click.Context) -> None:
        self._parser, self._ctx = parser, ctx
        self._gathered: dict[str, list[click.Option]] = {}
        self._repeated: list[click.Option] = []
        for param in ctx.command.get_params(ctx):
            if isinstance(param, click.Option):
                # It takes the place of the one that click has added already.
                param.add_to_parser(self, ctx)  # type: ignore[arg-type]

    def __getattr__(self, name: str) -> object:
        return getattr(self._parser, name)

    def add_option(
        self,
        obj: click.Option,
        opts: Sequence[str],
        dest: str | None,
        action: str | None = None,
        nargs: int = 1,
        const: object = None,
    ) -> None:
        """Add an option whose values are all kept."""
        if action in self.KEPT and dest is not None:
            self._gathered.setdefault(dest, []).append(obj)
        else:
            self._repeated.append(obj)
        self._parser.add_option(
            obj=obj, opts=opts, dest=dest, action=self.KEPT.get(action, action), nargs=nargs,
            const=const,
        )  # fmt: skip

    def parse_args(
        self, args: list[str]
    ) -> tuple[MutableMapping[str, object], list[str], list[click.Parameter]]:
        """Return one value for each name; all contradictions are one fault."""
        found, rest, order = self._parser.parse_args(args=args)
        faults: list[str] = []
        for option in self._repeated:
            values = found.get(option.name or "")
            if isinstance(option.type, Clashing) and isinstance(values, list):
                faults += option.type.clashes(values, option, self._ctx)
        for name, options in self._gathered.items():
            if name in found:
                found[name] = self._one(found[name], options, faults)
        if faults and not self._ctx.resilient_parsing:
            raise RequestError(*faults)
        return found, rest, order

    def _one(self, given: object, options: Sequence[click.Option], faults: list[str]) -> object:
        """Return what all values of an option make."""
        values = cast("list[str]", given)
        kind = options[0].type
        if isinstance(kind, Adding):
            return kind.together(values, options[0], self._ctx)
        if any(value != values[0] for value in values):
            words = [word for one in options for word in (*one.opts[-1:], *one.secondary_opts)]
            faults.append(
                f"{words[0]}: given {len(values)} times with different values. Give it once."
                if len(words) == 1
                else f"{', '.join(words)}: more than one of them is given. Give one."
            )
        return values[-1]


def _hush(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    if value:
        ctx.meta[QUIET] = True


class Command(click.Command):
    """A command of ours."""

    def __init__(
        self,
        name: str | None,
        *,
        params: list[click.Parameter] | None = None,
        **more: object,
    ) -> None:
        quiet = click.Option(
            ["--quiet"], is_flag=True, expose_value=False, callback=_hush,
            help="No progress, no word of success: only what was asked for, and warnings.",
        )  # fmt: skip
        super().__init__(name, params=[*(params or []), quiet], **more)  # type: ignore[arg-type]

    def make_parser(self, ctx: click.Context) -> Parser:  # type: ignore[override]
        """Return a parser that keeps what is given twice."""
        return Gathering(cast("Parser", super().make_parser(ctx)), ctx)


class Group(click.Group):
    """A group of commands of ours."""

    command_class = Command


def is_quiet() -> bool:
    """Tell if the command that runs was given --quiet."""
    ctx = click.get_current_context(silent=True)
    return ctx is not None and QUIET in ctx.meta


def tell(text: str, *, err: bool = False) -> None:
    """Say that something is done, unless --quiet was given."""
    if not is_quiet():
        click.echo(text, err=err)
