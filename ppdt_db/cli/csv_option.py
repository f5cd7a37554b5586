"""The --csv option."""

import click

csv_option = click.option(
    "--csv",
    multiple=True,
    callback=lambda _context, _option, given: list(given) or None,
    help="CSV dialect: delim=;,quote=...,header=no,null=NA,encoding=latin-1,"
    "types=zip:VARCHAR (any of these), or sniff; FILE:delim=; for one file. Default: RFC 4180 "
    "in UTF-8.",
)
