"""Ranks a folder of rolls with Ray Data: `python ray_data.py rolls/ ranks/`."""

import sys

import pyarrow as pa
import ray.data

from service.batch import score_batches

source, target = sys.argv[1:]
ray.data.read_parquet(source).map_batches(
    lambda rolls: pa.Table.from_batches(score_batches("poker-dice", rolls.to_batches())),
    batch_format="pyarrow",
).write_parquet(target)
