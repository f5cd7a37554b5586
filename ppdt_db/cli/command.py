"""The base of all commands: repeated options add up or are refused, and --quiet works everywhere.

click keeps the last value of a repeated option. Here lists and terms add up, equal values count
once, and different values are a fault.
"""

from collections.abc import Mapping, MutableMapping, Sequence
from typing import Protocol, cast, runtime_checkable

import click

from ppdt_db.errors import RequestError

QUIET = "ppdt.quiet"


@runtime_checkable
class Adding(Protocol):
    """A parameter type whose values add up when its option is repeated."""

    def together(self, values: Sequence[str], param: click.Parameter, ctx: click.Context) -> object:
        """Return the combined value."""
        ...


@runtime_checkable
class Clashing(Protocol):
    """A parameter type of repeatable options whose values may contradict each other."""

    def clashes(
        self, values: Sequence[str], param: click.Parameter, ctx: click.Context
    ) -> list[str]:
        """Return a fault for every contradiction."""
        ...


class Parser(Protocol):
    """The part of click's parser interface that is used here."""

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
        """Return one value for each name; raise all contradictions at once."""
        ...


class Gathering:
    """A parser that collects all values of an option before combining them."""

    KEPT: Mapping[str | None, str] = {
        None: "append", "store": "append", "store_const": "append_const",
    }  # fmt: skip

    def __init__(self, parser: Parser, ctx: click.Context) -> None:
        self._parser, self._ctx = parser, ctx
        self._gathered: dict[str, list[click.Option]] = {}
        self._repeated: list[click.Option] = []
        for param in ctx.command.get_params(ctx):
            if isinstance(param, click.Option):
                # This replaces the option that click has already added.
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
        """Return one value for each name; raise all contradictions at once."""
        by_name, rest, order = self._parser.parse_args(args=args)
        faults: list[str] = []
        for option in self._repeated:
            values = by_name.get(option.name or "")
            if isinstance(option.type, Clashing) and isinstance(values, list):
                faults += option.type.clashes(values, option, self._ctx)
        for name, options in self._gathered.items():
            if name in by_name:
                by_name[name] = self._one(by_name[name], options, faults)
        if faults and not self._ctx.resilient_parsing:
            raise RequestError(*faults)
        return by_name, rest, order

    def _one(self, collected: object, options: Sequence[click.Option], faults: list[str]) -> object:
        """Return the combined value of an option."""
        values = cast("list[str]", collected)
        kind = options[0].type
        if isinstance(kind, Adding):
            return kind.together(values, options[0], self._ctx)
        if any(value != values[0] for value in values):
            words = [word for one in options for word in (*one.opts[-1:], *one.secondary_opts)]
            faults.append(
                f"{words[0]}: given {len(values)} times with different values. Give it once."
                if len(words) == 1
                else f"{', '.join(words)}: more than one of them is given. Give only one."
            )
        return values[-1]


def _hush(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    if value:
        ctx.meta[QUIET] = True


class PpdtCommand(click.Command):
    """A command with --quiet and checked repetition of options."""

    def __init__(
        self,
        name: str | None,
        *,
        params: list[click.Parameter] | None = None,
        **more: object,
    ) -> None:
        quiet = click.Option(
            ["--quiet"], is_flag=True, expose_value=False, callback=_hush,
            help="Print no progress and no success messages, only results and warnings.",
        )  # fmt: skip
        super().__init__(name, params=[*(params or []), quiet], **more)  # type: ignore[arg-type]

    def make_parser(self, ctx: click.Context) -> Parser:  # type: ignore[override]
        """Return a parser that keeps what is given twice."""
        return Gathering(cast("Parser", super().make_parser(ctx)), ctx)


class Group(click.Group):
    """A group of such commands."""

    command_class = PpdtCommand


def is_quiet() -> bool:
    """Return whether --quiet was given to the running command."""
    ctx = click.get_current_context(silent=True)
    return ctx is not None and QUIET in ctx.meta


def tell(text: str, *, err: bool = False) -> None:
    """Print a message of success, unless --quiet was given."""
    if not is_quiet():
        click.echo(text, err=err)
