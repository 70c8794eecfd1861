"""Numbers in readable form, n/a for None."""

from sandtable.journal.luck.tables import MINUS, NONE


def percent(share: float | None, digits: int = 1) -> str:
    """Return a percentage such as "56.2 %"."""
    if share is None:
        return NONE
    text = f"{100 * share:.{digits}f} %".replace("-", MINUS)
    return f"< {10**-digits:.{digits}f} %" if share > 0 and not text.strip("0.% ") else text


def interval(low: float | None, high: float | None) -> str:
    """Return an interval such as "53.1 to 59.2 %"."""
    return NONE if low is None or high is None else f"{100 * low:.1f} to {100 * high:.1f} %"


def signed(value: float | None) -> str:
    """Return a difference in Elo such as "+87"."""
    if value is None:
        return NONE
    whole = round(value)
    return f"{'+' if whole > 0 else MINUS if whole < 0 else ''}{abs(whole)}"


def span(low: float | None, high: float | None) -> str:
    """Return an Elo interval such as "+34 to +120". An end that is None is shown as infinite."""
    if low is None and high is None:
        return NONE
    ends = (f"{MINUS}\N{INFINITY}" if low is None else signed(low), "\N{INFINITY}" if high is None else signed(high))
    return " to ".join(ends)


def likelihood(share: float | None) -> str:
    """Return a likelihood such as "97.5 %", which is never shown as 0 or 100 %."""
    if share is None:
        return NONE
    return "> 99.9 %" if share > 0.999 else "< 0.1 %" if share < 0.001 else percent(share)


def number(value: float | None, digits: int = 0) -> str:
    """Return a number such as "1,234"."""
    return NONE if value is None else f"{value:,.{digits}f}"


def points(value: float) -> str:
    """Return points such as "1,234", "12.5" or "3.33", with at most two decimals."""
    return f"{value:,.2f}".rstrip("0").rstrip(".")


def took(seconds: float) -> str:
    """Return a duration such as "8 µs", "1.25 ms", "340 ms" or "12.5 s"."""
    if seconds >= 1:
        return f"{seconds:,.1f} s"
    if seconds < 0.001:
        return f"{1e6 * seconds:.0f} \N{MICRO SIGN}s"
    return f"{1000 * seconds:.0f} ms" if seconds >= 0.1 else f"{1000 * seconds:.2f} ms"


def duration(seconds: float) -> str:
    """Return a long duration such as "45 s", "3 min 20 s" or "2 h 05 min"."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    return f"{minutes} min {rest:02d} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60:02d} min"
