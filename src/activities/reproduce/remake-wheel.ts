import { join } from 'node:path';
import { wheelStatement } from '../../engine/index/statement.js';
import { short, type Digest } from '../../model/digest.js';
import { SlipwayFailure } from '../../model/failure.js';
import { KINDS, type KindName } from '../../model/kinds.js';
import type { Plan, StepOf } from '../../model/plan.js';
import type { LostWheel, Remade } from '../../model/remade.js';
import { readRounds } from '../../model/rounds.js';
import type { Result } from '../../model/result.js';
import { insideOf } from '../index/look-inside.js';
import { bytesOf } from '../read-text.js';
import { sha256 } from '../sha256.js';
import type { Archives } from '../source/ports.js';
import { readInputs, resultsOf, type ResultOf, findStep } from '../step/inputs.js';
import type { StepContext } from '../step/ports.js';
import { keyOf } from '../step/reuse.js';
import { makeWorkspace } from '../step/workspace.js';
import type { Bodies, Body } from '../work.js';
import { carryOut, ownRecords, type Again, originBuild, type BuiltWheel } from './carry-out.js';
import { otherBecause } from './other-because.js';

export interface RemakingParts {
  /** Its store gets bytes and no records. */
  readonly around: StepContext;
  readonly planOf: (digest: string) => Promise<Plan>;
  bodies(around: StepContext): Bodies;
  readonly archives: Pick<Archives, 'unpack'>;
  readonly signal: AbortSignal;
}

/** Builds a lost wheel again from the sdist, in the base and with the recipe of its run. If the bytes are those of its entry, the
 * store has wheel, METADATA and statement again. Other bytes are named with the reason and listed nowhere. */
export async function remakeWheel(lost: LostWheel, parts: RemakingParts): Promise<Remade> {
  const { file, digest: wanted } = lost.entry;
  try {
    const plan = await parts.planOf(lost.plan);
    const own = { ...parts, around: { ...parts.around, store: ownRecords(parts.around.store) } };
    const found = await originBuild(own.around.store, plan, lost);
    if (typeof found === 'string') return { file, digest: null, why: found };
    if (!(await own.around.store.sound(wanted))) {
      const { digest, why } = await builtAgain(own, { plan, run: lost.run }, found, wanted);
      if (why !== null) return { file, digest, why };
    }
    return { file, digest: wanted, why: await textsAgain(own, lost, found) };
  } catch (error) {
    if (!(error instanceof SlipwayFailure)) throw error;
    const { code, message } = error.first;
    return { file, digest: null, why: `it was not built: ${code}: ${message}` };
  }
}

type Whole = Pick<Again, 'plan' | 'run'>;

async function builtAgain(
  parts: RemakingParts,
  whole: Whole,
  { step, result }: BuiltWheel,
  wanted: Digest,
): Promise<Pick<Remade, 'digest' | 'why'>> {
  const { store, hash } = parts.around;
  const recorded = resultsOf(store, await readRounds(store, whole.run));
  const inputs = await readInputs(recorded, whole.plan, step);
  const sameBuilder = keyOf(whole.plan, step, inputs, hash) === result.key;
  const moved = await inputsAgain(parts, whole, step, recorded);
  const { artifacts } = await again(parts, whole, step);
  const digest = artifacts[0]!.digest;
  return { digest, why: digest === wanted ? null : otherBecause({ digest, moved, sameBuilder }, result, artifacts) };
}

/** Brings sources that the store lost and bases that staging lost. Returns the steps that gave other bytes than in the run. */
async function inputsAgain(
  parts: RemakingParts,
  whole: Whole,
  { needs, wants }: StepOf<'buildWheel'>,
  recorded: ResultOf,
): Promise<readonly string[]> {
  const { store } = parts.around;
  const moved: string[] = [];
  for (const id of [...needs, ...wants]) {
    const former = await recorded(id);
    if (former === null || KINDS[former.kind].origin !== 'input' || (await isWhole(parts, former))) continue;
    const made = await again(parts, whole, findStep<KindName>(whole.plan, '', id));
    const now: Result = { ...former, artifacts: made.artifacts, facts: made.facts ?? {} };
    if (digestsOf(now) !== digestsOf(former)) moved.push(id);
    await store.create((await readRounds(store, whole.run)).result(id), now);
  }
  return moved;
}

/** An image is in no store: the step looks it up in staging. */
const isWhole = async ({ around }: RemakingParts, { kind, artifacts }: Result): Promise<boolean> =>
  kind !== 'makeBase' && (await Promise.all(artifacts.map(({ digest }) => around.store.sound(digest)))).every(Boolean);

const digestsOf = ({ artifacts }: Result): string => artifacts.map(({ digest }) => digest).join(' ');

function again(parts: RemakingParts, whole: Whole, step: StepOf<KindName>): ReturnType<typeof carryOut> {
  const { around, signal } = parts;
  const body = parts.bodies(around)[step.kind] as Body<KindName>;
  return carryOut(body, { ...whole, step }, { around, log: around.openLog(`remade/${step.id}`), signal });
}

/** Puts METADATA and statement of a wheel into the store. Returns why one is not that of the entry. */
async function textsAgain(parts: RemakingParts, lost: LostWheel, { listed }: BuiltWheel): Promise<string | null> {
  const { around, archives } = parts;
  const { file, digest, from, metadata, statement } = lost.entry;
  await using workspace = await makeWorkspace(around.home, lost.run, `remade-${process.pid}`);
  const wheel = join(workspace.folder, file);
  await around.store.fetch(digest, wheel);
  const inside = await insideOf({ archives }, { file, wheel, folder: workspace.files });
  const stated = wheelStatement({ file, digest, from, plan: lost.plan, step: listed });
  const wrong = [
    ...(sha256(inside.metadata) === metadata ? [] : [`METADATA ${short(metadata)}`]),
    ...(sha256(stated) === statement ? [] : [`statement ${short(statement)}`]),
  ];
  for (const text of [inside.metadata, stated]) await around.store.put(bytesOf(text));
  const lacking = await missing(around, wrong.length === 0 ? [] : [metadata, statement]);
  return lacking ? `the store lacks its ${wrong.join(' and ')}, which the wheel does not give` : null;
}

async function missing({ store }: StepContext, digests: readonly Digest[]): Promise<boolean> {
  for (const digest of digests) if (!(await store.sound(digest))) return true;
  return false;
}
