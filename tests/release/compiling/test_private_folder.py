"""Compiled code is not kept where others could have put it, or could replace it."""

import os
import re
from types import SimpleNamespace

import pytest

from romans_env.compiling import private_folder
from romans_env.compiling.cache_folder import cache_folder

pytestmark = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="files have no owners here")


def chosen_folder(monkeypatch, numba_folder, tmp_path):
    """Where code is kept, with NUMBA_CACHE_DIR in one place and the user's cache in another."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(numba_folder))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "user"))
    cache_folder.cache_clear()
    try:
        return cache_folder(tmp_path)
    finally:
        cache_folder.cache_clear()


def test_the_folder_is_the_users_own(tmp_path, monkeypatch):
    folder = chosen_folder(monkeypatch, tmp_path / "numba", tmp_path)
    assert folder.parent == tmp_path / "numba/romans_env"
    assert [one.stat().st_mode & 0o777 for one in (folder, folder.parent, folder.parents[1])] == [0o700] * 3
    folder.chmod(0o777)
    with pytest.warns(RuntimeWarning, match=r"other users may write in .*; take that right away \(chmod go-w\)"):
        assert chosen_folder(monkeypatch, tmp_path / "numba", tmp_path).parent == tmp_path / "__pycache__"
    folder.chmod(0o700)
    somebody_else = os.geteuid() + 1
    monkeypatch.setattr(os, "geteuid", lambda: somebody_else)
    with pytest.warns(RuntimeWarning, match="belongs to another user; name a folder of your own"):
        assert chosen_folder(monkeypatch, tmp_path / "numba", tmp_path).parent == tmp_path / "__pycache__"


def writable_by_all(shared):
    shared.chmod(0o777)


def writable_by_a_group(shared):
    shared.chmod(0o770)
    os.chown(shared, -1, next(number for number in [*os.getgroups(), 12345] if number != os.getgid()))


def another_users(shared):
    os.chown(shared, os.geteuid() + 1, -1)


@pytest.mark.parametrize("share", [writable_by_all, writable_by_a_group, another_users])
@pytest.mark.parametrize("place", [".", "mine", "linked"])
def test_code_is_not_kept_where_others_can_replace_it(tmp_path, monkeypatch, share, place):
    # Whoever may rename a folder above the code could put code of his own in its place, after every check of it.
    shared = tmp_path / "shared"
    (shared / "mine").mkdir(parents=True, mode=0o700)
    (tmp_path / "linked").symlink_to(shared / "mine")
    try:
        share(shared)
    except PermissionError:
        pytest.skip("this user cannot give files away")
    with pytest.warns(RuntimeWarning, match=f"compiled code is not kept in .*{re.escape(str(shared))}"):
        folder = chosen_folder(monkeypatch, tmp_path / "linked" if place == "linked" else shared / place, tmp_path)
    assert folder.parent == tmp_path / "__pycache__"
    assert not list(shared.rglob("compiled-*"))


def test_a_folder_with_the_sticky_bit_protects_those_in_it(tmp_path, monkeypatch):
    shared = tmp_path / "tmp"
    shared.mkdir()
    shared.chmod(0o1777)
    assert chosen_folder(monkeypatch, shared / "numba", tmp_path).parent == shared / "numba/romans_env"


def test_a_group_is_the_users_own_where_nobody_else_is_in_it(monkeypatch):
    grp, pwd = pytest.importorskip("grp"), pytest.importorskip("pwd")

    def user(name, number, group):
        return SimpleNamespace(pw_name=name, pw_uid=number, pw_gid=group)

    users = [user("me", os.geteuid(), 7), user("other", os.geteuid() + 1, 8)]
    group = SimpleNamespace(gr_name="me", gr_mem=[])
    monkeypatch.setattr(pwd, "getpwuid", lambda number: users[0])
    monkeypatch.setattr(pwd, "getpwall", lambda: users)
    monkeypatch.setattr(grp, "getgrgid", lambda number: group)
    for members, of_the_other, number, is_own in (
        ([], 8, 7, True),
        ([], 8, 8, False),
        (["other"], 8, 7, False),
        ([], 7, 7, False),
    ):
        group.gr_mem, users[1].pw_gid = members, of_the_other
        assert private_folder._is_own_group(number) == is_own
