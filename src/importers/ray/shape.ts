/** Types of values in Ray's own schema. */
export type Shape =
  | 'text'
  | { readonly atLeast: number; readonly atMost: number }
  | 'boolean'
  | 'list of texts'
  | 'map'
  | { readonly of: readonly string[] }
  | { readonly keys: Readonly<Record<string, Shape>>; readonly needed: readonly string[] };

/** Longer ones are no durations of ours. */
const SECONDS = { atLeast: 1, atMost: 999_999 };

export const FREQUENCIES = ['manual', 'nightly', 'nightly-3x', 'weekly', 'monthly'] as const;
const FREQUENCY = { of: FREQUENCIES };

const BYOD = {
  keys: {
    type: { of: ['cpu', 'gpu', 'gpu-cu130', 'cu123', 'llm-cu128', 'llm-cu130'] },
    post_build_script: 'text',
    python_depset: 'text',
    runtime_env: 'list of texts',
  },
  needed: [],
} as const;

const CLUSTER = {
  keys: {
    cluster_compute: 'text',
    ray_version: 'text',
    autosuspend_mins: { atLeast: -1, atMost: 1_000_000 },
    cloud: 'text',
    cloud_id: 'text',
    project_id: 'text',
    anyscale_sdk_2026: 'boolean',
    byod: BYOD,
  },
  needed: ['cluster_compute'],
} as const;

const RUN = {
  keys: {
    script: 'text',
    timeout: SECONDS,
    type: { of: ['command', 'sdk_command', 'job', 'client', 'anyscale_job'] },
    wait_for_nodes: { keys: { num_nodes: { atLeast: 0, atMost: 100_000 }, timeout: SECONDS }, needed: ['num_nodes'] },
    prepare: 'text',
    prepare_timeout: SECONDS,
    long_running: 'boolean',
    artifact_path: 'text',
    num_retries: { atLeast: 0, atMost: 100 },
  },
  needed: ['script', 'timeout'],
} as const;

const OWN = {
  name: 'text',
  group: 'text',
  working_dir: 'text',
  repeated_run: { atLeast: 1, atMost: 1_000 },
  env: 'text',
  stable: 'boolean',
  python: { of: ['3.10', '3.11', '3.12', '3.13'] },
  frequency: FREQUENCY,
  team: 'text',
  cluster: CLUSTER,
  run: RUN,
  alert: 'text',
} as const;

/** A smoke test is merged over its test, and the result is checked as a test. */
const SMOKE_TEST = {
  keys: { frequency: FREQUENCY, working_dir: 'text', env: 'text', cluster: 'map', run: 'map', alert: 'text' },
  needed: ['frequency'],
} as const;

export type Keys = Extract<Shape, { keys: unknown }>;

/** `Test` of upstream's release/ray_release/schema.json, with the newest keys. */
export const TEST = {
  keys: { ...OWN, smoke_test: SMOKE_TEST },
  needed: ['name', 'team', 'frequency', 'working_dir', 'cluster', 'run'],
} as const;

/** Paths of all single values, as filters name them: `run/timeout`. */
export const attributesOf = ({ keys }: Keys, above = ''): readonly string[] =>
  Object.entries(keys).flatMap(([key, shape]) =>
    typeof shape === 'object' && 'keys' in shape
      ? attributesOf(shape, `${above}${key}/`)
      : shape === 'map'
        ? []
        : [`${above}${key}`],
  );
