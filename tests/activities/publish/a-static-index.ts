import { drawPages } from '../../../src/activities/index/draw-pages.js';
import type { IndexPlace, IndexWriter } from '../../../src/activities/index/ports.js';
import { makeBodies } from '../../../src/activities/kind-bodies.js';
import type { ImageContainers } from '../../../src/activities/tests/ports.js';
import { createArchives } from '../../../src/adapters/archive/index.js';
import { openFolder } from '../../../src/adapters/static-index/folder.js';
import { createTargets } from '../../../src/adapters/targets.js';
import type { Artifact } from '../../../src/model/artifact.js';
import type { Target } from '../../../src/model/target.js';
import type { Result } from '../../../src/model/result.js';
import { aWheel, wheelName, type WheelSaid } from '../../support/a-wheel.js';
import { startWheelIndex } from '../../support/registries.js';
import { aStep, anArtifact, newHome, runBody, type BodyRun, type RunBody } from '../../support/run-body.js';
import { aTarget } from './release.js';

export const PLATFORM = 'debian-12';

/** A static index in a folder, the server that reads it, and the bodies that publish and verify there. */
export interface StaticIndex {
  readonly index: Awaited<ReturnType<typeof startWheelIndex>>;
  readonly place: IndexPlace;
  readonly bodies: ReturnType<typeof bodiesOf>;
  target(more?: Partial<Target>): Target;
  /** A publish step of `when: built`, as a run has it behind the build. */
  publishBuilt(home: string, build: Result, more?: RunBody, to?: Target): Promise<BodyRun>;
}

function bodiesOf(place: IndexPlace, containers?: ImageContainers) {
  /** Draws at once in this process. */
  const writer: IndexWriter = {
    list: async (_, { names }) => ({
      findings: await drawPages(
        place,
        PLATFORM,
        names.map((name) => name.split('/')[1]!),
      ),
    }),
  };
  return makeBodies(['proveTarget', 'publishArtifacts', 'verifyTarget'], {
    targets: createTargets(),
    listing: { archives: createArchives(), writer },
    images: null,
    ...(containers && { containers }),
    readBackWaitsMs: [20, 50],
  });
}

export async function startStaticIndex(containers?: ImageContainers): Promise<StaticIndex> {
  const index = await startWheelIndex(await newHome());
  const place = openFolder('cache', index.root);
  const bodies = bodiesOf(place, containers);
  const target = (more: Partial<Target> = {}): Target =>
    aTarget({
      name: 'cache',
      kind: 'simple',
      address: index.root,
      extra: { kind: 'simple', reads: index.address, endpoint: null },
      ...more,
    });
  const publishBuilt: StaticIndex['publishBuilt'] = (home, build, more = {}, to = target()) =>
    runBody(bodies.publishArtifacts, publishStep(build, to), { home, inputs: [build], sealedAs: null, ...more });
  return { index, place, bodies, target, publishBuilt };
}

export const publishStep = ({ step }: Result, to: Target) =>
  aStep(
    'publishArtifacts',
    { target: to, of: [step], tags: [PLATFORM], when: 'built' },
    { id: `publish/cache/${step.replaceAll('/', '.')}` },
  );

export async function wheelIn(home: string, said: WheelSaid = {}): Promise<Artifact> {
  return anArtifact(home, wheelName(said), await aWheel(said), { kind: 'wheel', labels: { platform: PLATFORM } });
}
