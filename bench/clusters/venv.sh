# Makes a virtual environment from a lock, without network: the cache of uv has all wheels. Sourced; needs UV, LOCK, CACHE and WORK.
"$UV" venv --quiet --offline --python "$PYTHON" "$WORK/venv"
VIRTUAL_ENV=$WORK/venv "$UV" pip sync --quiet --offline --cache-dir "$CACHE/uv" "$LOCK"
