"""The parts that code and program text share."""
