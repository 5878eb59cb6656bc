"""CUDA kernels for CuPy arrays: their sources (`*.cu`), what they are compiled for, and how they are started."""
