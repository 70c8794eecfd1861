"""The league of seven sides."""

from sandtable.testing.leagues.rules import league

game = league("league7", "The league of seven", ("red", "orange", "yellow", "green", "cyan", "blue", "violet"))
