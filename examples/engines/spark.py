"""Ranks a folder of rolls with Spark: `python spark.py sc://localhost:15002 rolls/ ranks/`."""

import sys

from pyspark.sql import SparkSession

from service.batch import score_batches as score

server, source, target = sys.argv[1:]
rolls = SparkSession.builder.remote(server).getOrCreate().read.parquet(source)
rolls.mapInArrow(
    # Spark has no dictionary columns, so `rank`, the third one, becomes text
    lambda each: (b.set_column(2, "rank", b[2].cast("string")) for b in score("poker-dice", each)),
    "at long, dice array<tinyint>, rank string, strength int",
).write.parquet(target)
