#!/bin/sh
# The namespace and the search attributes that runs set: an unregistered one would wedge a run for ever. Safe to repeat.
set -eu
until temporal operator cluster health; do sleep 1; done
temporal operator namespace describe --namespace default || temporal operator namespace create --namespace default --retention 720h
for pair in SlipwayRelease=Keyword SlipwayState=Keyword SlipwayHeld=Int; do
  temporal operator search-attribute create --name "${pair%=*}" --type "${pair#*=}"
done
