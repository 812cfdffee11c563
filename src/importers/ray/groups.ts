import { compileExpression, type Expression } from '../../model/schema/expression.js';
import type { Groups, Instances } from '../../model/schema/ray-config.js';
import type { Pool } from '../../model/tests/cluster.js';
import { remembered } from '../remembered.js';
import type { Compute } from './compute.js';

export interface Resources {
  readonly cpus: number;
  readonly gpus: number;
}

/** Looks up instance types. @param own rows of the import, which come first */
export function createInstances(
  { exact, rules }: Instances,
  own: Readonly<Record<string, Resources>>,
): (type: string) => Resources | null {
  const compiled = rules.map((rule) => ({ ...rule, expression: compileExpression(rule.match, { whole: true }) }));
  return remembered((type) => {
    if (Object.hasOwn(own, type)) return own[type]!;
    const row = Object.hasOwn(exact, type) ? exact[type] : undefined;
    return row ? { cpus: row[0], gpus: row[1] } : byRule(type, compiled);
  });
}

type Rule = Instances['rules'][number] & { readonly expression: Expression };

function byRule(type: string, rules: readonly Rule[]): Resources | null {
  if (type.length > LONGEST) return null;
  for (const { expression, cpus, gpus } of rules) {
    const groups = expression.match(type);
    if (groups) return cpus === undefined ? null : { cpus: amount(cpus, groups), gpus: amount(gpus, groups) };
  }
  return null;
}

const LONGEST = 100;

function amount(said: number | string, groups: readonly (string | null)[]): number {
  if (typeof said === 'number') return said;
  const [, times = '1', group = '0'] = /^(?:(\d+)\*)?\$(\d)$/.exec(said) ?? [];
  return Number(times) * Number(groups[Number(group)] ?? 0);
}

/** CPUs and GPUs of all nodes, or the instance types that nobody knows. */
export function resourcesOf(
  { instances }: Compute,
  lookUp: (type: string) => Resources | null,
): Resources | readonly string[] {
  const found = instances.map(([type, nodes]) => ({ type, nodes, one: lookUp(type) }));
  const unknown = found.flatMap(({ type, one }) => (one === null ? [type] : []));
  if (unknown.length > 0) return unknown;
  const sum = (of: keyof Resources): number => found.reduce((all, { nodes, one }) => all + nodes * (one?.[of] ?? 0), 0);
  return { cpus: sum('cpus'), gpus: sum('gpus') };
}

const rowsOf = (groups: Groups, environment: string) =>
  (Object.hasOwn(groups, environment) ? groups[environment] : groups['*']) ?? [];

/** The first concurrency group that fits. Null: none does. */
export function poolFor({ cpus, gpus }: Resources, environment: string, groups: Groups): Pool | null {
  const fits = ([least, most]: readonly [number, number | null], count: number): boolean =>
    count >= least && (most === null || count <= most);
  const row = rowsOf(groups, environment).find(
    (one) => fits(one.cpus ?? [0, null], cpus) && fits(one.gpus ?? (one.cpus ? [0, 0] : [0, null]), gpus),
  );
  return row ? { name: row.pool, limit: row.limit } : null;
}

/** The group of a name, with the suffix of the environment where only that is there: `small` is `small-gce` on gce. */
export function poolNamed(name: string, environment: string, groups: Groups): Pool | null {
  const rows = rowsOf(groups, environment);
  const row = rows.find(({ pool }) => pool === name) ?? rows.find(({ pool }) => pool === `${name}-${environment}`);
  return row ? { name: row.pool, limit: row.limit } : null;
}
