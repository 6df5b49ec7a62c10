"""Ranks a folder of rolls with Spark: `python spark.py sc://localhost:15002 rolls/ ranks/`."""

import sys

from pyspark.sql import SparkSession

from service.batch import score_batches as score

server, source, target = sys.argv[1:]
rolls = SparkSession.builder.remote(server).getOrCreate().read.parquet(source)
i = len(rolls.columns)  # of the answer `rank`: Spark has no dictionary columns, so it becomes text
rolls.mapInArrow(
    lambda each: (b.set_column(i, "rank", b[i].cast("string")) for b in score("poker-dice", each)),
    rolls.schema.add("rank", "string").add("strength", "integer"),
).write.parquet(target)
