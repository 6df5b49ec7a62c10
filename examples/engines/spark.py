"""Ranks a folder of rolls with Spark: `python spark.py sc://localhost:15002 rolls/ ranks/`."""

import sys

from pyspark.sql import SparkSession

from service.batch import score_batches

server, source, target = sys.argv[1:]
spark = SparkSession.builder.remote(server).getOrCreate()
rolls = spark.read.parquet(source)
columns = "at long, dice array<tinyint>, rank string, strength int"
ranks = rolls.mapInArrow(lambda batches: score_batches("poker-dice", batches), columns)
ranks.write.parquet(target)
