"""A server of the Model Context Protocol (MCP), through which language models play. Needs the extra ``mcp``."""
