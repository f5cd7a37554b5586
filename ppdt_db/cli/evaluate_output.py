"""The terminal output of `ppdt evaluate`."""

from ppdt_db.cli.terminal import lines, table
from ppdt_db.evaluate import Comparison, Evaluation


def print_one(result: Evaluation, cv: str) -> None:
    """Print the result of one learner, with or without a release."""
    rows: list[tuple[str, object]] = [
        ("rounds", f"{len(result.folds)} ({cv})"),
        ("accuracy", f"{100 * result.accuracy_mean:.2f} % +- {100 * result.accuracy_sd:.2f}"),
    ]
    if result.original_accuracy_mean is not None:
        loss = 100 * (result.original_accuracy_mean - result.accuracy_mean)
        rows += [
            ("accuracy of the original", f"{100 * result.original_accuracy_mean:.2f} %"),
            ("lost by anonymization", f"{loss:.2f} points"),
            ("information lost (GCP)", result.gcp),
        ]
    if result.verdict is not None:
        word = "significant" if result.verdict.is_significant else "not significant"
        verdict = f"F = {result.verdict.statistic:.3g}, p = {result.verdict.p_value:.3g}: {word}"
        rows.append(("combined 5x2cv F test", verdict))
    table("evaluation", rows)


def print_several(result: Comparison) -> None:
    """Print the results of several learners or ks, one line each, and their significance."""
    cells = []
    for one in result.evaluations:
        original, verdict = one.original_accuracy_mean, one.verdict
        cells.append((
            one.learner,
            "" if one.k is None else f"{one.k:,}",
            f"{100 * one.accuracy_mean:.2f} +- {100 * one.accuracy_sd:.2f}",
            "" if original is None else f"{100 * original:.2f}",
            "" if original is None else f"{100 * (original - one.accuracy_mean):.2f}",
            "" if one.gcp is None else f"{one.gcp:.3f}",
            "" if verdict is None else f"{verdict.p_value:.3f}",
        ))  # fmt: skip
    heads = ("learner", "k", "accuracy %", "original %", "lost", "GCP", "p (5x2cv F)")
    lines("evaluation", heads, cells)
    friedman = result.friedman
    if friedman is None:
        return
    word = "they differ" if friedman.is_significant else "no difference shown"
    rows: list[tuple[str, object]] = [
        ("Friedman", f"F = {friedman.statistic:.3g}, p = {friedman.p_value:.3g}: {word}"),
        ("Bonferroni-Dunn", f"critical difference {result.critical_difference:.2f}"),
    ]
    first = result.ranking[0].name
    rows += [
        (r.name, f"mean rank {r.mean_rank:.2f}" + (f", not {first}'s" if r.is_different else ""))
        for r in result.ranking
    ]
    table("over the rounds (they share rows: interpret p with care)", rows)
