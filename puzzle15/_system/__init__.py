"""What the package needs from the system: memory, processors, files, streams; and checks of numbers that users give."""
