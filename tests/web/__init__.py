"""Tests of the web page. A package, so that the browser ends with its last test: asyncio tests cannot run beside it."""
