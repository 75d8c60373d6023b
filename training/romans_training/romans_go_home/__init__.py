"""What is trained, asked and set for Romans Go Home! alone: analyses, the recipe of `legate`, options of commands."""
