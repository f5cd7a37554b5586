"""What a user accepts by name (`--accept`), because it weakens a promise or a habit."""

STATE_BY_STATE = "state-by-state"
READER = "reader-side-channels"
SEVERAL = "several-releases"
NEW_COLUMNS = "new-columns"
KK = "kk-anonymity"
LEAF = "leaf-anonymity"

ACCEPTABLE = (STATE_BY_STATE, READER, SEVERAL, NEW_COLUMNS, KK, LEAF)
