"""Folders and files whose content is executed, so that other users must not be able to change them."""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path


class PublicFolderError(OSError):
    """Another user could change or replace a folder."""


def private_folder(path: Path) -> Path:
    """Create a folder that only the user can access if it does not exist, and check that it is safe.

    Args:
        path: the path of the folder. Symbolic links in it are followed only here; use the returned path afterwards.

    Returns:
        The real path of the folder. No other user except the administrator can change or replace a folder on it.

    Raises:
        PublicFolderError: if the folder belongs to another user, or others may write to it or to a folder above it; a
            folder above with the sticky bit, such as /tmp, is safe. This is not checked on Windows.
        OSError: if the folder cannot be created.
    """
    if not hasattr(os, "geteuid"):
        path.mkdir(parents=True, exist_ok=True)
        return path
    # Missing folders are created below a folder that has been checked, so nobody can have placed a link there.
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
    """Return whether a file or folder belongs to the user or the administrator, and no other user may write to it."""
    if not hasattr(os, "geteuid"):
        return True
    return status.st_uid in (0, os.geteuid()) and not status.st_mode & (stat.S_IWOTH | stat.S_IWGRP)


def _check(folder: Path, is_last: bool) -> None:
    """Check that a folder, given by its real path, and those above it are safe; raise PublicFolderError if not."""
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
    # Write access granted by an access control list looks like write access of the group.
    attributes = os.listxattr(folder) if hasattr(os, "listxattr") else []
    return "system.posix_acl_access" in attributes or not _is_own_group(status.st_gid)


def _is_own_group(number: int) -> bool:
    """Return whether a group is the user's private group: it has the user's name, and nobody else is in it."""
    # Imported here, because they do not exist on Windows.
    import grp
    import pwd

    try:
        user, group = pwd.getpwuid(os.geteuid()), grp.getgrgid(number)
    except KeyError:
        return False
    if group.gr_name != user.pw_name or user.pw_gid != number or not set(group.gr_mem) <= {user.pw_name}:
        return False
    return all(other.pw_uid == user.pw_uid for other in pwd.getpwall() if other.pw_gid == number)
