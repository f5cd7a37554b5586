"""Checkpoints: the relations that a run on Spark keeps, cut off from their query plans."""

from dataclasses import dataclass, field
from functools import reduce
from math import inf
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

# The largest relation to broadcast to the workers.
SMALL_BYTES = 64 * 1024 * 1024


@dataclass(frozen=True)
class CheckpointPart:
    """Rows of a relation, and the RDD that holds them once computed."""

    frame: "DataFrame"
    rdd: Any = None


@dataclass
class Checkpoint:
    """A relation of the run: its parts and its size."""

    parts: list[CheckpointPart] = field(default_factory=list)
    n_bytes: float = inf

    @property
    def is_small(self) -> bool:
        """Return whether it is small enough to broadcast to every worker."""
        return self.n_bytes <= SMALL_BYTES

    @property
    def whole(self) -> "DataFrame":
        """The union of all parts."""
        frames = [part.frame for part in self.parts]
        return reduce(lambda above, below: above.unionAll(below), frames)


def checkpointed(session: "SparkSession", frame: "DataFrame") -> Checkpoint:
    """Compute a frame, and cut it off from its query plan."""
    is_reliable = session.sparkContext.getCheckpointDir() is not None
    cut = frame.checkpoint() if is_reliable else frame.localCheckpoint()
    rdd = cut._jdf.queryExecution().logical().rdd()
    n_bytes = inf if is_reliable else _size(session, rdd)
    return Checkpoint([CheckpointPart(_without_lineage(session, cut, rdd), rdd)], n_bytes)


def of_one(session: "SparkSession", value: object) -> Checkpoint:
    """Return a relation with one text that appears in no query plan, because Java holds it."""
    from pyspark.sql import DataFrame

    jvm, inner = session.sparkContext._jvm, session._jsparkSession
    assert jvm is not None
    held = jvm.java.util.ArrayList()
    held.add(str(value))
    rows = inner.createDataset(held, jvm.org.apache.spark.sql.Encoders.STRING()).toDF()
    return Checkpoint([CheckpointPart(DataFrame(rows, session))], 0)


def free(session: "SparkSession", part: CheckpointPart) -> None:
    """Release the storage of a part, including the folder of a reliable checkpoint."""
    part.rdd.unpersist(False)
    file = part.rdd.getCheckpointFile()
    if file.isDefined():
        jvm = session.sparkContext._jvm
        assert jvm is not None
        path = jvm.org.apache.hadoop.fs.Path(file.get())
        conf = session._jsparkSession.sessionState().newHadoopConf()
        path.getFileSystem(conf).delete(path, True)


def _without_lineage(session: "SparkSession", frame: "DataFrame", rdd: Any) -> "DataFrame":
    """Return a checkpointed frame without its former size estimates and partitions.

    Spark estimates a join as the product of its inputs, and a union has the partitions of all its
    inputs: both would double with every level.
    """
    from pyspark.sql import DataFrame

    schema = frame._jdf.schema()
    plain = DataFrame(session._jsparkSession.internalCreateDataFrame(rdd, schema, False), session)
    most = 2 * int(session.conf.get("spark.sql.shuffle.partitions") or 1)
    return plain.coalesce(most) if rdd.getNumPartitions() > most else plain


def _size(session: "SparkSession", rdd: Any) -> float:
    """Return the bytes of a checkpointed frame, from Spark's block manager."""
    number = rdd.id()
    infos = session.sparkContext._jsc.sc().getRDDStorageInfo()
    return float(sum(i.memSize() + i.diskSize() for i in infos if i.id() == number))
