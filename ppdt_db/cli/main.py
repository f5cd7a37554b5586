"""`ppdt` and its commands; exit codes: 0 done, 2 wrong request, 3 no guarantee, 1 anything else."""

import sys
import traceback
from importlib import import_module

import click

from ppdt_db.cli.command import Command, Group
from ppdt_db.engine.duckdb_errors import DEBUG
from ppdt_db.engine.interrupt import ended_by_signals
from ppdt_db.errors import PpdtError
from ppdt_db.version import __version__

# Each command lives in a module of its own, loaded when it is called.
COMMANDS = {
    "anonymize": ("ppdt_db.cli.anonymize", "Anonymize a table, a view or a file, and prove it."),
    "plan": ("ppdt_db.cli.plan", "Estimate time, memory and disk of a run before it starts."),
    "audit": ("ppdt_db.cli.audit", "Measure a table that says it is anonymous."),
    "profile": ("ppdt_db.cli.profile", "Count what a source would tell, and suggest a policy."),
    "apply": ("ppdt_db.cli.apply", "Show new rows as a release would, by its rules."),
    "hierarchy": ("ppdt_db.cli.hierarchy", "Make, check or show a hierarchy of values."),
    "report": ("ppdt_db.cli.report", "Write a page about a release: promised, measured, lost."),
    "learn": ("ppdt_db.cli.learn", "Learn C4.5, ID3, naive Bayes, PART or kADET."),
    "verify": ("ppdt_db.cli.kadet", "Is a tree k-anonymous for a table? For trees of any learner."),
    "predict": ("ppdt_db.cli.learn", "Apply a model that was learnt to a table or a file."),
    "evaluate": ("ppdt_db.cli.evaluate", "Cross-validate a learner; what anonymization costs it."),
    "risk": ("ppdt_db.cli.risk", "Measure what a decision tree tells of the people in it."),
    "releases": ("ppdt_db.cli.releases", "List the releases of a database."),
    "drop": ("ppdt_db.cli.releases", "Remove a release from a database."),
    "migrate": ("ppdt_db.cli.releases", "Bring a database's catalog up to this version."),
    "show": ("ppdt_db.cli.show", "Print the SQL of a step, ready to run."),
    "demo": ("ppdt_db.cli.demo", "Make patients, anonymize them, show before and after."),
    "bench": ("ppdt_db.cli.bench", "Measure speed on data of any size."),
}


RELEASING = ("anonymize", "apply", "demo")


class _Commands(click.Group):
    """Loads a command's module only when it is needed: starting must be quick."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = import_module(COMMANDS[cmd_name][0])
        command = getattr(module, cmd_name)
        assert isinstance(command, Command | Group)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="ppdt")
def ppdt() -> None:
    """Privacy-preserving anonymization, written as SQL, run inside DuckDB or on Spark."""


def main() -> None:
    """Run a command; every error ends in one clear message and its exit code."""
    try:
        with ended_by_signals():
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
        # The text of an unforeseen error may quote a value: name its kind and place only.
        frame = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{frame.filename.rpartition('/')[2]}:{frame.lineno}"
        click.echo(
            f"ppdt: an error of ours, {type(error).__name__} at {place}.{_aftermath()} "
            "PPDT_DEBUG=1 shows all of it; please report it.",
            err=True,
        )
        sys.exit(1)


def _aftermath() -> str:
    """What an error leaves, where the command was to release something."""
    asked = next((word for word in sys.argv[1:] if not word.startswith("-")), "")
    return " Nothing was released." if asked in RELEASING else ""
