"""The notes that the certificate of a k-anonymous tree has beside its figures."""

from collections.abc import Sequence

from ppdt_db.learn.kadet.thresholds import has_middle
from ppdt_db.sqltext.quoting import normalize_name
from ppdt_db.tree.tree import Tree


def notes_of(tree: Tree, private: Sequence[str]) -> list[str]:
    """Return the notes; they name columns, and no value."""
    names = {normalize_name(name) for name in private}
    bare = [
        one.name
        for one in tree.attributes
        if normalize_name(one.name) in names and one.is_ordered and not has_middle(one.type_name)
    ]
    return [
        "The guarantee holds for the rows that the tree was learnt from, each of a different "
        "person.",
        "Rows without a class were not used and are not counted.",
        "A missing public value is a value: an attacker may know that it is missing, and rows that "
        "miss it were counted like rows that share any other value.",
        *(
            f'"{name}" is private: a threshold between two neighbouring values of its type is the '
            "lower of the two, since nothing lies in between."
            for name in bare
        ),
    ]
