import type { Manifest } from '../../engine/ledger/manifest.js';
import type { Digest } from '../../model/digest.js';
import { fail } from '../../model/failure.js';
import type { OpenGate, VoidApproval } from '../../model/gate.js';
import type { Plan, StepOf } from '../../model/plan.js';
import type { Result } from '../../model/result.js';
import { readRounds } from '../../model/rounds.js';
import { records } from '../../model/run-folder.js';
import type { Store } from '../ports.js';
import { findStep } from '../step/plans.js';
import { inputMissing } from '../step/errors.js';
import { testsLeftOut } from './errors.js';
import { keysOf, textOf } from './keys.js';

/** Void approvals told: they travel in the run's history. */
const TOLD = 5;

/** What a gate stands before. Keys that nobody could sign with are found now, not when somebody comes to sign. */
export const createOpenGate =
  (store: Store, planOf: (digest: string) => Promise<Plan>): OpenGate =>
  async ({ plan: digest, step: id, run, workflowId }) => {
    const plan = await planOf(digest);
    const step = findStep<'passGate'>(plan, digest, id);
    const manifest = await sealedIn(step, plan, run, store);
    await keysOf(step.params, plan, store);
    if (step.params.tests === 'passed') await allTestsPassed(step.params.gate, manifest, store);
    const folder = records.approval(workflowId, step.params.gate);
    const all = await Promise.all((await store.list(folder)).map((name) => store.read<VoidApproval>(name)));
    const earlier = all.filter((one) => one !== null).filter((one) => one.run !== run || one.manifest !== manifest);
    const once = new Map(earlier.map((one) => [`${one.by} ${one.manifest}`, one]));
    return { manifest, earlier: [...once.values()].slice(-TOLD) };
  };

/** Digest of the manifest that this run sealed. */
async function sealedIn(step: StepOf<'passGate'>, plan: Plan, run: string, store: Store): Promise<Digest> {
  const seal = plan.steps.find(({ id, kind }) => kind === 'sealManifest' && step.needs.includes(id));
  const result = seal && (await store.read<Result>((await readRounds(store, run)).result(seal.id)));
  if (!result) throw fail(inputMissing(step.id, seal?.id ?? 'seal/manifest'));
  return result.facts['manifest'] as Digest;
}

async function allTestsPassed(gate: string, digest: Digest, store: Store): Promise<void> {
  const { dropped, skipped } = JSON.parse(await textOf(store, digest)) as Manifest;
  const left = [...dropped, ...skipped].filter(({ id }) => id.startsWith('tests/'));
  if (left.length > 0) throw fail(testsLeftOut(gate, left));
}
