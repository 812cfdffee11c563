import { resolve } from 'node:path';
import type { Store } from '../../activities/ports.js';
import type { IndexPlace } from '../../activities/index/ports.js';
import { wantedOn } from '../../activities/index/keep-wanted.js';
import { readIndex } from '../../activities/index/read-index.js';
import { gatherFacts, type Gathered, NO_PAST, once } from '../../adapters/facts/index.js';
import { keysFolder } from '../../adapters/home-keys/folder.js';
import { openHomeKeys } from '../../adapters/home-keys/open.js';
import { provedStore } from '../../adapters/home-keys/proved-store.js';
import { judgeWheels } from '../../engine/index/prune/judge.js';
import { wantedWheels } from '../../engine/index/prune/wants.js';
import { fail } from '../../model/failure.js';
import type { PruneRules } from '../../model/index-prune.js';
import { canonical } from '../../model/json.js';
import type { Given } from '../../model/plan.js';
import { normalName } from '../../model/python/file-name.js';
import type { IndexOfPipeline } from '../../model/run-folder.js';
import type { Features } from '../../activities/plan/ports.js';
import { nameOf } from '../../plan/head.js';
import { platformsForImports } from '../../plan/platforms.js';
import { plannedIndex, type PlannedIndex } from '../../plan/prune.js';
import { accessLogFile } from '../../services/folders.js';
import type { Judged, PruneAsk, PrunePort } from '../ports.js';
import { indexOpener } from './index-opener.js';
import { noLists, notPruned, whichIndex } from './prune-errors.js';
import { type AccessLog, type Remembering, reviewIn, send, type Sending, useOf } from './prune-records.js';

interface Here extends Sending {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly store: () => Promise<Store>;
  readonly features: Features;
}

/** Opens the index that a release file prunes. Plans the file, so lists and the index upstream are asked. */
export async function openPrune(file: string, ask: PruneAsk, given: Given, here: Here): Promise<PrunePort> {
  const past = { ...NO_PAST, ...here.features };
  const gathered = await gatherFacts(file, ask.profile, process.cwd(), given, past);
  const target = prunedTarget(gathered, file, ask.target);
  if (gathered.rows === null) throw fail(noLists(file));
  const planned = plannedIndex(gathered.file, gathered.facts, target);
  const index: IndexOfPipeline = { pipeline: nameOf(gathered.file.content), profile: ask.profile, target };
  const { rehearsal } = gathered.facts.profile.content;
  const place = await indexOpener(here)({ target: planned.target, rehearsal });
  const proofs = openHomeKeys(keysFolder(here.env, here.home));
  const remembering = { index, store: provedStore(await here.store(), proofs), signs: proofs.holds('control') };
  const rules = rulesOf(gathered, target);
  return {
    ...{ index, rules, release: planned.release, target: planned.target },
    rehearsal,
    judge: (nowMs) => judge({ gathered, rules, planned, place, ask, here, ...remembering }, nowMs),
    keepReview: async (review) => (await remembering.store.put(once(canonical(review)))).digest,
    review: (digest) => reviewIn(remembering.store, digest),
    send: async (order) => send(order, { ...remembering, here }),
  };
}

export function rulesOf({ file }: Gathered, target: string): PruneRules {
  const { unused, grace, past } = file.content.prune[target]!;
  return { unusedMs: unused, graceMs: grace, pastMs: past };
}

export function prunedTarget({ file }: Gathered, name: string, asked: string | null): string {
  const { prune, publish } = file.content;
  const all = Object.keys(prune).filter((one) => publish[one]?.kind === 'simple');
  const indexes = Object.keys(publish).filter((one) => publish[one]!.kind === 'simple');
  const found = asked === null ? all : all.filter((one) => one === asked);
  if (found.length === 0) throw fail(notPruned(name, asked === null ? indexes : [asked]));
  if (found.length > 1) throw fail(whichIndex(found));
  return found[0]!;
}

interface Judging extends Remembering {
  readonly gathered: Gathered;
  readonly rules: PruneRules;
  readonly planned: PlannedIndex;
  readonly place: IndexPlace;
  readonly ask: PruneAsk;
  readonly here: Here;
}

/** The log that is read: the named one, or that of `slipway up` for its own index, which covers the time until now. */
function logOf({ ask, planned, here }: Judging): AccessLog | null {
  if (ask.log !== null) return { path: resolve(ask.log), isLive: false };
  const isOurs = planned.target.address.startsWith('service:');
  return isOurs ? { path: accessLogFile(here.home, 'wheels'), isLive: true } : null;
}

/** Projects that entries of the file build besides lists. */
export function ownProjects({ file, imported }: Pick<Gathered, 'file' | 'imported'>): ReadonlySet<string> {
  const made = new Set(Object.values(imported).flatMap((all) => all.map(({ name }) => name)));
  return new Set(
    Object.keys(file.content.wheels)
      .filter((name) => !made.has(name))
      .map(normalName),
  );
}

async function judge(judging: Judging, nowMs: number): Promise<Judged> {
  const { gathered, index, rules, place, store } = judging;
  const { file, facts, rows } = gathered;
  const platforms = platformsForImports(file.content, facts.platforms);
  const read = await Promise.all(Object.keys(platforms).map((platform) => readIndex(place, platform)));
  const wheels = read.flatMap((one) => one.wheels);
  const wanted = await wantedOn(store);
  const all = Object.keys(platforms).map((name, at) => [name, [...read[at]!.refreshes, ...wanted(name)]] as const);
  const damaged = Object.keys(platforms).map((name, at) => [name, read[at]!.damaged] as const);
  const use = await useOf({ ...judging, log: logOf(judging) }, wheels, nowMs);
  const judged = judgeWheels({
    ...{ wheels, wants: wantedWheels(rows), platforms, use, rules, nowMs, pipeline: index.pipeline },
    ...{ refreshes: Object.fromEntries(all), damaged: Object.fromEntries(damaged) },
    own: ownProjects(gathered),
  });
  const present = Object.keys(platforms).filter((_, at) => read[at]!.wheels.length + read[at]!.due.length > 0);
  return { judged, use, due: read.flatMap((one) => one.due).sort(), platforms: present.sort() };
}
