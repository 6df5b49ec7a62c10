"""Folders made in parts by a Dask cluster; a run that was broken off goes on where it was."""
