"""The charts of a report that need only the recorded counts: sizes, risks, losses."""

from collections.abc import Mapping, Sequence

from ppdt_db.report.page import Bar, Chart

N_BINS = 12
RISKS = ((0.2, "above 20 %"), (0.1, "10 to 20 %"), (0.05, "5 to 10 %"), (0.02, "2 to 5 %"))


def class_sizes(sizes: Sequence[tuple[int, int]]) -> Chart:
    """Return the chart of classes by size; the long tail is one bar."""
    n_classes = sum(n for _, n in sizes)
    least, seen, most = sizes[0][0] if sizes else 0, 0, 0
    for size, n in sizes:
        seen, most = seen + n, size
        if seen >= 0.95 * n_classes:
            break
    width = max(1, -(-(most - least + 1) // (N_BINS - 1)))
    bars: list[Bar] = []
    for lo in range(least, most + 1, width):
        hi = lo + width - 1
        n = sum(count for size, count in sizes if lo <= size <= hi)
        bars.append(Bar(label=str(lo) if width == 1 else f"{lo} to {hi}", after=n))
        last = hi
    if beyond := sum(count for size, count in sizes if size > last) if sizes else 0:
        bars.append(Bar(label=f"more than {last}", after=beyond))
    return Chart(
        title="Sizes of the classes",
        text="A class is a set of rows that look alike to an attacker: the larger, the safer.",
        unit="classes", heading="rows in a class", bars=bars,
    )  # fmt: skip


def risks(sizes: Sequence[tuple[int, int]]) -> Chart:
    """Return the chart of rows by the risk of their class."""
    rows: dict[str, int] = {words: 0 for _, words in RISKS} | {"up to 2 %": 0}
    for size, n in sizes:
        words = next((words for bound, words in RISKS if 1 / size > bound), "up to 2 %")
        rows[words] += size * n
    return Chart(
        title="Risk of the rows",
        text="The probability of picking the right row for a person known to be in the release: "
             "1 / the size of the class.",
        unit="rows", heading="risk", bars=[Bar(label=w, after=n) for w, n in rows.items()],
    )  # fmt: skip


def losses(certificate: Mapping[str, object]) -> Chart:
    """Return the chart of the loss of every quasi-identifier."""
    ncp = part(part(certificate, "measures"), "ncp")
    bars = [
        Bar(
            label=name if value is not None else f"{name} (not measured)",
            after=round(100 * float(str(value or 0)), 2),
        )
        for name, value in ncp.items()
    ]
    return Chart(
        title="Information lost per column",
        text="The share of a column's range of values that its labels cover on average (NCP): 0 "
             "% shows every value, 100 % shows nothing.",
        unit="% lost", heading="column", bars=bars, whole=100.0,
    )  # fmt: skip


def part(certificate: Mapping[str, object], name: str) -> Mapping[str, object]:
    """Return a nested part of the certificate."""
    found = certificate[name]
    assert isinstance(found, dict)
    return found
