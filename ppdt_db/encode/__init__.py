"""Encode values as codes, and rows as cells: the input of every method."""
