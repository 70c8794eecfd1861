"""The tabletop boundary: a campaign's battle goes out as a typed brief and comes back as a typed result.

``brief.py`` is what goes out, ``result.py`` what comes back, in an order of the umpire. ``checking.py`` is the space of
results that fit a brief (``terms.py`` the rulings that it follows, ``validation.py`` what can be wrong), ``scoring.py``
the score of a battle, ``rosters.py`` the companies in it. ``report/`` is how people get a brief and answer it,
``resolver/`` an umpire that finds the result by odds and dice.

Whoever sits in the umpire's seat answers: a person, the resolver, or another ruleset's battle.
"""
