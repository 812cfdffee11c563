import type { Complain } from '../file-problem.js';
import type { Groups, RayConfig } from '../../model/schema/ray-config.js';
import type { Pool } from '../../model/tests/cluster.js';
import type { At } from '../importer.js';
import { asked } from './asked-errors.js';
import type { RayImport } from './asked.js';
import type { Chosen } from './choose.js';
import { createInstances, poolFor, poolNamed, type Resources, resourcesOf } from './groups.js';

export interface Pools {
  /** The concurrency group of a test. Null: it has an instance type that is unknown. */
  of(one: Chosen): Pool | null;
  /** Complains of unknown instance types, each once with all its tests. */
  tellUnknown(complain: Complain): void;
}

const ALL_OTHERS = '*';

export function createPools({ groups, instances }: RayConfig, { instances: said }: RayImport, at: At): Pools {
  const rows = Object.entries(said).filter((row): row is [string, Resources] => typeof row[1] !== 'string');
  const lookUp = createInstances(instances, Object.fromEntries(rows));
  const fallback = typeof said[ALL_OTHERS] === 'string' ? said[ALL_OTHERS] : null;
  const unknown = new Map<string, { readonly tests: string[]; readonly first: Chosen }>();
  const orElse = (types: readonly string[], one: Chosen): Pool | null => {
    if (fallback !== null) return poolNamed(fallback, one.form.environment, groups);
    for (const type of new Set(types)) {
      const known = unknown.get(type) ?? { tests: [], first: one };
      known.tests.push(one.test.name);
      unknown.set(type, known);
    }
    return null;
  };
  return {
    of(one) {
      const found = resourcesOf(one.form.compute, lookUp);
      return 'cpus' in found ? poolFor(found, one.form.environment, groups) : orElse(found, one);
    },
    tellUnknown(complain) {
      for (const [type, { tests, first }] of unknown)
        complain(asked.unknownInstance(first.form.places['cluster/cluster_compute'], type, tests));
      if (fallback !== null && !namesOf(groups).includes(fallback))
        complain(asked.unknownGroup(at(['instances', ALL_OTHERS]), fallback, namesOf(groups)));
    },
  };
}

const namesOf = (groups: Groups): readonly string[] => [
  ...new Set(Object.values(groups).flatMap((rows) => rows.map(({ pool }) => pool))),
];
