import { CONTROL, type StepId } from '../../model/ids.js';
import { readFiles } from '../bundle.js';
import type { Context } from '../context.js';
import { plannedStep } from '../planned-step.js';
import { problems } from '../errors.js';
import type { Stage, PlannedStep } from '../stage.js';
import { TARGETS } from '../../model/target-kinds.js';
import { isBuilt, publishId, rankOf, publishItems, shownUnder, targetOf, type PublishItem } from '../targets.js';
import { ATTEST } from './attest.js';
import { gatesBefore } from './gates.js';
import { SEAL } from './seal.js';
import { verifyIds } from './verify.js';

export const publish: Stage = {
  id: 'publish',
  title: 'publishing',
  steps: (context, made) => {
    const all = publishItems(context, made).map((one) => ({ ...one, id: publishId(one), rank: rankOf(one) }));
    const targets = Object.keys(context.release.publish);
    // Imported wheels may all be there already.
    const isIdle = context.isImportedTo('wheels') && ![...made.variants.keys()].some((id) => id.startsWith('wheels/'));
    if (targets.length > 0 && all.length === 0 && !isIdle && !context.failed)
      context.complain(problems.nothingToPublish(context.at(['publish'], 'key'), targets));
    const ids = verifyIds(context, made);
    const verified = (target: string): readonly StepId[] => ids.get(target) ?? [];
    return all.map((one) => make(one, all, verified, context));
  },
};

/** An item to publish with the id of its step, stored because many others ask for it. */
interface Ranked extends PublishItem {
  readonly id: StepId;
  readonly rank: number;
}

/** Plans an upload. It waits for the seal and for all uploads to more reversible targets. */
function make(publishItem: Ranked, all: readonly Ranked[], verified: Verified, context: Context): PlannedStep {
  const { target, entry, artifact } = publishItem;
  const of = [artifact.id, ...(publishItem.signatures === null ? [] : [publishItem.signatures])];
  const before = isBuilt(entry)
    ? []
    : all.filter(
        (other) => other.rank < publishItem.rank && !isBuilt(other.entry) && !waitsFor(other.target, target, context),
      );
  const tested = entry.kind === 'git-tag' ? before.flatMap((other) => verified(other.target)) : [];
  return plannedStep('publishArtifacts', {
    id: publishItem.id,
    on: CONTROL,
    axes: artifact.axes,
    needs: [
      ...of,
      ...(isBuilt(entry) ? [] : [SEAL, ATTEST, ...gatesBefore(target, context)]),
      ...entry.needs.flatMap((need) => verified(need.slice('verify/'.length))),
    ],
    wants: [...before.map(({ id }) => id), ...tested],
    params: {
      target: targetOf(target, entry, context),
      of,
      tags: shownUnder(publishItem, context),
      ...(isBuilt(entry) && { when: 'built' as const }),
    },
    files: linesIn(entry, target, context),
    tools: TARGETS[entry.kind].publishes,
    timeout: entry.timeout,
    retry: entry.retry,
  });
}

/** Files of the bundle that a command's lines name. */
const linesIn = ({ observe, upload }: PublishItem['entry'], target: string, context: Context): readonly string[] =>
  readFiles(undefined, [observe, upload], ['publish', target], context);

/** Returns the `verify` steps of the files published to a target. A tag on the commit waits for those of all targets. */
type Verified = (target: string) => readonly StepId[];

/** Whether a target waits for another's verification, directly or through others. It then cannot go first. */
function waitsFor(target: string, other: string, context: Context, seen: readonly string[] = []): boolean {
  if (seen.includes(target)) return false;
  const needs = (context.release.publish[target]?.needs ?? []).map((need) => need.slice('verify/'.length));
  return needs.some((need) => need === other || waitsFor(need, other, context, [...seen, target]));
}
