import { join } from 'node:path';
import type { IndexWriter } from '../activities/index/ports.js';
import type { Interpreters } from '../activities/pythons/ports.js';
import type { Workers } from '../activities/prove-queue/ports.js';
import type { PublishPorts } from '../activities/publish/ports.js';
import type { StepContext } from '../activities/step/ports.js';
import type { ImageContainers } from '../activities/tests/ports.js';
import type { Bisects } from '../activities/standings/start-bisects.js';
import { type CorePorts, KIND_BODIES, makeBodies } from '../activities/kind-bodies.js';
import { withJudgedAddresses, withListedSecrets } from '../activities/policy/judged-addresses.js';
import { underPolicy } from '../activities/policy/under-policy.js';
import type { Bodies, Body, Toolchain } from '../activities/work.js';
import { createArchives } from '../adapters/archive/index.js';
import { createClusters } from '../adapters/clusters/index.js';
import { createBaseTars } from '../adapters/debian/bases.js';
import { stagingLogins } from '../adapters/docker/connection.js';
import { createDocker } from '../adapters/docker/index.js';
import { createTrackers } from '../adapters/github/github.js';
import { WHEELS_FOLDER } from '../adapters/home.js';
import { createPublishedImages } from '../adapters/oci/published-images.js';
import { createHosts, createWorkerPolicy } from '../adapters/policy/index.js';
import { createTables } from '../adapters/postgres/tables.js';
import { createSignatures } from '../adapters/ssh/signatures.js';
import { createTargets } from '../adapters/targets.js';
import { createToolServer } from '../adapters/tool-server/tool-server.js';
import { createWebhook } from '../adapters/webhook/webhook.js';
import { createWheelServer } from '../adapters/wheel-server/wheel-server.js';
import { type CoreKind, KINDS, type KindName } from '../model/kinds.js';
import { fail } from '../model/failure.js';
import { fieldOf, together } from '../model/together.js';
import { bodyWithoutKind } from './errors.js';
import type { FeatureNode, FeatureNodes, NodeList } from './feature.js';

export interface WorkerAdapters {
  readonly interpreters: Interpreters;
  /** Lists workers of a queue; absent if there can be no others. */
  readonly workers?: Workers;
  /** Absent: the worker starts no bisects. */
  readonly bisects?: Bisects;
  /** Absent without a Temporal server: nothing gives way to a rehearsal. */
  readonly openRun?: PublishPorts['openRun'];
  /** Writer of static indexes. Absent without a Temporal server. */
  readonly writer?: IndexWriter;
  /** Wraps the containers of steps, for `reproduce`. */
  readonly containers?: (own: ImageContainers) => ImageContainers;
}

export function createBodies(
  around: StepContext,
  { interpreters, workers, bisects, openRun, writer, containers: between }: WorkerAdapters,
  features: NodeList,
): Bodies {
  const { programs } = around;
  const archives = createArchives();
  const docker = createDocker(() => around.service('docker'), around.env, stagingLogins(around));
  const bodies = bodiesOf(features, {
    around,
    programs,
    interpreters,
    archives,
    clusters: createClusters(programs, docker.machines),
    engine: docker.engine,
    registry: docker.registry,
    containers: between?.(docker.containers) ?? docker.containers,
    outside: docker.outside,
    images: docker.runner,
    engineAnswer: docker.answer,
    noSandbox: programs.noSandbox ?? null,
    bases: createBaseTars(programs, join(around.home, 'cache', 'bases')),
    published: createPublishedImages(),
    targets: createTargets({}, join(around.home, WHEELS_FOLDER), fieldOf(features, 'targets')),
    ...(writer && { listing: { archives, writer } }),
    trackers: createTrackers(),
    tables: createTables(),
    webhook: createWebhook(),
    wheelServer: createWheelServer(),
    toolServer: createToolServer(),
    layouts: around.layout,
    signatures: createSignatures(),
    ...(workers && { workers }),
    ...(bisects && { bisects }),
    ...(openRun && { openRun }),
  });
  const all = (Object.entries(bodies) as [KindName, Body<KindName>][]).map(([kind, body]) => [
    kind,
    KINDS[kind].runs === 'products' ? withPythons(interpreters, body) : body,
  ]);
  return governed(Object.fromEntries(all) as Bodies, around);
}

const CORE: FeatureNode = { bodies: (ports) => makeBodies(Object.keys(KIND_BODIES) as CoreKind[], ports) };

/** Throws FEATURE_NAME_TAKEN, and FEATURE_BODY_WITHOUT_KIND. */
function bodiesOf(features: FeatureNodes, ports: CorePorts): Bodies {
  const owners = Object.entries({ core: CORE, ...features });
  const made = owners.map(([owner, { bodies }]) => [owner, (bodies?.(ports) ?? {}) as Bodies] as const);
  for (const [owner, bodies] of made)
    for (const kind of Object.keys(bodies)) if (!Object.hasOwn(KINDS, kind)) throw fail(bodyWithoutKind(owner, kind));
  return together('body', Object.fromEntries(made));
}

/** Wraps bodies so that the worker's policy limits their effects and secrets. */
export function governed(bodies: Bodies, { env, home }: Pick<StepContext, 'env' | 'home'>): Bodies {
  const policy = createWorkerPolicy(env, home);
  const ports = { policy, hosts: createHosts(), signatures: createSignatures() };
  const all = Object.entries(bodies) as [KindName, Body<KindName>][];
  const kept = all.map(([kind, own]) => {
    const { policy: asks, reaches } = KINDS[kind];
    const body = reaches ? withJudgedAddresses(ports, own) : own;
    const asking = asks === 'secrets' ? body : underPolicy(ports, body);
    const isListed = asks === 'secrets' || asks === 'own target and secrets';
    return [kind, isListed ? withListedSecrets(policy, asking) : asking];
  });
  return Object.fromEntries(kept) as Bodies;
}

/** Adds this machine's paths of Pythons to the toolchain, which pins only versions because paths differ between
 * machines. */
const withPythons =
  <K extends KindName>(interpreters: Interpreters, body: Body<K>): Body<K> =>
  async (work) =>
    body(work.toolchain ? { ...work, toolchain: await here(work.toolchain, interpreters) } : work);

async function here(toolchain: Toolchain, interpreters: Interpreters): Promise<Toolchain> {
  const found = await Promise.all(
    Object.keys(toolchain.pythons).map(async (tag) => [tag, (await interpreters.find(tag))?.path] as const),
  );
  const paths = found.filter((one): one is readonly [string, string] => one[1] !== undefined);
  return { ...toolchain, pythons: Object.fromEntries(paths) };
}
