"""Experiments of papers, one module each: their figures beside ours."""
