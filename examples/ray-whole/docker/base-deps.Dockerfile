# Ubuntu, or CUDA's devel image on it; the lock of one Python.
ARG ACCELERATOR
FROM scratch
COPY deps/ /deps/
