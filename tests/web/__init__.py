"""A package, so that its fixtures end with its last test: no test of asyncio can run beside the browser."""
