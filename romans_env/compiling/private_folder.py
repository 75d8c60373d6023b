"""Folders and files whose content is run, and which therefore nobody but the user may change."""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path


class PublicFolderError(OSError):
    """A folder that another user can change, or replace."""


def private_folder(path: Path) -> Path:
    """Make a folder for the user alone, unless it is there.

    Args:
        path: of the folder. Links in it are followed once, here: what is opened afterwards is under the path that this
            gives back.

    Returns:
        Its real path, in which nobody but the user and the administrator can change or replace any folder.

    Raises:
        PublicFolderError: the folder is another user's or others may write in it, or in a folder above it; one with the
            sticky bit, such as /tmp, protects what is in it. On Windows that is not asked.
        OSError: it cannot be made.
    """
    if not hasattr(os, "geteuid"):
        path.mkdir(parents=True, exist_ok=True)
        return path
    # Each missing folder is made below one that was checked, so that nobody can have put a link there.
    missing = []
    while not path.exists():
        missing.append(path.name)
        path = path.parent
    path = path.resolve(strict=True)
    _check(path, is_last=not missing)
    for name in reversed(missing):
        path /= name
        with contextlib.suppress(FileExistsError):
            path.mkdir(mode=0o700)
    if missing:
        path = path.resolve(strict=True)
        _check(path, is_last=True)
    return path


def is_private(status: os.stat_result) -> bool:
    """Return whether a file or a folder is the user's, or the administrator's, and nobody else may write in it."""
    if not hasattr(os, "geteuid"):
        return True
    return status.st_uid in (0, os.geteuid()) and not status.st_mode & (stat.S_IWOTH | stat.S_IWGRP)


def _check(folder: Path, is_last: bool) -> None:
    """Check that a folder, by its real path, and all above it are safe from other users, or raise PublicFolderError."""
    for one in (folder, *folder.parents):
        status = os.stat(one, follow_symlinks=False)
        is_own_place = is_last and one == folder
        if not stat.S_ISDIR(status.st_mode):
            raise PublicFolderError(f"{one} was replaced by something else")
        if status.st_uid != os.geteuid() and (is_own_place or status.st_uid != 0):
            raise PublicFolderError(f"{one} belongs to another user; name a folder of your own")
        is_sticky = bool(status.st_mode & stat.S_ISVTX) and not is_own_place
        if not is_sticky and _others_may_write(one, status):
            raise PublicFolderError(f"other users may write in {one}; take that right away (chmod go-w)")


def _others_may_write(folder: Path, status: os.stat_result) -> bool:
    if status.st_mode & stat.S_IWOTH:
        return True
    if not status.st_mode & stat.S_IWGRP:
        return False
    # The right of an access control list looks like one of the group.
    attributes = os.listxattr(folder) if hasattr(os, "listxattr") else []
    return "system.posix_acl_access" in attributes or not _is_own_group(status.st_gid)


def _is_own_group(number: int) -> bool:
    """Return whether a group is the user's own, as where every user has one of the same name with nobody else in it."""
    # Imported here: Windows has neither.
    import grp
    import pwd

    try:
        user, group = pwd.getpwuid(os.geteuid()), grp.getgrgid(number)
    except KeyError:
        return False
    if group.gr_name != user.pw_name or user.pw_gid != number or not set(group.gr_mem) <= {user.pw_name}:
        return False
    return all(other.pw_uid == user.pw_uid for other in pwd.getpwall() if other.pw_gid == number)
