#!/usr/bin/env bash
# One node, one job, its result. It runs in namespaces of its own, which end with it: so it stops no other Ray.
set -euo pipefail
ip link set lo up
. "$(dirname "$0")/venv.sh"
export PATH=$WORK/venv/bin:$PATH HOME=$WORK RAY_ADDRESS=http://127.0.0.1:8265
cd "$WORK"
ray start --head --block --disable-usage-stats --num-cpus=2 --object-store-memory=209715200 --temp-dir="$WORK/ray" \
  --node-ip-address=127.0.0.1 --dashboard-host=127.0.0.1 >head.log 2>&1 &
head=$!
until ray list nodes --filter state=ALIVE >nodes.log 2>&1 && grep -q ALIVE nodes.log; do sleep 0.3; done
ray job submit --runtime-env-json "{\"env_vars\": {\"TEST_OUTPUT_JSON\": \"$WORK/result.json\"}}" -- bash -x -c "python $FILES/squares.py"
grep -q '"total": 328350' result.json
kill "$head"
wait "$head" || true
