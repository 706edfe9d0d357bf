"""What the package asks of the system: memory and processors, files, streams, numbers that users give, pictures."""
