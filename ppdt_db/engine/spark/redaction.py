"""Keep Spark from logging or raising messages that quote values of the source."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from ppdt_db.errors import DEBUG, EngineError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SPARK_LOGGERS = ("SQLQueryContextLogger", "DataFrameQueryContextLogger")
OFF = "OFF"
# One entry per run of this process that turned Java's log off: the level before the first one.
_quieted: list[str] = []
_lock = threading.Lock()


@contextmanager
def log_off(session: "SparkSession") -> Iterator[None]:
    """Turn off Java's log on this machine, and restore the caller's level."""
    from py4j.protocol import Py4JError

    if DEBUG:
        yield
        return
    assert session.sparkContext._jvm is not None
    log4j = session.sparkContext._jvm.org.apache.logging.log4j
    # Not by SparkContext.setLogLevel, which would also undo the shell's limit to warnings.
    root = log4j.core.config.Configurator
    with _lock:
        level = str(log4j.LogManager.getRootLogger().getLevel())
        _quieted.append(_quieted[0] if _quieted else level)
        root.setRootLevel(log4j.Level.OFF)
    try:
        yield
    finally:
        with _lock:
            level = _quieted.pop()
            # A session that has ended has no log.
            with suppress(Py4JError, OSError, AttributeError):
                if not _quieted and level != OFF:
                    _wait_for_tasks(session)
                    root.setRootLevel(log4j.Level.valueOf(level))


def _wait_for_tasks(session: "SparkSession") -> None:
    """Wait for the tasks of a failed job, which end after it and would be logged then."""
    tracker = session.sparkContext._jsc.sc().statusTracker()
    for _ in range(100):
        if not any(executor.numRunningTasks() for executor in tracker.getExecutorInfos()):
            return
        time.sleep(0.1)


@contextmanager
def quiet() -> Iterator[None]:
    """Turn off the Python loggers of Spark, whose errors quote values."""
    from pyspark.logger import PySparkLogger

    # The first request for a logger sets its class for everybody: use Spark's own.
    loggers = [PySparkLogger.getLogger(name) for name in SPARK_LOGGERS if not DEBUG]
    before = [logger.disabled for logger in loggers]
    for logger in loggers:
        logger.disabled = True
    try:
        yield
    finally:
        for logger, was_disabled in zip(loggers, before, strict=True):
            logger.disabled = was_disabled


def translated(error: Exception, step: str, aftermath: str = "") -> EngineError:
    """Return an EngineError for a Spark error, without the values that Spark may quote."""
    text = str(error)
    if "OutOfMemoryError" in text or "UNABLE_TO_ACQUIRE_MEMORY" in text:
        what = "Spark ran out of memory. Give its driver or executors more memory"
    elif "No space left" in text:
        what = "the disk of a Spark worker is full. Free some space"
    elif "Mkdirs failed" in text or "AccessControlException" in text:
        what = "Spark has no permission to write there. Check the permissions of the folder"
    elif "Checkpoint block" in text or "ExecutorLost" in text or "executor lost" in text.lower():
        what = (
            "a Spark executor was lost with its data. Run again, or set a checkpoint folder "
            "that all workers share (--conf spark.checkpoint.dir=...)"
        )
    elif "SparkContext was shut down" in text or "stopped SparkContext" in text:
        return has_ended(step, aftermath)
    else:
        name = getattr(error, "getCondition", lambda: None)() or type(error).__name__
        what = f"Spark reported an error ({name})"
    hint = "" if DEBUG else " (PPDT_DEBUG=1 shows Spark's own message, which may quote values)"
    return EngineError(f"{what}; in step {step}.{aftermath and f' {aftermath}'}{hint}")


def has_ended(step: str, aftermath: str = "") -> EngineError:
    """Return the error for a Spark session that was stopped during the run."""
    return EngineError(
        f"the Spark session has ended; in step {step}.{aftermath and f' {aftermath}'}"
    )
