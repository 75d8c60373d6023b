"""Games in the browser: the games, the interface over HTTP, and the page."""
