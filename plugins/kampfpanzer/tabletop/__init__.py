"""Fighting the battles of other rulesets: a brief becomes a scenario on a generated map, its end becomes a result.

``rosters.py`` makes counters of platoons, by the figures of ``bridge.toml``; ``mapping.py`` draws the map, ``plans.py``
places both sides and says what wins, ``stage.py`` puts the scenario together; ``outcome.py`` reads the end. The mapping
is an invention: KampfPanzer knows neither the desert nor the years after 1940. Its seat is the umpire's:
``--player umpire=kampfpanzer``.
"""
