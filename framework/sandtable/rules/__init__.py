"""The wargamer's toolbox: a thing is here when two rulesets use it. The second ruleset brings the first things."""
