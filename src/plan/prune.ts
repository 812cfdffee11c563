import { fail, type Problem } from '../model/failure.js';
import { didYouMean } from '../model/suggest.js';
import type { Target } from '../model/target.js';
import { createContext, type Context } from './context.js';
import type { Facts } from './facts.js';
import { plannedHead } from './head.js';
import type { ReadFile } from './read/release-file.js';
import { targetOf } from './targets.js';

/** Complains about entries of `prune` that are no static index. */
export function checkPrune(context: Context): void {
  const { prune, publish } = context.release;
  const indexes = Object.keys(publish).filter((name) => publish[name]!.kind === 'simple');
  for (const name of Object.keys(prune))
    if (!indexes.includes(name))
      context.needsThat(
        ['prune', name],
        `"${name}" is no target of kind simple${didYouMean(name, indexes)}`,
        'Name a target of `publish` whose kind is simple.',
      );
}

/** A static index of a release file, as a plan has it. */
export interface PlannedIndex {
  readonly release: { readonly name: string; readonly version: string };
  readonly target: Target;
}

/** Returns the target of an index, whether or not a plan publishes to it. Throws every problem at once. */
export function plannedIndex(file: ReadFile, facts: Facts, target: string): PlannedIndex {
  const found: Problem[] = [];
  const { name, version } = plannedHead(file, facts, found);
  const context = createContext({ file, facts, name, version, found });
  const planned = targetOf(target, file.content.publish[target]!, context);
  if (found.length > 0) throw fail(found);
  return { release: { name, version }, target: planned };
}
