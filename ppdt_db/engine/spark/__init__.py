"""The engine that runs the same statements on Spark."""
