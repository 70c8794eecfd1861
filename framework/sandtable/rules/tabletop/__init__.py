"""The tabletop boundary: a campaign's battle goes out as a typed brief and comes back as a typed result.

``brief.py`` is what goes out, ``result.py`` what comes back, in an order of the umpire; ``checking.py`` is the space of
results that fit a brief, ``resolver.py`` the statistical resolver. Whoever sits in the umpire's seat answers: a person,
the resolver, or another ruleset's battle.
"""
