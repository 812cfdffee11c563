import { mkdir, readFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import type { Past } from '../activities/plan/ports.js';
import type { OpenStore } from '../adapters/store/opened.js';
import { home } from '../adapters/home.js';
import { keysFolder } from '../adapters/home-keys/open.js';
import { fail } from '../model/failure.js';
import { fileName } from '../model/file-name.js';
import type { Proofs } from '../model/proof.js';
import { once } from '../model/once.js';
import { FEATURE_CLIS } from '../features/cli.js';
import { openCache } from './cache/open-cache.js';
import type { ExitCode } from './command.js';
import { servicesDown } from '../adapters/temporal/errors.js';
import { confirm, onInterrupt } from './process-io.js';
import type { CheckoutsPort, EvidencePort, Ports, ServicesPort } from './ports.js';
import { withoutLocales } from './without-locales.js';
import { sha256 } from '../adapters/sha256.js';

/** Composes what commands may ask of the outside. Each part is loaded when it is asked for, and once. */
export function openPorts(): Ports {
  withoutLocales();
  const store = once(openStore);
  const services = once(openServices);
  return {
    cwd: process.cwd(),
    screens: FEATURE_CLIS,
    env: { USER: loginName(), ...process.env },
    hash: sha256,
    planWithRows: async (file, profile, given, digest) =>
      (await facts()).planWithRows(file, profile, given, await pastOf(store), await factsOf(digest, store)),
    settings: async (file, profile, given) => (await facts()).settings(file, profile, given, await pastOf(store)),
    expanded: (...asked) => expandedWith(store, ...asked),
    namedPlan: async (what, profile) =>
      (await import('../adapters/facts/named-plan.js')).namedPlan(what, profile, store, await features()),
    fleet: async (path) => (await import('../adapters/facts/fleet-file.js')).readFleetFile(path),
    json: async (path) => JSON.parse(await readFile(path, 'utf8')) as unknown,
    checkouts: openCheckouts,
    uncommitted: async (file) => (await import('../adapters/facts/uncommitted.js')).uncommitted(file),
    commitNow: async (file) => (await import('../adapters/facts/git.js')).commitNow(file, process.cwd()),
    submit: async (file, profile, given) =>
      (await import('../adapters/facts/submit-here.js')).submitHere(file, profile, await hereWith(store), given),
    order: async (file, profile, given) =>
      (await import('../adapters/facts/submit-here.js')).orderHere(file, profile, await hereWith(store), given),
    tests: async (file, profile) =>
      (await import('./tests/open-tests.js')).openTests(file, profile, { env: process.env, home: home(), store }),
    ...openCache(writing(store, services), features),
    bisectSpan: openSpan,
    locate: async (file) => (await import('../adapters/facts/locate.js')).createLocate(file),
    durations: async (release) =>
      (await import('../adapters/facts/durations.js')).readDurations(await store(), release),
    pointers: async () => (await store()).pointers,
    queues: async () => (await (await import('../adapters/facts/profile.js')).readFleet()).queues,
    logs: async () => (await import('../adapters/logs/reader.js')).createLogReader(await store()),
    client: async () => (await import('../client/connect.js')).connect(),
    ssh: () => import('../adapters/ssh/signatures.js'),
    codec: async () => (await import('../adapters/temporal/codec/index.js')).codecPort(process.env),
    policy: async () => {
      const { openPolicy } = await import('../adapters/policy/open-policy.js');
      const up = await services();
      return openPolicy(process.env, home(), (name) => up.address(name), await features());
    },
    drill: async (input) => (await (await import('../services/on-this-terminal.js')).drill(input)) as ExitCode,
    interrupt: once(onInterrupt),
    reproduce: async (request) => (await import('../services/on-this-terminal.js')).reproduce(request),
    ...{ store, services, confirm },
    workingTree: async (file) =>
      (await import('../adapters/facts/working-tree.js')).openWorkingTree(file, await store()),
    proofs: openProofs,
    makeKeys,
    evidence: openEvidence,
    history: async () => openHistoryWith(await services(), await store()),
    save: async (...asked) => save(await store(), ...asked),
    writeView: async (...asked) => (await import('./artifacts/write-view.js')).writeView(...asked),
  };
}

async function save(store: OpenStore, ...[digest, folder, name]: Parameters<Ports['save']>): Promise<string> {
  const path = join(folder, fileName(name));
  await mkdir(folder, { recursive: true });
  await store.fetch(digest, path);
  return path;
}

async function openSpan(...[file, ends]: Parameters<Ports['bisectSpan']>): ReturnType<Ports['bisectSpan']> {
  const { readSpan } = await import('../adapters/facts/bisect-span.js');
  return { ...(await readSpan(file, ends)), file: resolve(file) };
}

/** A person without $USER, as in many containers, has a login all the same; a bare uid has none. */
function loginName(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    return undefined;
  }
}

async function openStore(): Promise<OpenStore> {
  const [{ openStore: open }, { supervisor }] = await Promise.all([
    import('../adapters/store/open.js'),
    import('../services/lock.js'),
  ]);
  const store = await open(process.env, home(), { ownServerIsUp: supervisor(home()) !== null });
  tellWaits(store.waitsFor);
  return store;
}

const TELL_EVERY_MS = 2_000;

/** Tells a person at a terminal what the store waits for. */
function tellWaits(waitsFor: () => string | null): void {
  let told: string | null = null;
  const look = (): void => {
    const waits = waitsFor();
    if (waits !== null && told === null) process.stderr.write(`waiting: ${waits}\n`);
    told = waits;
  };
  setInterval(look, TELL_EVERY_MS).unref();
}

async function openCheckouts(): Promise<CheckoutsPort> {
  const [{ readCheckout }, { writeNew }] = await Promise.all([
    import('../adapters/checkout/read.js'),
    import('../adapters/checkout/write-new.js'),
  ]);
  return {
    read: (folder) => readCheckout(folder, process.cwd()),
    writeNew: (folder, path, text) => writeNew(folder, path, text, process.cwd()),
  };
}

async function makeKeys(): Promise<{ readonly folder: string; readonly files: readonly string[] }> {
  const { makeHomeKeys } = await import('../adapters/home-keys/make.js');
  const folder = keysFolder(process.env, home());
  return { folder, files: makeHomeKeys(folder) };
}

async function openProofs(): Promise<Proofs> {
  const { openHomeKeys } = await import('../adapters/home-keys/open.js');
  return openHomeKeys(keysFolder(process.env, home()), ['worker']);
}

async function openEvidence(): Promise<EvidencePort> {
  const [{ readEvidence }, { trustedKeys }, { digestOfFile, namesIn }, { createSignatures }] = await Promise.all([
    import('../adapters/evidence/read.js'),
    import('../adapters/evidence/keys.js'),
    import('../adapters/evidence/files.js'),
    import('../adapters/ssh/signatures.js'),
  ]);
  return {
    read: async (folder, keyFiles) => readEvidence(folder, await trustedKeys(keyFiles, createSignatures())),
    names: namesIn,
    digest: digestOfFile,
  };
}

async function openHistoryWith(services: ServicesPort, store: OpenStore): ReturnType<Ports['history']> {
  const { openHistory } = await import('../adapters/history/index.js');
  const outside = process.env['SLIPWAY_HISTORY'];
  if (outside !== undefined) return openHistory(outside, store);
  return openHistory(services.database(), store, services.database('slipway_reader'));
}

async function openServices(): Promise<ServicesPort> {
  const { createServices } = await import('../services/create-services.js');
  const nodes = async () => (await features()).answers();
  return createServices(process.env, undefined, nodes, async () => (await features()).features);
}

/** Port that asks the writers of indexes. */
const writing = (store: () => Promise<OpenStore>, services: () => Promise<ServicesPort>) => ({
  store,
  writer: openWriter,
  address: async (text: string) => addressOf(text, await services()),
});

async function openWriter() {
  const { openConnection } = await import('../client/open.js');
  const { createIndexWriter } = await import('../adapters/temporal/index-writer.js');
  const { client, connection } = await openConnection();
  return { writer: createIndexWriter(client), close: () => connection.close() };
}

/** Address of a `service:NAME`. Throws SERVICES_DOWN. */
function addressOf(text: string, services: ServicesPort): string {
  const [, name] = /^service:(.+)$/.exec(text) ?? [];
  const address = name === undefined ? text : services.address(name);
  if (address === null) throw fail(servicesDown(home()));
  return address;
}

const hereWith = async (store: () => Promise<OpenStore>) => ({
  ...{ env: process.env, home: home(), store: await store() },
  past: await pastOf(store),
});

async function expandedWith(
  store: () => Promise<OpenStore>,
  ...[file, profile, given, digest]: Parameters<Ports['expanded']>
): Promise<string> {
  const { expanded } = await import('../adapters/facts/expanded.js');
  return expanded(file, profile, given, await factsOf(digest, store), await pastOf(store));
}

async function pastOf(store: () => Promise<OpenStore>): Promise<Past> {
  const { standingsReader } = await import('./tests/open-tests.js');
  const { openPast } = await import('../activities/plan/past.js');
  const { indexOpener } = await import('./cache/index-opener.js');
  // A plan without standings and indexes needs no home.
  const here = { env: process.env, store, get home() { return home(); } }; // prettier-ignore
  const past = openPast(store, standingsReader(here), indexOpener(here));
  return { ...past, ...(await features()) };
}

const features = async () => ({
  features: (await import('../features/plan.js')).FEATURE_PLANS,
  answers: async () => (await import('../features/node.js')).FEATURE_NODES,
});

const facts = () => import('../adapters/facts/index.js');

const factsOf = async (digest: string | undefined, store: () => Promise<OpenStore>) =>
  digest === undefined ? null : (await import('../adapters/facts/former.js')).formerFacts(digest, await store());
