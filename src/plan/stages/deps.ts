import type { Lock } from '../../model/schema/sections/builds.js';
import type { Context } from '../context.js';
import { draft } from '../draft.js';
import { frameItem, idsOf, pythonByPlatform, sourceNeed, unique } from '../entry.js';
import type { Path } from '../errors.js';
import { problems } from '../errors.js';
import type { Draft, Item, Variant } from '../item.js';
import type { Stage } from '../stage.js';

export const deps: Stage = {
  id: 'deps',
  title: 'locking dependencies',
  items: (context) => Object.entries(context.release.deps).map(([name, lock]) => item(name, lock, context)),
};

function item(name: string, lock: Lock, context: Context): Item {
  const path = ['deps', name];
  const framed = frameItem(`deps/${name}`, lock, path, context);
  if (lock.requires.length + lock.in.length === 0) context.complain(problems.missingKey(context.at(path), 'requires'));
  if (lock.tool === 'pip-tools' && lock.cutoff !== undefined)
    context.complain(problems.cutoffUnknown(context.at([...path, 'cutoff'], 'key'), lock.cutoff));
  const fromSource =
    lock.in.length > 0 ||
    lock.drift !== undefined ||
    lock.constraints.some((text) => text.includes('/') || text.endsWith('.txt'));
  return {
    ...framed,
    own: pythonByPlatform(context),
    needs: unique([...framed.needs, ...(fromSource ? [sourceNeed(path, context)] : [])]),
    leaveOut: (axes) => {
      const value = Object.values(axes).find((one) => one in lock.skip);
      return value === undefined ? null : `deps.${name}.skip: ${lock.skip[value]}`;
    },
    make: (variant) => make(name, lock, variant, path, context),
  };
}

function make(name: string, lock: Lock, variant: Variant, path: Path, context: Context): Draft {
  const { axes } = variant;
  const filled = (texts: readonly string[], key: string): readonly string[] =>
    texts.map((text, index) => context.text(text, axes, [...path, key, index]));
  return draft('compileLock', {
    id: variant.id,
    on: queueOf(lock, axes, path, context),
    axes,
    needs: idsOf(variant),
    params: {
      name,
      tool: lock.tool,
      python: axes['python'] ?? context.pythons[0] ?? '',
      for: context.platformFacts(axes),
      requires: filled(lock.requires, 'requires'),
      in: filled(lock.in, 'in'),
      constraints: filled(lock.constraints, 'constraints'),
      cutoff: instant(lock.cutoff),
      drift: lock.drift === undefined ? null : context.text(lock.drift, axes, [...path, 'drift']),
    },
    made: true,
    tools: lock.tool === 'uv' ? ['uv'] : ['uv', 'pip-compile'],
    timeout: lock.timeout,
    retry: lock.retry,
  });
}

/** uv locks for any platform on any machine; pip-tools only for the machine it runs on. */
const queueOf = (lock: Lock, axes: Variant['axes'], path: Path, context: Context) =>
  context.queueOf(axes, lock.on ?? (lock.tool === 'uv' ? context.mainQueue : undefined), path);

/** A day means its first moment in UTC. */
const instant = (cutoff: string | undefined): string | null =>
  cutoff === undefined ? null : cutoff.includes('T') ? cutoff : `${cutoff}T00:00:00Z`;
