import type { SourceLocation } from '../../model/failure.js';
import type { JsonObject } from '../../model/json.js';
import type { Hash } from '../../model/digest.js';
import type { ImportedEntry } from '../../model/imported-entry.js';
import type { TestAlerts } from './alerts.js';
import type { RayImport } from './asked.js';
import { byodImage, runtimeVariables } from './byod.js';
import type { Chosen } from './choose.js';
import type { Pool } from '../../model/tests/cluster.js';
import { imageName } from './images.js';
import { literally, stepName } from './names.js';
import { attribute, DEFAULT_PYTHON, type Form, numberIn, textIn } from './test.js';

/** Input for making an entry, besides the keys of the test. */
export interface Making {
  readonly say: RayImport;
  readonly cluster: string;
  readonly alerts: TestAlerts;
  readonly pool: Pool | null;
  readonly hash: Hash;
}

/** A test as an entry of `tests:`. */
export function entryOf({ test, form, isSmoke }: Chosen, making: Making): ImportedEntry {
  const { say, cluster, alerts, pool, hash } = making;
  const { keys, folder } = form;
  const name = stepName(`${say.prefix}${test.name}`, hash);
  const image = imageName(form, say, hash);
  const python = textIn(keys, 'python') ?? DEFAULT_PYTHON;
  const repeat = numberIn(keys, 'repeated_run');
  const env = runtimeVariables((attribute(keys, 'cluster/byod/runtime_env') as readonly string[] | undefined) ?? []);
  return {
    name,
    origin: test.origin,
    places: placesOf(form),
    because: null,
    entry: {
      ...(name !== test.name && { title: test.name }),
      needs: [...say.needs, ...(image === null ? [] : [`images/${image}`])],
      pythons: [`cp${python.replace('.', '')}`],
      cluster,
      ...waitOf(keys),
      by: BY[textIn(keys, 'run/type') ?? 'anyscale_job']!,
      ...prepareOf(keys),
      run: `${literally(textIn(keys, 'run/script') ?? '')}${isSmoke ? ' --smoke-test' : ''}`,
      folder: literally(folder),
      ...(attribute(keys, 'run/long_running') === true && { long: true }),
      timeout: seconds(numberIn(keys, 'run/timeout') ?? DEFAULT_TIMEOUT),
      ...(alerts.result && { result: 'result.json' }),
      ...artifactOf(keys),
      ...(alerts.rows.length > 0 && { alerts: [...alerts.rows] }),
      ...(Object.keys(env).length > 0 && { env: literalEnv(env) }),
      ...(pool && { pool: { ...pool } }),
      owner: textIn(keys, 'team') ?? '',
      ...(isSmoke && { smoke: true }),
      tags: tagsOf(form, python, hash),
      ...(repeat !== undefined && repeat > 1 && { repeat }),
      retry: retryOf(numberIn(keys, 'run/num_retries')),
    },
  };
}

const DEFAULT_TIMEOUT = 1800;
const DEFAULT_WAIT = 3000;
const seconds = (count: number): string => `${count}s`;

const BY: Readonly<Record<string, string>> = {
  command: 'command',
  sdk_command: 'sdk',
  job: 'job',
  client: 'client',
  anyscale_job: 'job',
};

function waitOf(keys: JsonObject): JsonObject {
  const nodes = numberIn(keys, 'run/wait_for_nodes/num_nodes');
  const limit = numberIn(keys, 'run/wait_for_nodes/timeout') ?? DEFAULT_WAIT;
  // The head is always there, so that 0 is 1.
  return nodes === undefined ? {} : { wait: { nodes: Math.max(1, nodes), for: seconds(limit) } };
}

function prepareOf(keys: JsonObject): JsonObject {
  const run = textIn(keys, 'run/prepare');
  const limit = numberIn(keys, 'run/prepare_timeout');
  return run === undefined
    ? {}
    : { prepare: { run: literally(run), ...(limit !== undefined && { timeout: seconds(limit) }) } };
}

function artifactOf(keys: JsonObject): JsonObject {
  const artifact = textIn(keys, 'run/artifact_path');
  return artifact === undefined ? {} : { artifact: literally(artifact) };
}

const literalEnv = (env: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(env).map(([name, value]) => [name, literally(String(value))]));

/** Upstream waits 30 to 90 minutes before another cluster. `num_retries` counts every failure, and not those of the cluster alone. */
function retryOf(said: number | undefined): JsonObject {
  const again = (times: number): JsonObject => ({ times, wait: '30m..90m', atMost: '90m' });
  return said === undefined ? { infra: again(1) } : { infra: again(said), product: again(said) };
}

function tagsOf({ keys, environment, project, byod }: Form, python: string, hash: Hash): JsonObject {
  const group = textIn(keys, 'group');
  return {
    frequency: textIn(keys, 'frequency') ?? '',
    team: textIn(keys, 'team') ?? '',
    ...(group !== undefined && { group }),
    env: environment,
    ...(project !== null && { project }),
    ...(keys['stable'] === false && { stable: 'false' }),
    ...(byod !== null && { image: byodImage(byod, python, hash) }),
  };
}

/** Upstream's keys by ours. */
const FROM = {
  run: 'run/script',
  timeout: 'run/timeout',
  by: 'run/type',
  wait: 'run/wait_for_nodes',
  prepare: 'run/prepare',
  artifact: 'run/artifact_path',
  retry: 'run/num_retries',
  long: 'run/long_running',
  folder: 'working_dir',
  cluster: 'env',
  alerts: 'alert',
  pythons: 'python',
  repeat: 'repeated_run',
  owner: 'team',
  env: 'cluster/byod',
  pool: 'cluster/cluster_compute',
} as const;

function placesOf({ places }: Form): Readonly<Record<string, SourceLocation>> {
  const known = Object.entries(FROM).flatMap(([key, path]) => (places[path] ? [[key, places[path]] as const] : []));
  return Object.fromEntries(known);
}
