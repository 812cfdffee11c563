import type { Problem } from '../../../../model/failure.js';
import { type Depset, edgesOf } from './depset.js';
import { problems } from './errors.js';

export type Depsets = ReadonlyMap<string, Depset>;

/** Depsets by name, and everything that keeps them from being a graph without cycles. */
export function graphOf(all: readonly Depset[], complain: (problem: Problem) => void): Depsets {
  const byName = new Map<string, Depset>();
  const byOutput = new Map<string, Depset>();
  for (const one of all) {
    const [named, written] = [byName.get(one.name), byOutput.get(one.output)];
    if (named) complain(problems.nameTwice(one.at('name'), one.name, named.at('name')));
    else if (written) complain(problems.twoWriters(one.at('output'), one.output, one.name, written.at('output')));
    if (!named) byName.set(one.name, one);
    if (!written) byOutput.set(one.output, one);
  }
  for (const one of byName.values())
    for (const other of edgesOf(one))
      if (!byName.has(other)) complain(problems.unknownDepset(one.at(edgeKey(one)), one.name, other));
  for (const names of cycles(byName)) complain(problems.cycle(byName.get(names[0]!)!.at('name'), names));
  return byName;
}

/** More cycles teach nothing new. */
const MOST_CYCLES = 20;

const edgeKey = ({ operation }: Depset): string => (operation === 'expand' ? 'depsets' : 'source_depset');

/** Each cycle once, from the first of its names in the order of the files. */
function cycles(depsets: Depsets): readonly (readonly string[])[] {
  const done = new Set<string>();
  const found: string[][] = [];
  for (const root of depsets.keys()) {
    const stack = [{ name: root, next: 0 }];
    const trail = new Set([root]);
    while (stack.length > 0 && !done.has(root)) {
      const top = stack.at(-1)!;
      const one = depsets.get(top.name);
      const other = one && edgesOf(one)[top.next++];
      if (other === undefined) {
        done.add(top.name);
        trail.delete(top.name);
        stack.pop();
      } else if (trail.has(other)) {
        found.push([...[...trail].slice([...trail].indexOf(other)), other]);
        if (found.length === MOST_CYCLES) return found;
      } else if (depsets.has(other) && !done.has(other)) {
        trail.add(other);
        stack.push({ name: other, next: 0 });
      }
    }
  }
  return found;
}

/** Returns the chosen depsets and all their dependencies, in the order of the files. */
export function withAncestors(chosen: readonly string[], depsets: Depsets): readonly Depset[] {
  const wanted = new Set(chosen);
  for (const name of wanted) for (const other of edgesOf(depsets.get(name)!)) wanted.add(other);
  return [...depsets.values()].filter(({ name }) => wanted.has(name));
}

/** Requirement files of a depset: its own, and for expand those of all below. A relaxed one counts by its lock. */
export function requirementsOf(one: Depset, depsets: Depsets): readonly string[] {
  const files = new Set<string>(one.requirements);
  const seen = new Set([one]);
  for (const each of seen) {
    if (each.operation !== 'expand') continue;
    for (const name of each.depsets) {
      const other = depsets.get(name)!;
      if (other.operation === 'relax' && each === one) files.add(other.output);
      else {
        for (const file of other.requirements) files.add(file);
        seen.add(other);
      }
    }
  }
  return [...files].sort();
}
