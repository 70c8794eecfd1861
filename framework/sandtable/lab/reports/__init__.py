"""Reports of a tournament, all made from the same ``Findings``.

    counts = tally(tournament, plans, rows)     # lab/ratings/results.py
    found = findings(counts)                    # lab/ratings/findings.py
    page = as_html(found, link)                 # or as_json, as_csv, sheets

``tables.py`` formats findings as text tables for the terminal. ``export.py`` writes JSON and CSV. ``page.py`` writes
one self-contained HTML page, with ``cross.py``, ``plots.py`` and ``markup.py``. ``live.py`` is the table shown while a
tournament runs.
"""
