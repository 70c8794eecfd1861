"""The tabletop boundary: a campaign's battle goes out as a typed brief and comes back as a typed result.

``brief.py`` is what goes out, ``result.py`` what comes back, in an order of the umpire. ``checking.py`` is the space of
results that fit a brief (``terms.py`` the rulings that it follows, ``faults.py`` what can be wrong). People get it
by ``page.py`` (text) and ``sheet.py`` (HTML), and answer by ``form.py`` and ``template.py`` (a file) or ``typed.py`` (a
line). ``resolver.py`` is the statistical resolver: ``constants.py``, ``strength.py``, ``odds.py``, ``scoring.py`` and
``logit.py`` are what it reckons with, ``response.py`` draws how it responds, ``rosters.py`` has companies for it.

Whoever sits in the umpire's seat answers: a person, the resolver, or another ruleset's battle.
"""
