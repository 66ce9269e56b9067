"""Votes by phone: a small web server without Qt, JAX and NumPy, in its own process.

The process ends with its question instead of closing its port: so the system closes every connection, and nothing is
left to forget. The window remembers which phone voted for what. It is asyncio and not ``http.server``, because one
deadline holds for a whole request, and the oldest connection makes room for a new one.
"""
