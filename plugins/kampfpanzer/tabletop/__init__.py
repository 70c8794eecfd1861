"""Battles of other rulesets: a brief becomes a scenario on a generated map, and its end becomes a result.

``rosters.py`` converts platoons to counters, with the figures of ``bridge.toml``. ``mapping.py`` generates the map.
``plans.py`` places both sides and chooses the victory condition. ``stage.py`` builds the scenario, and ``outcome.py``
reads the result. The conversion is an invention: KampfPanzer covers neither the desert nor the years after 1940. It
takes the seat of the umpire: ``--player umpire=kampfpanzer``.
"""
