import { CONTROL, type StepId } from '../../model/ids.js';
import type { Context } from '../context.js';
import { draft } from '../draft.js';
import type { Draft } from '../item.js';
import type { Made, Stage } from '../stage.js';
import { publishId, rankOf, shipments, tagsOf, targetOf, type Shipment } from '../targets.js';
import { SEAL } from './seal.js';
import { verifyIds } from './verify.js';

export const publish: Stage = {
  id: 'publish',
  title: 'publishing',
  steps: (context, made) => {
    const all = shipments(context, made).map((one) => ({ ...one, id: publishId(one), rank: rankOf(one) }));
    const verified = verifications(context, made);
    return all.map((one) => make(one, all, verified[one.target] ?? [], context));
  },
};

const TOOLS = { python: ['twine'], maven: [], oci: [] } as const;

/** A shipment with the id of its step: a hundred others ask for it. */
interface Ranked extends Shipment {
  readonly id: StepId;
  readonly rank: number;
}

/** Goes out once everything is sealed and every more reversible target has all of its own. */
function make(shipment: Ranked, all: readonly Ranked[], verified: readonly StepId[], context: Context): Draft {
  const { target, entry, artifact } = shipment;
  const of = [artifact.id, ...(shipment.signatures === null ? [] : [shipment.signatures])];
  const before = all.filter((other) => other.rank < shipment.rank && !waitsFor(other.target, target, context));
  return draft('publishArtifacts', {
    id: shipment.id,
    on: CONTROL,
    axes: artifact.axes,
    needs: [...of, SEAL, ...verified],
    wants: before.map(({ id }) => id),
    params: {
      target: targetOf(target, entry, context),
      of,
      tags: tagsOf(artifact),
    },
    tools: TOOLS[entry.kind],
    timeout: entry.timeout,
    retry: entry.retry,
  });
}

/** By target, the verifications that it waits for. */
const verifications = (context: Context, made: Made): Readonly<Record<string, readonly StepId[]>> =>
  Object.fromEntries(
    Object.entries(context.release.publish).map(([name, { needs }]) => [
      name,
      needs.flatMap((need) => verifyIds(need.slice('verify/'.length), context, made)),
    ]),
  );

/** Whether a target waits for another's verification, directly or through others: then it cannot also go first. */
function waitsFor(target: string, other: string, context: Context, seen: readonly string[] = []): boolean {
  if (seen.includes(target)) return false;
  const needs = (context.release.publish[target]?.needs ?? []).map((need) => need.slice('verify/'.length));
  return needs.some((need) => need === other || waitsFor(need, other, context, [...seen, target]));
}
