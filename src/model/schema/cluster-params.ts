import { z } from 'zod';
import { CLUSTER_CLIENTS } from '../tests/cluster.js';

const text = z.string();
const words = z.record(text, text);
const limited = z.strictObject({ run: text, vars: words.exactOptional(), limitMs: z.number().positive() });
const lines = z.strictObject({
  up: text,
  nodes: text,
  put: text,
  get: text,
  run: text,
  down: text,
  attach: text.exactOptional(),
});

const Manager = z.discriminatedUnion('by', [
  z.strictObject({ by: z.literal('local') }),
  z.strictObject({
    by: z.literal('docker'),
    base: text,
    memoryMiB: z.int().nullable(),
    ray: text.exactOptional(),
  }),
  z.strictObject({ by: z.literal('ssh'), hosts: z.array(text), ray: text, config: text.nullable() }),
  z.strictObject({ by: z.literal('jobs'), address: text }),
  z.strictObject({ by: z.literal('command'), lines }),
]);

export const ClusterTestShape = z.strictObject({
  label: text,
  title: text.nullable(),
  cluster: z.strictObject({
    name: text,
    manager: Manager,
    nodes: z.int().positive(),
    cpus: z.int().positive(),
    upMs: z.number().positive(),
  }),
  wait: z.strictObject({ nodes: z.int().positive(), forMs: z.number().positive() }),
  by: z.enum(CLUSTER_CLIENTS),
  prepare: limited.nullable(),
  test: limited,
  env: words,
  folder: text.nullable(),
  long: z.boolean(),
  result: text.nullable(),
  artifact: text.nullable(),
  alerts: z.array(
    z.strictObject({
      value: text,
      atMost: z.number().exactOptional(),
      atLeast: z.number().exactOptional(),
      equals: z.union([text, z.number(), z.boolean()]).exactOptional(),
    }),
  ),
  python: text.nullable(),
  smoke: z.boolean(),
  pool: z.strictObject({ name: text, limit: z.int().positive() }).nullable(),
  owner: text.nullable(),
  about: words,
});
