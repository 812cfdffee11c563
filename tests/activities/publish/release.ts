import { createPublishBodies, type PublishPorts } from '../../../src/activities/publish/index.js';
import type { ImageRunner } from '../../../src/activities/verify/ports.js';
import { createTargets } from '../../../src/adapters/targets.js';
import type { Artifact } from '../../../src/model/artifact.js';
import type { Target } from '../../../src/model/params.js';
import type { Result } from '../../../src/model/result.js';
import { aResult, aStep, runBody, type BodyRun, type RunBody } from '../../support/run-body.js';

export const bodies = (
  images: ImageRunner | null = null,
  readBackWaitsMs: readonly number[] = [20, 50],
  more: Pick<PublishPorts, 'proofHoldsMs'> = {},
) => createPublishBodies({ targets: createTargets(), images, readBackWaitsMs, ...more });

export const aTarget = (more: Partial<Target>): Target => ({
  name: 'shelf',
  kind: 'python',
  address: '',
  repository: null,
  username: null,
  password: null,
  ...more,
});

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
  return publishSealed(home, target, await seal(home, build), build, more);
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

export const seal = async (home: string, ...builds: readonly Result[]): Promise<Result> =>
  (
    await runBody(
      bodies().sealManifest,
      aStep('sealManifest', {}, { id: 'seal', wants: builds.map(({ step }) => step) }),
      {
        home,
        inputs: builds,
      },
    )
  ).result;

export const verify = (
  home: string,
  target: Target,
  published: Result,
  more: RunBody & { run?: string } = {},
  images?: ImageRunner,
) =>
  runBody(
    bodies(images).verifyTarget,
    aStep('verifyTarget', {
      target,
      project: 'skiff',
      version: '1.2.3',
      of: ['wheels/skiff'],
      run: more.run ?? null,
      python: null,
    }),
    { home, inputs: [published], ...more },
  );

/** Codes of what a body threw. */
export const codesOf = (error: unknown): readonly string[] =>
  (error as { problems: readonly { code: string }[] }).problems.map(({ code }) => code);
