"""Folders made in parts by a Dask cluster; an interrupted run continues where it was."""
