"""The league of three sides."""

from sandtable.testing.leagues.rules import league

game = league("league3", "The league of three", ("red", "green", "blue"))
