# The line `run` of the cluster `cloud`. The last line of the answer is the exit status of the test.
curl -sSfN -H "Cluster:$HANDLE" -d "$SCRIPT" http://127.0.0.1:8270/run |
  awk 'BEGIN { status = 125 } /^exit status: [0-9]+$/ { status = $3; next } { print; fflush() } END { exit status }'
