"""Numbers as names of parts, cut with the class in view (Fayyad and Irani 1993)."""

from ppdt_db.engine import DuckEngine
from ppdt_db.families import ORDERED, family_of
from ppdt_db.names import ident
from ppdt_db.source import Source


def discretize(engine: DuckEngine, read: Source, target: str) -> Source:
    """The table with every number as the name of its part, by Fayyad and Irani's criterion.

    The cuts see the class of all rows, those to be tested on too. The published figures look as if
    this had been done to the data before the experiments; it flatters accuracies, so it is for
    the comparison with them alone.
    """
    numbers = [
        name for name, held in read.columns.items() if name != target and family_of(held) in ORDERED
    ]
    if not numbers:
        return read
    others = [name for name in read.columns if name != target and name not in numbers]
    names = {"source": read.relation, "columns": numbers, "known": others, "goal": target}
    engine.make("bench/mdl_count", names=names)
    while True:
        engine.make("bench/mdl_side")
        engine.make("bench/mdl_cut")
        if not engine.count("encode/size", names={"source": ident("ppdt_mdl_cut")}):
            break
        engine.make("bench/mdl_split")
        engine.rename("ppdt_mdl_split", "ppdt_mdl_count")
    engine.make("bench/mdl_bin")
    table = engine.make("bench/discretized", names=names)
    engine.drop("ppdt_mdl_count", "ppdt_mdl_side", "ppdt_mdl_cut", "ppdt_mdl_bin")
    columns = {name: "VARCHAR" if name in numbers else read.columns[name]
               for name in [*others, *numbers, target]}  # fmt: skip
    return Source(kind="table", title=table, relation=ident(table), columns=columns)
