"""The engines that answer questions: DuckDB in this process, and Athena."""
