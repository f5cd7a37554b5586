"""`ppdt` and its commands. Exit codes: 0 done, 2 wrong request, 3 no guarantee, 1 other error."""

import sys
import traceback
from importlib import import_module

import click

from ppdt_db.cli.command import Group, PpdtCommand
from ppdt_db.errors import DEBUG, PpdtError
from ppdt_db.version import __version__

# Each command lives in a module of its own, loaded when it is called.
COMMANDS = {
    "anonymize": ("ppdt_db.cli.anonymize", "Anonymize a table, a view or a file, and prove it."),
    "plan": ("ppdt_db.cli.plan", "Estimate time, memory and disk of a run before it starts."),
    "audit": ("ppdt_db.cli.audit", "Measure a table that claims to be anonymous."),
    "profile": ("ppdt_db.cli.profile", "Profile a source, and suggest a policy."),
    "apply": ("ppdt_db.cli.apply", "Generalize new rows by the rules of a release."),
    "hierarchy": ("ppdt_db.cli.hierarchy", "Build, check or show a hierarchy of values."),
    "report": ("ppdt_db.cli.report", "Write an HTML report about a release."),
    "learn": ("ppdt_db.cli.learn", "Learn C4.5, ID3, naive Bayes, PART or kADET."),
    "distribution": (
        "ppdt_db.cli.distribution",
        "Count values for ID3 on sets; none with fewer than k rows.",
    ),
    "verify": ("ppdt_db.cli.kadet", "Check whether a tree is k-anonymous for a table."),
    "predict": ("ppdt_db.cli.learn", "Apply a learned model to a table or a file."),
    "evaluate": (
        "ppdt_db.cli.evaluate",
        "Cross-validate learners; measure the cost of anonymization.",
    ),
    "risk": ("ppdt_db.cli.risk", "Measure what a decision tree discloses about people."),
    "releases": ("ppdt_db.cli.releases", "List the releases of a database."),
    "drop": ("ppdt_db.cli.releases", "Remove a release from a database."),
    "migrate": ("ppdt_db.cli.releases", "Upgrade a database's catalog to this version."),
    "show": ("ppdt_db.cli.show", "Print the SQL of a step, ready to run."),
    "demo": ("ppdt_db.cli.demo", "Anonymize made-up patients, show before and after."),
    "bench": ("ppdt_db.cli.bench.command", "Measure speed on data of any size."),
}


RELEASING = ("anonymize", "apply", "demo")


class _Commands(click.Group):
    """A group that imports a command's module only when needed, for a quick start."""

    def invoke(self, ctx: click.Context) -> object:
        # Help and the version need no database, whose driver takes longer to load than both.
        from ppdt_db.engine.interrupt import ended_by_signals

        with ended_by_signals():
            return super().invoke(ctx)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = import_module(COMMANDS[cmd_name][0])
        command = getattr(module, cmd_name)
        assert isinstance(command, PpdtCommand | Group)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="ppdt")
def ppdt() -> None:
    """Privacy-preserving anonymization, written as SQL, run inside DuckDB or on Spark."""


def main() -> None:
    """Run a command; every error ends in a clear message and its exit code."""
    try:
        ppdt.main(standalone_mode=False)
    except PpdtError as error:
        for line in str(error).splitlines():
            click.echo(f"ppdt: {line}", err=True)
        if DEBUG:
            traceback.print_exc()
        sys.exit(error.exit_code)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (KeyboardInterrupt, click.Abort):
        click.echo(f"ppdt: interrupted.{_aftermath()}", err=True)
        sys.exit(1)
    except BrokenPipeError:
        sys.exit(1)
    except Exception as error:
        if DEBUG:
            raise
        # The text of an unexpected error may quote a value: show only its type and place.
        frame = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{frame.filename.rpartition('/')[2]}:{frame.lineno}"
        click.echo(
            f"ppdt: internal error ({type(error).__name__} at {place}).{_aftermath()} "
            "Set PPDT_DEBUG=1 for details, and please report it.",
            err=True,
        )
        sys.exit(1)


def _aftermath() -> str:
    """Return what an error means for a release, if the command was to make one."""
    command = next((word for word in sys.argv[1:] if not word.startswith("-")), "")
    return " Nothing was released." if command in RELEASING else ""
