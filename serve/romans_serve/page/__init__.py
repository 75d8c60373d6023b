"""The files of the page: HTML, style sheet, scripts and pictures."""
