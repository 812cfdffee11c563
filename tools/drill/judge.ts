import type { Manifest } from '#slipway/engine/ledger/manifest.js';
import type { Digest } from '#slipway/model/digest.js';
import type { Plan, StepOf } from '#slipway/model/plan.js';
import type { Result } from '#slipway/model/result.js';
import { records } from '#slipway/model/run-folder.js';
import type { Store } from '#slipway/activities/ports.js';
import { indexUploads, mavenUploads, registryUploads, sentAgain } from './access-logs.js';
import type { Registries } from './registries.js';
import { wantedOf, type Wanted } from './wanted.js';

/** Comparison of registries and access logs with the sealed manifest. */
export interface Judgement {
  readonly wanted: number;
  /** `target name`: absent, or with other bytes. */
  readonly lost: readonly string[];
  readonly twice: readonly string[];
}

/** @param run id of a run that has ended; null: it never began */
export async function judge(
  home: string,
  plan: Plan,
  run: string | null,
  { store, registries }: { readonly store: Store; readonly registries: Registries },
): Promise<Judgement> {
  const manifest = run === null ? null : await sealedBy(plan, run, store);
  const wanted = manifest === null ? [] : wantedOf(plan, manifest);
  const held = await heldOf(wanted, registries);
  const lost = [
    ...(manifest === null ? ['manifest: nothing was sealed'] : []),
    ...held.flatMap(lostOf),
    ...(run === null ? [] : await pointersAstray(plan, run, store, registries)),
  ];
  const files = held.filter(({ wanted: { kind }, found }) => kind === 'python' && found !== null).length;
  const twice = [
    ...sentAgain(indexUploads(home), files).map((what) => `index ${what}`),
    ...sentAgain(mavenUploads(home)).map((what) => `maven ${what}`),
    ...sentAgain(registryUploads(home)).map((what) => `registry ${what}`),
  ];
  return { wanted: wanted.length, lost, twice };
}

interface Held {
  readonly wanted: Wanted;
  readonly found: Digest | null;
}

async function heldOf(all: readonly Wanted[], registries: Registries): Promise<readonly Held[]> {
  const held: Held[] = [];
  for (const wanted of all) held.push({ wanted, found: await registries.find(wanted) });
  return held;
}

const lostOf = ({ wanted: { target, name, digest }, found }: Held): readonly string[] =>
  found === digest ? [] : [`${target} ${name}: ${found === null ? 'absent' : `holds ${found}`}`];

async function sealedBy(plan: Plan, run: string, store: Store): Promise<Manifest | null> {
  const seal = plan.steps.find(({ kind }) => kind === 'sealManifest');
  const result = seal === undefined ? null : await store.read<Result>(records.result(run, seal.id));
  const artifact = result?.artifacts.find(({ kind }) => kind === 'manifest');
  if (artifact === undefined) return null;
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of await store.get(artifact.digest)) text += decoder.decode(chunk, { stream: true });
  return JSON.parse(text) as Manifest;
}

/** Returns tags whose digest differs from the run's result. A missing result counts too. */
async function pointersAstray(
  plan: Plan,
  run: string,
  store: Store,
  registries: Registries,
): Promise<readonly string[]> {
  const astray: string[] = [];
  for (const step of plan.steps.filter((one): one is StepOf<'movePointer'> => one.kind === 'movePointer')) {
    const { target, name } = step.params;
    const said = (await store.read<Result>(records.result(run, step.id)))?.facts['digest'] as Digest | null | undefined;
    const stands = await registries.tag(target.repository ?? '', name);
    if (said === undefined || stands !== said) astray.push(`${target.name} ${name}: stands at ${stands ?? 'nothing'}`);
  }
  return astray;
}
