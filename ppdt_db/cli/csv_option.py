"""The option that says how the CSV files of a command are written."""

import click

csv_option = click.option(
    "--csv",
    multiple=True,
    callback=lambda _context, _option, given: list(given) or None,
    help="How CSV is written: delim=;,quote=...,header=no,null=NA,encoding=latin-1,"
    "types=zip:VARCHAR (any of them), or sniff; FILE:delim=; for one file alone. Default: RFC 4180 "
    "in UTF-8.",
)
