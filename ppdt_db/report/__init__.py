"""The HTML report about a release, for people."""
