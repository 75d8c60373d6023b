"""The files of a replay page: HTML template, stylesheet and script."""
