"""Arrow has several types for the same values; here they become one.

Text may be in views, as Polars writes it, values that repeat in dictionaries or run ends, lists in
views or with a fixed size, numbers as decimals; and each of these within the others.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc


def plain_schema(schema: pa.Schema) -> pa.Schema:
    """`schema` without types for which pyarrow lacks most functions: views, run ends, and
    dictionaries of lists.
    """
    fields = [field.with_type(plain_type(field.type)) for field in schema]
    return schema if fields == list(schema) else pa.schema(fields, schema.metadata)


def plain_batch(batch: pa.RecordBatch, schema: pa.Schema) -> pa.RecordBatch:
    """`batch` as its `plain_schema` has it."""
    columns = zip(batch.columns, schema, strict=True)
    return pa.RecordBatch.from_arrays(
        [plain(column, field.type) for column, field in columns], schema=schema
    )


def plain_type(kind: pa.DataType, *, dice: bool = False) -> pa.DataType:
    """The type of the values of `kind` in a `plain_schema`. Those of `dice` are text, whole numbers
    or floats, or lists of them, if that is what `kind` stands for.
    """
    types = pa.types
    if types.is_string_view(kind):
        return pa.large_utf8()
    if types.is_binary_view(kind):
        return pa.large_binary()
    if types.is_run_end_encoded(kind):
        return plain_type(kind.value_type, dice=dice)
    if types.is_dictionary(kind):
        held = plain_type(kind.value_type, dice=dice)
        if dice or held.num_fields:
            return held
        return pa.dictionary(kind.index_type, held, kind.ordered)
    if is_list(kind):
        held = plain_type(kind.value_type, dice=dice)
        if held == kind.value_type and not _is_list_view(kind):
            return kind
        large = types.is_large_list(kind) or types.is_large_list_view(kind)
        return (pa.large_list if large else pa.list_)(kind.value_field.with_type(held))
    if types.is_struct(kind):
        return pa.struct([field.with_type(plain_type(field.type, dice=dice)) for field in kind])
    if dice and isinstance(kind, pa.BaseExtensionType):
        return plain_type(kind.storage_type, dice=True)
    if dice and types.is_null(kind):
        return pa.utf8()
    if dice and (types.is_decimal(kind) or types.is_float16(kind)):
        return pa.float64()
    return kind


def plain(array: pa.Array, kind: pa.DataType) -> pa.Array:
    """`array` with the type `kind`, the `plain_type` of its own."""
    if array.type == kind:
        return array
    types = pa.types
    if isinstance(array.type, pa.BaseExtensionType):
        return plain(array.storage, kind)
    if types.is_run_end_encoded(array.type):
        rows = np.arange(array.offset, array.offset + len(array))
        runs = np.searchsorted(array.run_ends.to_numpy(), rows, side="right")
        return plain(array.values, kind).take(pa.array(runs))
    if types.is_dictionary(kind):
        words = plain(array.dictionary, kind.value_type)
        return pa.DictionaryArray.from_arrays(array.indices, words, ordered=kind.ordered)
    if types.is_dictionary(array.type):
        return plain(array.dictionary, kind).take(array.indices)
    if is_list(array.type):
        lengths = pc.list_value_length(array).fill_null(0).to_numpy(zero_copy_only=False)
        large = types.is_large_list(kind)
        ends = pa.array(np.cumsum(np.append(0, lengths)), pa.int64() if large else pa.int32())
        lists = pa.LargeListArray if large else pa.ListArray
        values = plain(array.flatten(), kind.value_type)
        return lists.from_arrays(ends, values, kind, mask=array.is_null())
    if types.is_struct(array.type):
        parts = zip(array.flatten(), kind, strict=True)
        held = [plain(part, field.type) for part, field in parts]
        return pa.StructArray.from_arrays(held, fields=list(kind), mask=array.is_null())
    return array.cast(kind)


def is_text(kind: pa.DataType) -> bool:
    """Whether a column of this plain type holds text."""
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def is_list(kind: pa.DataType) -> bool:
    """Whether a column of this type holds lists."""
    types = pa.types
    fixed = types.is_fixed_size_list(kind)
    return bool(types.is_list(kind) or types.is_large_list(kind) or fixed or _is_list_view(kind))


def _is_list_view(kind: pa.DataType) -> bool:
    return bool(pa.types.is_list_view(kind) or pa.types.is_large_list_view(kind))
