"""Estimate the time, memory and disk space of a run beforehand."""
