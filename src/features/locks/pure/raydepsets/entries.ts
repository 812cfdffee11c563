import type { Problem } from '../../../../model/failure.js';
import type { JsonObject } from '../../../../model/json.js';
import type { CommitAsk, ImportFacts } from '../../../../importers/asks.js';
import type { ImportedEntry } from '../../../../model/imported-entry.js';
import { type Depset, edgesOf } from './depset.js';
import { problems } from './errors.js';
import { optionsOf, pythonOf } from './flags.js';
import { type Depsets, requirementsOf } from './graph.js';

const isOutside = (path: string): boolean => /^[/~\\]/.test(path) || path.split('/').includes('..');

/** Why depsets are not made, by name. Hooks are programs of the project, and planning runs none. Who expands such a one reads
 * requirements that its hooks prepare. */
export function leftOut(depsets: Depsets): ReadonlyMap<string, string> {
  const reasons = new Map<string, string>();
  const expanders = new Map<string, string[]>();
  for (const one of depsets.values()) {
    const because = ownReason(one);
    if (because !== null) reasons.set(one.name, because + COMMITTED);
    for (const name of one.operation === 'expand' ? new Set(one.depsets) : [])
      expanders.set(name, [...(expanders.get(name) ?? []), one.name]);
  }
  for (const [name] of reasons)
    for (const expander of expanders.get(name) ?? [])
      if (!reasons.has(expander)) reasons.set(expander, `it expands ${name}, which is left out${COMMITTED}`);
  return reasons;
}

function ownReason({ hooks, constraints, requirements, output }: Depset): string | null {
  const [hook] = hooks;
  if (hook !== undefined) return `its pre-hook ${JSON.stringify(hook)} is a script, and no import runs one`;
  const outside = [...constraints, ...requirements, output].find(isOutside);
  return outside === undefined ? null : `${JSON.stringify(outside)} lies outside the source`;
}

const COMMITTED = '; what needs its lock takes the committed one';

/** Files that a depset reads from the commit: no step of this import makes them. */
export function filesOf(
  one: Depset,
  depsets: Depsets,
  made: ReadonlySet<string>,
): readonly (readonly [string, string])[] {
  const source = one.source === null ? undefined : depsets.get(one.source);
  const below = one.operation === 'expand' ? one.depsets.map((name) => depsets.get(name)!) : [];
  const locks = new Set([source, ...below].flatMap((other) => (other && made.has(other.name) ? [other.output] : [])));
  const all = [
    ...requirementsOf(one, depsets).map((file) => [file, 'requirements'] as const),
    ...one.constraints.map((file) => [file, 'constraints'] as const),
    ...(source ? [[source.output, 'source_depset'] as const] : []),
  ];
  return all.filter(([file]) => !locks.has(file));
}

/** Questions about the commit that must be answered before entries can be made. */
export const asksOf = (files: readonly string[], facts: ImportFacts): readonly CommitAsk[] =>
  [...new Set(files)]
    .filter((path) => !Object.hasOwn(facts.present, path))
    .map((path) => ({ ask: 'present', path }) as const);

/** Requirement files of a subset must be among those of its source. */
export function subsetFaults(one: Depset, depsets: Depsets): readonly Problem[] {
  if (one.operation !== 'subset' || one.source === null) return [];
  const known = requirementsOf(depsets.get(one.source)!, depsets);
  return one.requirements
    .filter((file) => !known.includes(file))
    .map((file) => problems.notInSource(one.at('requirements'), one.name, file, one.source!));
}

/** Facts that entries are made from. */
export interface Making {
  readonly depsets: Depsets;
  /** Names of those that become steps. */
  readonly made: ReadonlySet<string>;
  readonly reasons: ReadonlyMap<string, string>;
  readonly drift: 'bytes' | null;
}

/** A depset as an entry of `deps:`. */
export function entryOf(one: Depset, { depsets, made, reasons, drift }: Making): ImportedEntry {
  return {
    name: one.name,
    origin: one.at(),
    places: {
      options: one.at('append_flags'),
      in: one.at('requirements'),
      constraints: one.at('constraints'),
      requires: one.at('packages'),
      lock: one.at('output'),
      without: one.at('packages'),
      needs: one.at(one.operation === 'expand' ? 'depsets' : 'source_depset'),
    },
    because: reasons.get(one.name) ?? null,
    entry: {
      platform: 'none',
      lock: one.output,
      write: 'exact',
      ...(drift !== null && { drift }),
      ...(made.has(one.name) && { needs: edgesOf(one).flatMap((name) => (made.has(name) ? [`deps/${name}[*]`] : [])) }),
      ...(one.operation === 'relax' ? relaxed(one, depsets) : compiled(one, depsets)),
    },
  };
}

const relaxed = (one: Depset, depsets: Depsets): JsonObject => ({
  tool: 'relax',
  python: 'none',
  in: [depsets.get(one.source!)!.output],
  without: [...one.packages],
});

function compiled(one: Depset, depsets: Depsets): JsonObject {
  const options = optionsOf(one);
  const python = pythonOf(options);
  const source = one.operation === 'subset' ? [depsets.get(one.source!)!.output] : [...one.constraints];
  return {
    ...(python === null ? { python: 'none' } : { pythons: [python] }),
    in: [...requirementsOf(one, depsets)],
    requires: one.operation === 'compile' ? [...one.packages] : [],
    constraints: source.sort(),
    options: [...options],
  };
}
