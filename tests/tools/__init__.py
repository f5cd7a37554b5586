"""Tools for developers: they report, and tests hold them to what they report."""
