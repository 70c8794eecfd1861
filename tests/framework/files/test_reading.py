"""Files named by users: irregular files are refused without waiting."""

import hashlib
import os
import socket
from pathlib import Path

import pytest

from sandtable.errors import DataError
from sandtable.files import handles, reading
from sandtable.files.reading import hash_file, read_file


def refusal(path: Path) -> str:
    with pytest.raises(DataError) as caught:
        read_file(path, 100)
    return str(caught.value)


def test_file_is_read_up_to_one_byte_beyond_the_limit(tmp_path: Path) -> None:
    file = tmp_path / "x"
    file.write_bytes(b"123456")
    assert read_file(file, 6) == b"123456"
    assert read_file(str(file), 3) == b"1234"
    os.truncate(file, 1 << 30)
    assert len(read_file(file, 1 << 20)) == (1 << 20) + 1


def test_irregular_file_is_refused_immediately(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to(tmp_path / "pipe")
    with socket.socket(socket.AF_UNIX) as listening:
        before = Path.cwd()
        os.chdir(tmp_path)  # the name of a socket must be short
        listening.bind("socket")
        os.chdir(before)
        for name in ("pipe", "link", "socket"):
            assert "is not an ordinary file" in refusal(tmp_path / name)
    assert "is not an ordinary file" in refusal(Path("/dev/zero"))
    assert "Is a directory" in refusal(tmp_path)


def test_unreadable_file_error_names_the_path(tmp_path: Path) -> None:
    assert (
        refusal(tmp_path / "none") == f"{tmp_path / 'none'}: cannot be read: No such file or directory; check the path"
    )
    (tmp_path / "round").symlink_to("round")
    assert "cannot be read" in refusal(tmp_path / "round")
    assert "is not a path: embedded null byte" in refusal(Path("a\0b"))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "file").write_bytes(b"abc")
    return tmp_path / "file"


def test_link_is_read_unless_it_is_not_to_be_followed(tmp_path: Path, file: Path) -> None:
    (tmp_path / "link").symlink_to("file")
    assert read_file(tmp_path / "link", 9) == file.read_bytes()
    with pytest.raises(DataError, match="is a symbolic link"):
        read_file(tmp_path / "link", 9, follow=False)


@pytest.mark.parametrize(
    ("follow", "kind", "problem"),
    [
        (True, "pipe", "is not an ordinary file"),
        (False, "pipe", "is not an ordinary file"),
        (False, "link", "cannot be read"),
    ],
)
def test_file_replaced_during_opening_is_checked_again(
    follow: bool, kind: str, problem: str, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A pipe or a link may replace a file between the check of its name and its opening."""

    def slow(path: str | Path, flags: int) -> int:
        file.rename(file.with_name("other"))
        if kind == "pipe":
            os.mkfifo(file)
        else:
            file.symlink_to("other")
        return handles.open_handle(path, flags)

    monkeypatch.setattr(reading, "open_handle", slow)
    with pytest.raises(DataError, match=problem):
        read_file(file, 9, follow=follow)


def test_file_hash_is_the_hash_of_its_bytes(file: Path) -> None:
    assert hash_file(file) == hashlib.sha256(b"abc").hexdigest()
    with pytest.raises(DataError):
        hash_file("/dev/zero")
