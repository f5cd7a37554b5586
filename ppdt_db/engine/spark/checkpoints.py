"""What a run on Spark keeps: relations that were carried out and cut off from what made them."""

from dataclasses import dataclass, field
from functools import reduce
from math import inf
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

# What a worker may hold a copy of.
SMALL_BYTES = 64 * 1024 * 1024


@dataclass(frozen=True)
class Part:
    """Rows of a relation, and what holds them if they were carried out."""

    frame: "DataFrame"
    rdd: Any = None


@dataclass
class Kept:
    """A relation of the run: its parts, and how large it is."""

    parts: list[Part] = field(default_factory=list)
    n_bytes: float = inf

    @property
    def is_small(self) -> bool:
        """Whether every worker may have a copy of it."""
        return self.n_bytes <= SMALL_BYTES

    @property
    def whole(self) -> "DataFrame":
        """All parts together."""
        frames = [part.frame for part in self.parts]
        return reduce(lambda above, below: above.unionAll(below), frames)


def checkpointed(session: "SparkSession", frame: "DataFrame") -> Kept:
    """Carry a frame out, and cut it off from what it was made of."""
    is_reliable = session.sparkContext.getCheckpointDir() is not None
    cut = frame.checkpoint() if is_reliable else frame.localCheckpoint()
    rdd = cut._jdf.queryExecution().logical().rdd()
    n_bytes = inf if is_reliable else _size(session, rdd)
    return Kept([Part(_afresh(session, cut, rdd), rdd)], n_bytes)


def of_one(session: "SparkSession", value: object) -> Kept:
    """A relation of one text that stands in no plan: Java holds it."""
    from pyspark.sql import DataFrame

    jvm, inner = session.sparkContext._jvm, session._jsparkSession
    assert jvm is not None
    held = jvm.java.util.ArrayList()
    held.add(str(value))
    rows = inner.createDataset(held, jvm.org.apache.spark.sql.Encoders.STRING()).toDF()
    return Kept([Part(DataFrame(rows, session))], 0)


def free(session: "SparkSession", part: Part) -> None:
    """Give back what holds a part, also the folder of a reliable checkpoint."""
    part.rdd.unpersist(False)
    file = part.rdd.getCheckpointFile()
    if file.isDefined():
        jvm = session.sparkContext._jvm
        assert jvm is not None
        path = jvm.org.apache.hadoop.fs.Path(file.get())
        conf = session._jsparkSession.sessionState().newHadoopConf()
        path.getFileSystem(conf).delete(path, True)


def _afresh(session: "SparkSession", frame: "DataFrame", rdd: Any) -> "DataFrame":
    """A checkpointed frame that has forgotten what it was made of.

    Spark thinks a join to be as large as the product of its parts, and a union has as many
    partitions as its parts together: from level to level both would double.
    """
    from pyspark.sql import DataFrame

    schema = frame._jdf.schema()
    plain = DataFrame(session._jsparkSession.internalCreateDataFrame(rdd, schema, False), session)
    most = 2 * int(session.conf.get("spark.sql.shuffle.partitions") or 1)
    return plain.coalesce(most) if rdd.getNumPartitions() > most else plain


def _size(session: "SparkSession", rdd: Any) -> float:
    """The bytes of a checkpointed frame, which Spark's block manager knows."""
    number = rdd.id()
    infos = session.sparkContext._jsc.sc().getRDDStorageInfo()
    return float(sum(i.memSize() + i.diskSize() for i in infos if i.id() == number))
