"""Quoting, templates, column types and JSON: turns text into statements, executes nothing."""
