"""The page in the browser: a server that thinks for many visitors, and what it serves."""
