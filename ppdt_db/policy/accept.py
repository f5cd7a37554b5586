"""The names that `--accept` takes, one for each weaker guarantee that a user may accept."""

STATE_BY_STATE = "state-by-state"
READER = "reader-side-channels"
SEVERAL = "several-releases"
NEW_COLUMNS = "new-columns"
KK = "kk-anonymity"
LEAF = "leaf-anonymity"
PATH = "path-anonymity"

ACCEPTABLE = (STATE_BY_STATE, READER, SEVERAL, NEW_COLUMNS, KK, LEAF, PATH)
