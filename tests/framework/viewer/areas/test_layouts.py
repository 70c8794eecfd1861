"""Layouts by hand: tables of points, and the land south of a coast."""

import pytest

from sandtable.viewer.areas.layouts import FAR, AreaLayout, land_south_of, positions


def test_layout_table_places_each_area() -> None:
    assert positions("gazala 640 380, acroma 880 -5,el_adem 1050 640") == {
        "gazala": (640, 380),
        "acroma": (880, -5),
        "el_adem": (1050, 640),
    }


@pytest.mark.parametrize("table", ["gazala 640", "gazala 640 380 1", "gazala x 380"])
def test_invalid_point_in_a_table_raises_value_error(table: str) -> None:
    with pytest.raises(ValueError, match=r"unpack|invalid literal"):
        positions(table)


def test_land_extends_from_the_coast_beyond_the_drawing() -> None:
    land = land_south_of("0 240, 150 215, 800 220", 800, 600)
    assert land[:3] == ((0, 240), (150, 215), (800, 220))
    assert land[3:] == ((800 + FAR, 220), (800 + FAR, 600 + FAR), (-FAR, 600 + FAR), (-FAR, 240))


def test_layout_without_a_coast_has_only_land() -> None:
    assert AreaLayout(10, 20, {"a": (1, 2)}) == (10, 20, {"a": (1, 2)}, (), ())
