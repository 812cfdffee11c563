import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { type ImportFacts, noFacts } from '../../src/importers/asks.js';
import type { Imported, Setting } from '../../src/importers/importer.js';
import { ray, type RayImport } from '../../src/importers/ray/index.js';
import type { Catalogue } from '../../src/importers/ray/catalogue.js';
import type { Problem } from '../../src/model/failure.js';
import type { ChosenTests } from '../../src/model/plan.js';
import { Alerts, Groups, Instances } from '../../src/model/schema/ray-config.js';

const ROOT = join(__dirname, '..', '..');
const config = (path: string): unknown => parse(readFileSync(join(ROOT, 'config', path), 'utf8'));
export const CONFIG = {
  groups: Groups.parse(config('groups/ray.yaml')),
  instances: Instances.parse(config('instances.yaml')),
  alerts: Alerts.parse(config('alerts/ray.yaml')),
};
const hash = (text: string): `sha256:${string}` => `sha256:${createHash('sha256').update(text).digest('hex')}`;

export type Files = Readonly<Record<string, string>>;
export const TESTS = 'release/release_tests.yaml';

/** The files of examples/ray-night by their paths in the source. */
export function exampleFiles(): Files {
  const top = join(ROOT, 'examples', 'ray-night');
  const names = readdirSync(join(top, 'release'), { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    names
      .filter((one) => one.isFile())
      .map((one) => {
        const path = join(one.parentPath, one.name);
        return [path.slice(top.length + 1), readFileSync(path, 'utf8')];
      }),
  );
}

export const IMPORT: RayImport = {
  files: [TESTS],
  needs: ['wheels/ray'],
  clusters: { aws: 'three', gce: 'three', kuberay: 'drop' },
  change: [],
  prefix: '',
  instances: {},
};

/** Answers what the importer asks from these files, as planning does. */
export function catalogueOf(files: Files, entry: RayImport = IMPORT): Catalogue {
  const facts = noFacts() as { readonly [K in keyof ImportFacts]: Record<string, unknown> };
  let held: unknown;
  for (let round = 0; round < 10; round += 1) {
    const said = ray.read(entry, facts as ImportFacts, at, held);
    if ('kept' in said) return said.kept;
    held = said.held;
    for (const { ask, path } of said.asks) {
      const text = files[path] ?? null;
      facts[ask][path] = ask === 'id' ? text && hash(text) : text;
    }
  }
  throw new Error('the importer never ends');
}

const at = (path: readonly (string | number)[]) => ({ file: 'slipway.yaml', line: 1 + path.length });

export function imported(
  files: Files,
  said: Partial<RayImport> = {},
  chosen: ChosenTests = {},
  states: Setting['states'] = null,
): Imported {
  const entry = { ...IMPORT, ...said };
  // What was read is stored as JSON between two plans.
  const kept = JSON.parse(JSON.stringify(catalogueOf(files, entry))) as Catalogue;
  return ray.make(kept, entry, {
    at,
    hash,
    config: CONFIG,
    chosen,
    states,
    key: 'tests.night',
    platforms: {},
    epochs: {},
    indexes: [],
    tries: {},
    settings: null,
  });
}

/** A test file with these entries, and a compute file that its tests use. */
export const withTests = (text: string): Files => ({
  [TESTS]: text,
  'release/core/compute.yaml': 'head_node_type: { instance_type: m5.2xlarge }\nworker_node_types: []\n',
});

/** DEFAULTS with all that a test needs besides its name. */
export const HEAD = `- name: DEFAULTS
  team: core
  frequency: nightly
  working_dir: core
  cluster: { cluster_compute: compute.yaml }
  run: { script: python a.py, timeout: 60 }
`;

export const told = ({ code, place, message, next }: Problem): string =>
  `${place?.file}:${place?.line}:${place?.column ?? '-'} ${code}: ${message}\n  ${next}\n`;
