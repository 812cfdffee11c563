#!/bin/sh
# Shows the plan of a campaign, starts it, follows it, and copies what it made to $ARTIFACT_DIR.
# Jenkinsfile and slipway-campaign-ref.yaml call it with these variables:
#   PROJECT                           folder of the release file
#   PRESETS                           presets with commas between them, or empty
#   MEMBER                            the machine or cluster that is measured, or empty
#   CLEAN, PREPARE, TEST, CLEAN_AFTER a step is skipped unless its value is true
#   BUILD_ID                          number of the build; a build that is started again finds its open run
# The exit code is that of `slipway watch`: 0 done, 1 failed, 3 cancelled, 4 waits for an action.
set -eu

skip=
[ "$CLEAN" = true ] || skip=$skip,steps/clean
[ "$PREPARE" = true ] || skip=$skip,steps/prepare
[ "$TEST" = true ] || skip=$skip,steps/test
[ "$CLEAN_AFTER" = true ] || skip=$skip,steps/clean-after

# Each value is a part of one argument: the shell reads it once. `--` ends the options, so PROJECT is none.
set -- -- "$PROJECT"
[ -z "$skip" ] || set -- "--skip=${skip#,}" "$@"
[ -z "$PRESETS" ] || set -- "--preset=$PRESETS" "$@"
if [ -n "$MEMBER" ]; then
  # --set takes YAML. In single quotes '' is a quote, and an empty line is a line break.
  set -- "--set=service.name='$(printf '%s' "$MEMBER" | sed "s/'/''/g;\$!G")'" "$@"
fi
set -- "--label=build-$BUILD_ID" "$@"

slipway plan "$@"
started=$(slipway run --no-wait --json --on-hold=fail "$@")
run=${started#*'"workflowId":"'}
run=${run%%'"'*}
status=0
slipway watch --on-hold=wait "$run" || status=$?
slipway artifacts export --run "$run" -o "$ARTIFACT_DIR/slipway"
exit "$status"
