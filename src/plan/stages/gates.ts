import type { GateRules } from '../../model/gate.js';
import { CONTROL, type StepId } from '../../model/ids.js';
import type { Gate } from '../../model/schema/sections/gates.js';
import { bundlePath } from '../bundle.js';
import type { Context } from '../context.js';
import { plannedStep } from '../planned-step.js';
import { problems } from '../errors.js';
import type { Stage, PlannedStep } from '../stage.js';
import { isBuilt } from '../targets.js';
import { isSealed } from './seal.js';

/** Stages before a gate: the manifest and its attestation are complete when it opens. */
const SEALED: readonly string[] = ['seal', 'attest'];

export const gates: Stage = {
  id: 'gates',
  title: 'waiting at gates',
  steps: (context, made) => {
    const names = Object.keys(context.release.gates).sort();
    if (names.length > 0 && !isSealed(context))
      context.needsThat(
        ['gates'],
        'the pipeline publishes nothing, so no gate stands before anything',
        'Name what is published under `publish`, or take `gates` out.',
      );
    const sealed = made.drafts.filter(({ step }) => SEALED.includes(step.stage)).map(({ step }) => step.id);
    return names.map((name) => make(name, context.release.gates[name]!, sealed, context));
  },
};

function make(name: string, entry: Gate, sealed: readonly StepId[], context: Context): PlannedStep {
  for (const [index, target] of (entry.before ?? []).entries())
    checkTarget(target, ['gates', name, 'before', index], context);
  const params = rulesOf(name, entry, context);
  return plannedStep('passGate', {
    id: `gates/${name}`,
    on: CONTROL,
    needs: sealed,
    files: params.approvers.map(({ key }) => key),
    params,
  });
}

function rulesOf(name: string, entry: Gate, context: Context): GateRules {
  const approvers = Object.entries(entry.approvers).flatMap(([group, keys]) =>
    keys.map((key, index) => ({ group, key: bundlePath(key, ['gates', name, 'approvers', group, index], context) })),
  );
  const timeAlone = approvers.length === 0 && entry.quorum === undefined && entry.for !== undefined;
  return {
    gate: name,
    approvers,
    quorum: timeAlone ? 0 : (entry.quorum ?? 1),
    expiresMs: entry.expires,
    self: entry.self,
    soakMs: entry.for ?? 0,
    signed: entry.signed,
    tests: entry.tests,
  };
}

function checkTarget(target: string, path: readonly (string | number)[], context: Context): void {
  const known = Object.keys(context.release.publish).map((name) => `publish/${name}`);
  if (!known.includes(target)) context.complain(problems.unknownNeed(context.at(path), target, known));
  const entry = context.release.publish[target.slice('publish/'.length)];
  if (entry !== undefined && isBuilt(entry))
    context.needsThat(
      path,
      `${target} publishes each wheel as it is built, so no gate can stand before it`,
      'Take the target out of `before`, or write `when: sealed` in its entry.',
      'value',
    );
}

export const gatesBefore = (target: string, context: Context): readonly StepId[] =>
  Object.entries(context.release.gates)
    .filter(([, { before }]) => before === undefined || before.includes(`publish/${target}`))
    .map(([name]) => `gates/${name}`)
    .sort();
