"""The `ppdt bench` command: one module for each experiment or measurement."""
