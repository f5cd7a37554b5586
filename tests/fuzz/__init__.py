"""Random and enumerated runs, each judged by plain Python that shares nothing with the package.

    python -m tests.fuzz --seeds 0:5000 --jobs 2

draws a table, roles, a method and a place for every seed, releases it, and counts by itself what
the release tells: `declared` reads what methods take from the methods themselves, `cases` draws,
`refusals` tells which requests are wrong, `brute` counts, `runs` runs and judges.
"""
