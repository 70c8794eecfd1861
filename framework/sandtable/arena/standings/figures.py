"""Figures as people read them; n/a where there is none."""

NONE = "n/a"
MINUS = "\N{MINUS SIGN}"


def percent(share: float | None, digits: int = 1) -> str:
    """Return "56.2 %"."""
    if share is None:
        return NONE
    text = f"{100 * share:.{digits}f} %".replace("-", MINUS)
    return f"< {10**-digits:.{digits}f} %" if share > 0 and not text.strip("0.% ") else text


def interval(low: float | None, high: float | None) -> str:
    """Return "53.1 to 59.2 %"."""
    return NONE if low is None or high is None else f"{100 * low:.1f} to {100 * high:.1f} %"


def signed(value: float | None, margin: float | None = None) -> str:
    """Return "+87 ± 12": a difference in Elo, with half its interval where that is known."""
    if value is None:
        return NONE
    whole = round(value)
    text = f"{'+' if whole > 0 else MINUS if whole < 0 else ''}{abs(whole)}"
    return text if margin is None else f"{text} ± {margin:.0f}" if margin >= 1 else f"{text} ± {margin:.1f}"


def likelihood(share: float | None) -> str:
    """Return "97.5 %", and never 0 or 100: nothing is that sure."""
    if share is None:
        return NONE
    return "> 99.9 %" if share > 0.999 else "< 0.1 %" if share < 0.001 else percent(share)


def number(value: float | None, digits: int = 0) -> str:
    """Return "1,234"."""
    return NONE if value is None else f"{value:,.{digits}f}"


def points(value: float) -> str:
    """Return "1,234", "12.5" or "3.33": as many digits as points have."""
    return f"{value:,.2f}".rstrip("0").rstrip(".")


def duration(seconds: float) -> str:
    """Return "45 s", "3 min 20 s" or "2 h 05 min"."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    return f"{minutes} min {rest:02d} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60:02d} min"
