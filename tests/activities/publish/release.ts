import { join } from 'node:path';
import type { PublishPorts } from '../../../src/activities/publish/ports.js';
import { makeBodies } from '../../../src/activities/kind-bodies.js';
import type { ImageRunner } from '../../../src/activities/verify/ports.js';
import { createTargets } from '../../../src/adapters/targets.js';
import { readManifest } from '../../../src/activities/read-text.js';
import type { Body } from '../../../src/activities/work.js';
import { createDirectoryStore } from '../../../src/adapters/store/directory.js';
import type { Artifact } from '../../../src/model/artifact.js';
import type { Digest } from '../../../src/model/digest.js';
import type { Plan, Step } from '../../../src/model/plan.js';
import type { Target } from '../../../src/model/target.js';
import type { Result } from '../../../src/model/result.js';
import { aResult, aStep, runBody, type BodyRun, type RunBody } from '../../support/run-body.js';

export const bodies = (
  images: ImageRunner | null = null,
  readBackWaitsMs: readonly number[] = [20, 50],
  more: Pick<PublishPorts, 'proofHoldsMs' | 'openRun'> = {},
) =>
  makeBodies(
    [
      'proveTarget',
      'sealManifest',
      'proveAttestKey',
      'attestRelease',
      'publishArtifacts',
      'verifyTarget',
      'movePointer',
      'writeReport',
    ],
    { targets: createTargets(), images, readBackWaitsMs, ...more },
  );

export const aTarget = (more: Partial<Target>): Target => ({
  name: 'shelf',
  kind: 'python',
  address: '',
  repository: null,
  username: null,
  password: null,
  ...more,
});

/** A rehearsal to a registry of the home. Each `no` is another plan, in a run of its own, which is the open one.
 * @param to kind, address and repository of the target; its address becomes the service */
export async function rehearse(
  home: string,
  to: Target,
  build: Result,
  no: number,
  more: RunBody = {},
): Promise<BodyRun> {
  const address = `service:${{ python: 'index', maven: 'maven', oci: 'registry' }[to.kind as 'maven']}`;
  const step = aStep(
    'publishArtifacts',
    { target: { ...to, address }, of: [build.step], tags: [] },
    { id: 'publish/shelf' },
  );
  const plan = {
    retries: no,
    profile: { name: 'local', rehearsal: true },
    steps: [step] as unknown as readonly Step[],
  };
  const service = (name: string): string | null =>
    `service:${name}` === address ? to.address : (more.surroundings?.service?.(name) ?? null);
  const run = `rehearsal-${no}`;
  const { publishArtifacts } = bodies(null, [20, 50], { openRun: async () => run });
  return runBody(publishArtifacts, step, {
    ...{ home, plan, run, inputs: [await sealOf(home, [build], plan), build] },
    surroundings: { ...more.surroundings, service },
  });
}

/** A succeeded build with these artifacts. */
export const built = (artifacts: readonly Artifact[], id = 'wheels/skiff'): Result =>
  aResult({ id, kind: 'buildWheel' }, { artifacts });

/** Seals what was built, then publishes it: the two steps as a run has them, over one home. */
export async function sealAndPublish(
  home: string,
  target: Target,
  build: Result,
  more: RunBody = {},
): Promise<BodyRun> {
  return publishSealed(home, target, await sealOf(home, [build], more.plan), build, more);
}

export function publishSealed(
  home: string,
  target: Target,
  sealed: Result,
  build: Result,
  more: RunBody = {},
): Promise<BodyRun> {
  const step = aStep('publishArtifacts', { target, of: [build.step], tags: [] }, { id: `publish/${target.name}` });
  return runBody(bodies().publishArtifacts, step, { home, inputs: [sealed, build], ...more });
}

/** Digest that was sealed last in a home: a run's history tells it to each step behind the seal. */
const sealedIn = new Map<string, Digest>();

/** Seals results, of a plan where it matters. */
export async function sealOf(home: string, builds: readonly Result[], plan: Partial<Plan> = {}): Promise<Result> {
  const step = aStep('sealManifest', {}, { id: 'seal', wants: builds.map(({ step: id }) => id) });
  const { result } = await runBody(bodies().sealManifest, step, { home, inputs: builds, plan });
  sealedIn.set(home, result.facts['manifest'] as Digest);
  return result;
}

export const seal = (home: string, ...builds: readonly Result[]): Promise<Result> => sealOf(home, builds);

/** Verifies what was published of everything that was sealed last. */
export async function verify(
  home: string,
  target: Target,
  published: Result,
  { body, run, ...more }: RunBody & { run?: string; body?: Body<'verifyTarget'> } = {},
  images?: ImageRunner,
): Promise<BodyRun> {
  const digest = sealedIn.get(home)!;
  const store = createDirectoryStore(join(home, 'store'));
  const { done, release, source } = await readManifest(store, digest);
  const publish = aStep('publishArtifacts', { target, of: done, tags: [] }, { id: published.step });
  const params = { target, project: 'skiff', version: '1.2.3', of: done, run: run ?? null, python: null };
  return runBody(body ?? bodies(images).verifyTarget, aStep('verifyTarget', params), {
    ...{ home, inputs: [published], sealedAs: digest },
    ...{ plan: { release, source: { ...source, branch: null }, steps: [publish] as unknown as readonly Step[] } },
    ...more,
  });
}

/** Codes of what a body threw. */
export const codesOf = (error: unknown): readonly string[] =>
  (error as { problems: readonly { code: string }[] }).problems.map(({ code }) => code);
