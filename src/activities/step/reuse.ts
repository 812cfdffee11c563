import { stepKey } from '../../engine/step-key.js';
import { digestOf, type Digest, type Hash } from '../../model/digest.js';
import { KINDS, type KindName } from '../../model/kinds.js';
import type { Plan, StepOf } from '../../model/plan.js';
import type { Result } from '../../model/result.js';
import { records } from '../../model/run-folder.js';
import type { Store } from '../ports.js';
import type { Inputs } from './inputs.js';
import { namedFiles } from './workspace.js';

/** Proofs order steps but make no bytes; a toolchain counts through its pin. */
const isProof = (result: Result): boolean => KINDS[result.kind].stage === 'prove';

export function keyOf(plan: Plan, step: StepOf<KindName>, { inputs, toolchain, epoch }: Inputs, hash: Hash): Digest {
  return stepKey(
    {
      kind: step.kind,
      epoch: KINDS[step.kind].epoch,
      params: step.params,
      inputs: inputs.filter((result) => !isProof(result)),
      files: namedFiles(plan.bundle, step.files),
      toolchain: toolchain?.digest ?? null,
      sourceEpoch: epoch,
    },
    hash,
  );
}

/** The result that the store remembers for a key, if its bytes are still there. */
export async function recallResult(store: Store, kind: KindName, key: Digest): Promise<Result | null> {
  const name = KINDS[kind].cache === 'probe' ? (await store.list(`${records.known(key)}/`)).at(-1) : records.known(key);
  const result = name === undefined ? null : await store.read<Result>(name);
  return result !== null && (await whole(store, result)) ? result : null;
}

async function whole(store: Store, { artifacts }: Result): Promise<boolean> {
  const here = await Promise.all(artifacts.map(({ kind, digest }) => kind === 'image' || store.has(digest)));
  return here.every((there) => there);
}

/** Remembers a result, and answers the one that stands: for `pure` kinds the first one with the key, whoever made it. */
export async function rememberResult(store: Store, result: Result, hash: Hash): Promise<Result> {
  const { cache } = KINDS[result.kind];
  const name = records.known(result.key);
  if (cache === 'probe') await rememberLatest(store, result, `${name}/`, hash);
  if (cache !== 'pure') return result;
  const { created, value } = await store.create(name, result);
  return created || !(await whole(store, value)) ? result : value;
}

/** The world changes under a probe: its results are numbered, and an equal one is not written again. */
async function rememberLatest(store: Store, result: Result, prefix: string, hash: Hash): Promise<void> {
  const content = ({ artifacts, facts }: Result): Digest => digestOf({ artifacts, facts }, hash);
  const names = await store.list(prefix);
  const last = names.length === 0 ? null : await store.read<Result>(names.at(-1)!);
  if (last !== null && content(last) === content(result)) return;
  await store.create(`${prefix}${String(names.length + 1).padStart(6, '0')}`, result);
}
