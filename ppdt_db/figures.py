"""Number formatting for people, in the terminal and in reports."""

from math import floor, isfinite, log10

DIGITS = 4


def amount(value: object) -> str:
    """Return a value as text for people, never with an exponent.

    >>> amount(54290.4), amount(0.10712), amount(None)
    ('54,290', '0.1071', 'not measured')
    """
    if value is None:
        return "not measured"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if not isinstance(value, float):
        return str(value)
    if not isfinite(value):
        return "not a number" if value != value else "infinite" if value > 0 else "-infinite"
    if not value:
        return "0"
    digits = max(0, DIGITS - 1 - floor(log10(abs(value))))
    text = f"{value:,.{digits}f}"
    return text.rstrip("0").removesuffix(".") if "." in text else text


def one_in(risk: object) -> str:
    """Return a risk as "1 in N".

    >>> one_in(0.1)
    '1 in 10'
    """
    if not isinstance(risk, int | float) or not risk:
        return "not measured"
    return f"1 in {f'{1 / risk:,.1f}'.removesuffix('.0')}"
