import { stringify } from 'yaml';
import { canonical, type Json, type JsonObject } from '../../../../model/json.js';

/** Prints a pipeline, its keys sorted. Equal parts are written once, with an anchor: a pipeline of hundreds of jobs stays small. */
export function pipelineText(pipeline: JsonObject): string {
  const known = new Map<string, Json>();
  const shared = (value: Json | undefined): Json => {
    if (value === undefined) return null;
    if (value === null || typeof value !== 'object' || Object.keys(value).length === 0) return value;
    const name = canonical(value);
    const one = known.get(name) ?? copied(value);
    known.set(name, one);
    return one;
  };
  const copied = (value: Json): Json =>
    Array.isArray(value)
      ? value.map(shared)
      : Object.fromEntries(Object.entries(value as JsonObject).map(([key, inner]) => [key, shared(inner)]));
  const sorted = Object.keys(pipeline).sort();
  // GitLab reads YAML 1.1: `yes` is a text in quotes alone.
  return stringify(Object.fromEntries(sorted.map((key) => [key, shared(pipeline[key])])), {
    ...{ version: '1.1', lineWidth: 0, anchorPrefix: 'id' },
  });
}
