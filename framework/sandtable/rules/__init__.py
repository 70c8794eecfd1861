"""The wargamer's toolbox: code that at least two rulesets use. The second ruleset moves it here."""
