import type { Axes } from '../../model/ids.js';
import type { WantedWheel } from '../../model/python/fitting-wheel.js';
import { createContext } from '../context.js';
import { expandAll } from '../expand.js';
import type { Facts } from '../facts.js';
import { ownWheel } from '../own-wheels.js';
import type { ReadFile } from '../read/release-file.js';
import { stagesWith } from '../stages.js';

/** A variant of a taken wheel that something needs. */
export interface UsedVariant {
  readonly wanted: WantedWheel;
  /** Fills `{python}` and the like in an address. */
  address(at: string): string;
}

/** Returns the variants of a taken wheel that other steps need, or all of them if none is needed. The plan reports
 * problems of the file. */
export function usedVariants(name: string, file: ReadFile, facts: Facts, version: string): readonly UsedVariant[] {
  const context = createContext({ file, facts, name: 'any', version, found: [] });
  const entries = stagesWith(facts.features).flatMap((stage) => stage.items?.(context) ?? []);
  const items = new Map(entries.map((item) => [item.id, item]));
  const { variants } = expandAll(items, context);
  const own = variants.get(`wheels/${name}`) ?? [];
  const needed = new Set([...variants.values()].flat().flatMap((one) => (one.because === null ? one.needs : [])));
  // An import adds needs that are known only at the commit of the wheel.
  const imports = Object.values(file.content.tests).some((test) => 'import' in test);
  const used = imports ? [] : own.filter((one) => needed.has(one));
  const project = ownWheel(file.content, name)?.project ?? name;
  return (used.length > 0 ? used : own).map(({ axes }) => ({
    wanted: { project, python: axes['python'] ?? null, platform: context.platformFacts(axes) },
    address: (at) => context.text(at, axes as Axes, ['wheels', name, 'from', 'at']),
  }));
}
