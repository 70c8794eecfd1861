"""Reports of a tournament, all made of the same ``Findings``.

    counts = tally(tournament, plans, rows)     # lab/ratings/results.py
    found = findings(counts)                    # lab/ratings/findings.py
    page = as_html(found, link)                 # or as_json, as_csv, sheets

``tables.py`` puts findings into words and columns for the terminal; ``export.py`` writes JSON and CSV, ``page.py`` one
self-contained page of HTML, with ``cross.py``, ``plots.py`` and ``markup.py``; ``live.py`` is the table that is seen
while a tournament runs.
"""
