#!/usr/bin/env bash
# Three containers, one job, its result. Needs IMAGE, NAME and what venv.sh needs.
set -euo pipefail
trap 'docker rm --force "$NAME-1" "$NAME-2" "$NAME-3" >/dev/null 2>&1; docker network rm "$NAME" >/dev/null 2>&1' EXIT
. "$(dirname "$0")/venv.sh"
docker network create --internal "$NAME" >/dev/null
node() {
  local number=$1
  shift
  docker run --detach --name "$NAME-$number" --hostname "$NAME-$number" --network "$NAME" --memory 1200m --shm-size 360m \
    --env HOME=/tmp --env PATH="$WORK/venv/bin:/usr/bin:/bin" --volume "$WORK:$WORK" --volume "$FILES:$FILES:ro" \
    --volume "$PREFIX:$PREFIX:ro" --workdir "$WORK" "$IMAGE" \
    ray start --block --disable-usage-stats --num-cpus=1 --object-store-memory=377487360 --temp-dir=/tmp/ray "$@" >/dev/null
}
alive() { docker exec "$NAME-1" ray list nodes --filter state=ALIVE 2>/dev/null | grep -c 'ALIVE' || true; }
node 1 --head --dashboard-host=0.0.0.0
until [ "$(alive)" -ge 1 ]; do sleep 0.3; done
for number in 2 3; do
  node "$number" --address="$NAME-1:6379"
  until [ "$(alive)" -ge "$number" ]; do sleep 0.3; done
done
docker exec "$NAME-1" env RAY_ADDRESS=http://127.0.0.1:8265 ray job submit \
  --runtime-env-json "{\"env_vars\": {\"TEST_OUTPUT_JSON\": \"$WORK/result.json\"}}" -- bash -x -c "python $FILES/squares.py"
grep -q '"nodes": 3' "$WORK/result.json" || { docker cp "$NAME-1:$WORK/result.json" "$WORK/" && grep -q '"nodes": 3' "$WORK/result.json"; }
