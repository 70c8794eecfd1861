"""Reports of a tournament, all made of the same ``Findings`` (``arena/ratings/findings.py``).

``tables.py`` puts them into words and columns, for the terminal and for CSV; ``export.py`` writes JSON and CSV,
``page.py`` one self-contained page of HTML, with ``plots.py`` and ``markup.py``; ``live.py`` is the table that is seen
while a tournament runs.
"""
