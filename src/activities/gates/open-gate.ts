import { targetsOf } from '../../engine/gates/targets.js';
import type { Manifest } from '../../engine/ledger/manifest.js';
import { fail } from '../../model/failure.js';
import type { OpenGate, VoidApproval } from '../../model/gate.js';
import { makesOf } from '../../model/id-prefixes.js';
import { LEFT_OUT } from '../../model/rows.js';
import type { Plan, StepOf } from '../../model/plan.js';
import type { Result } from '../../model/result.js';
import { readRounds } from '../../model/rounds.js';
import { records } from '../../model/run-folder.js';
import type { Store } from '../ports.js';
import { findStep } from '../step/inputs.js';
import { inputMissing } from '../step/errors.js';
import { readSealed } from '../seal/sealed.js';
import { testsLeftOut } from './errors.js';
import { keysOf } from './keys.js';
import type { GatePorts } from './ports.js';

/** Most void approvals that are reported: each one is an entry in the run's history. */
const TOLD = 5;

/** Reads the manifest, targets and approver keys of a gate. It reads the keys now, so that an unreadable file fails
 * before an approver signs. */
export const createOpenGate =
  ({ store, planOf, resolve }: GatePorts): OpenGate =>
  async ({ plan: digest, step: id, run, workflowId, sealed = null }) => {
    const plan = await planOf(digest);
    const step = findStep<'passGate'>(plan, digest, id);
    const inputs = await sealOf(step, plan, run, store);
    const { digest: manifest, manifest: list } = await readSealed({ inputs, run, sealed, step, store });
    await keysOf(step.params, plan, store);
    if (step.params.tests === 'passed') allTestsPassed(step.params.gate, list, plan);
    const folder = records.approval(workflowId, step.params.gate);
    const all = await Promise.all((await store.list(folder)).map((name) => store.read<VoidApproval>(name)));
    const earlier = all.filter((one) => one !== null).filter((one) => one.run !== run || one.manifest !== manifest);
    const once = new Map(earlier.map((one) => [`${one.by} ${one.manifest}`, one]));
    return { manifest, earlier: [...once.values()].slice(-TOLD), targets: targetsOf(plan, resolve) };
  };

async function sealOf(step: StepOf<'passGate'>, plan: Plan, run: string, store: Store): Promise<readonly Result[]> {
  const seal = plan.steps.find(({ id, kind }) => kind === 'sealManifest' && step.needs.includes(id));
  const result = seal && (await store.read<Result>((await readRounds(store, run)).result(seal.id)));
  if (!result) throw fail(inputMissing(step.id, seal?.id ?? 'seal/manifest'));
  return [result];
}

function allTestsPassed(gate: string, { dropped, skipped }: Manifest, { given, imports, assumed = [] }: Plan): void {
  const { only = [], where, frequency } = given?.tests ?? {};
  // A plan of an earlier version lists left-out tests only where others need them.
  const others = only.length === 0 ? [] : [{ id: 'tests/*', because: `--only names ${only.join(', ')}` }];
  // The file's own `where` says which tests the release has. The command's choice replaces it.
  const rules = [...(where ? ['the filters'] : []), ...(frequency ? [`the frequency ${frequency}`] : [])];
  const unchosen = (imports?.of ?? []).flatMap(({ id, counts }) =>
    rules
      .map((rule) => `${LEFT_OUT} by ${rule}`)
      .flatMap((what) => (counts[what] ? [{ id, because: `${counts[what]} ${what} of the command` }] : [])),
  );
  const left = [...dropped, ...skipped, ...assumed, ...others, ...unchosen].filter(({ id }) => makesOf(id) === 'tests');
  if (left.length > 0) throw fail(testsLeftOut(gate, left));
}
