"""Naive answers to the same questions, written from the definitions, to compare with."""
