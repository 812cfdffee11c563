"""The folder of Ray's headers and library: `python -c 'import ray_cpp; print(*ray_cpp.__path__)'`."""
