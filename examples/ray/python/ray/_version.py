version = "2.54.0"
commit = "{{RAY_COMMIT_SHA}}"
