import type { Params } from '../../../model/params.js';
import { InnerPath } from '../../../model/schema/scalars.js';
import type { Lock } from '../schemas/lock.js';
import type { Context } from '../../../plan/context.js';
import { plannedStep } from '../../../plan/planned-step.js';
import { frameItem, idsOf, instantOf, pythonByPlatform, sourceNeed, unique } from '../../../plan/entry.js';
import { problems, type Path } from '../../../plan/errors.js';
import { axesWithout } from '../../../plan/idle-keys.js';
import { asked, toolEntry, toolNeed, type Asked } from './tool-version.js';
import { checkOptions, isFile } from './lock-options.js';
import type { Stage, PlannedStep, PlanEntry, Variant } from '../../../plan/stage.js';
import { didYouMean } from '../../../model/suggest.js';

export const deps: Stage = {
  id: 'deps',
  title: 'locking dependencies',
  items: (context) => {
    const writers = new Map<string, string>();
    return Object.entries(context.release.deps).flatMap(([name, lock]) =>
      'import' in lock ? [] : items(name, asked(lock), writers, context.sourced(lock.source, ['deps', name])),
    );
  },
  steps: (context, { variants }) => {
    for (const [name, lock] of Object.entries(context.release.deps))
      if (!('import' in lock)) checkSkip(name, lock, variants.get(`deps/${name}`) ?? [], context);
    return [];
  },
};

/** Complains about a skipped value that no variant has: it is redundant or misspelt. */
function checkSkip(name: string, { skip }: Lock, variants: readonly Variant[], context: Context): void {
  const values = [...new Set(variants.flatMap(({ axes }) => Object.values(axes)))];
  for (const value of Object.keys(skip).filter((one) => !values.includes(one)))
    context.needsThat(
      ['deps', name, 'skip', value],
      `no variant of deps/${name} has the value ${JSON.stringify(value)}${didYouMean(value, values)}`,
      'Write a value of its axes, or take the line away.',
    );
}

function items(name: string, lock: Asked, writers: Map<string, string>, context: Context): readonly PlanEntry[] {
  const own = item(name, lock, writers, context);
  const tool = toolEntry(name, lock, own, context);
  return tool === null ? [own] : [tool, own];
}

/** @param writers steps by the source file that they write */
function item(name: string, lock: Asked, writers: Map<string, string>, context: Context): PlanEntry {
  const path = ['deps', name];
  const framed = frameItem(`deps/${name}`, lock, path, context);
  const gone = context.leftOut(`deps/${name}`);
  if (gone === null) check(lock, path, context);
  const fromSource =
    lock.in.length > 0 || lock.drift !== undefined || lock.lock !== undefined || lock.constraints.some(isFile);
  return {
    ...framed,
    own: pythonByPlatform(context),
    without: axesWithout(lock, path, context),
    needs: unique([...framed.needs, ...toolNeed(name, lock), ...(fromSource ? [sourceNeed(path, context)] : [])]),
    leaveOut: (axes) => {
      if (gone !== null) return gone;
      const value = Object.values(axes).find((one) => one in lock.skip);
      return value === undefined ? null : `deps.${name}.skip: ${lock.skip[value]}`;
    },
    make: (variant) => make(name, lock, variant, writers, context),
  };
}

function check(lock: Asked, path: Path, context: Context): void {
  const wrong = (key: string, why: string, next: string): void => context.needsThat([...path, key], why, next);
  if (lock.requires.length + lock.in.length === 0) context.complain(problems.missingKey(context.at(path), 'requires'));
  if (lock.tool !== 'uv' && lock.cutoff !== undefined)
    context.complain(problems.cutoffUnknown(context.at([...path, 'cutoff'], 'key'), lock.cutoff));
  if (lock.drift === 'bytes' && (lock.lock === undefined || lock.write !== 'exact'))
    wrong('drift', '`drift: bytes` compares the file of the source', 'Write `lock: PATH` and `write: exact` besides.');
  if (lock.lock !== undefined && lock.source !== undefined)
    wrong('lock', '`slipway deps write` writes into the source of the file alone', 'Take `lock` away, or `source`.');
  if (lock.tool === 'relax' && (lock.in.length !== 1 || lock.requires.length > 0))
    wrong('tool', 'relax takes packages out of one lock', 'Write `in: [PATH]` with that lock, and no `requires`.');
  if (lock.tool === 'relax' && lock.constraints.length > 0)
    wrong('constraints', 'relax resolves nothing, so it takes no constraints', 'Take `constraints` away.');
  if (lock.tool !== 'relax' && lock.without.length > 0)
    wrong('without', `${lock.tool} takes nothing out`, 'Write `tool: relax`, or take `without` away.');
}

function make(
  name: string,
  lock: Asked,
  variant: Variant,
  writers: Map<string, string>,
  context: Context,
): PlannedStep {
  const { axes } = variant;
  const path = ['deps', name];
  const filled = (texts: readonly string[], key: string): readonly string[] =>
    texts.map((text, index) => context.text(text, axes, [...path, key, index]));
  const python = axes['python'] ?? context.pythons[0];
  const written = asWritten(name, lock, variant, writers, context);
  return plannedStep('compileLock', {
    id: variant.id,
    on: queueOf(lock, axes, path, context),
    axes,
    source: context.ownSource,
    needs: idsOf(variant),
    params: {
      name,
      tool: lock.tool,
      ...(lock.version !== undefined && { version: lock.version }),
      python: python ?? '',
      for: context.platformFacts(axes),
      requires: filled(lock.requires, 'requires'),
      in: filled(lock.in, 'in'),
      constraints: filled(lock.constraints, 'constraints'),
      cutoff: instantOf(lock.cutoff),
      drift:
        lock.drift === undefined || lock.drift === 'bytes' ? null : context.text(lock.drift, axes, [...path, 'drift']),
      ...written,
    },
    made: true,
    // The proof asks the worker's tool, which may know other options.
    ...(written.options &&
      lock.version === undefined && { options: { tool: lock.tool, options: written.options, of: name } }),
    tools: { uv: ['uv'], 'pip-tools': lock.version === undefined ? ['uv', 'pip-compile'] : ['uv'], relax: [] }[
      lock.tool
    ],
    timeout: lock.timeout,
    retry: lock.retry,
  });
}

type Written = Pick<Params['compileLock'], 'options' | 'lock' | 'exact' | 'bytes' | 'without'>;

/** Returns the optional keys of a lock. An absent key is no part of the step key. */
function asWritten(
  name: string,
  lock: Asked,
  { id, axes }: Variant,
  writers: Map<string, string>,
  context: Context,
): Written {
  const path = ['deps', name];
  const options = lock.options.map((text, index) => context.text(text, axes, [...path, 'options', index]));
  checkOptions(options, lock.tool, [...path, 'options'], context);
  const file = lock.lock === undefined ? null : context.text(lock.lock, axes, [...path, 'lock']);
  if (file !== null) checkFile(file, id, [...path, 'lock'], writers, context);
  return {
    ...(options.length > 0 && { options }),
    ...(file !== null && { lock: file }),
    ...(lock.write === 'exact' && { exact: true }),
    ...(lock.drift === 'bytes' && { bytes: true }),
    ...(lock.without.length > 0 && { without: lock.without }),
  };
}

function checkFile(file: string, id: string, path: Path, writers: Map<string, string>, context: Context): void {
  const other = writers.get(file);
  if (!InnerPath.safeParse(file).success)
    context.complain(problems.wrongValue(context.at(path), `${JSON.stringify(file)} leaves the source`));
  if (other !== undefined) context.complain(problems.twoWriters(context.at(path), file, [other, id]));
  writers.set(file, id);
}

/** uv locks for any platform on any machine; pip-tools only for its own machine. */
const queueOf = (lock: Asked, axes: Variant['axes'], path: Path, context: Context) =>
  context.queueOf(axes, lock.on ?? (lock.tool === 'pip-tools' ? undefined : context.mainQueue), path);
