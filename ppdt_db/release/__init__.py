"""Turn cells and labels into a release: recode, audit, record and publish it."""
