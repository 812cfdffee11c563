import { resolve } from 'node:path';
import type { IndexPlace, IndexPruner } from '../../activities/index/ports.js';
import { wantedOn } from '../../activities/index/keep-refresh.js';
import { readIndex } from '../../activities/index/read-index.js';
import { judgeWheels } from '../../engine/index/prune/judge.js';
import { wantedWheels } from '../../engine/index/prune/wants.js';
import type { PruneOrder } from '../../model/index-prune.js';
import { records } from '../../model/run-folder.js';
import type { Features } from '../../activities/plan/ports.js';
import { plannedIndex, type PlannedIndex } from '../../plan/prune.js';
import { accessLogFile } from '../../services/folders.js';
import { closing } from '../closing.js';
import type { Judged, PrunePort, Pruned } from '../ports.js';
import { indexOpener, type Writing } from './index-opener.js';
import { type AccessLog, type Pruning, useOf } from './prune-records.js';

export interface PruneHere extends Writing<IndexPruner> {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly features: Features;
}

/** Judges the wheels of an index, and has its writer remove some. */
export async function pruneIndex(
  pruning: Pruning,
  here: PruneHere,
): Promise<Pick<PrunePort, 'about' | 'judge' | 'carryOut'>> {
  const { gathered, index, rules } = pruning;
  const planned = plannedIndex(gathered.file, gathered.facts, index.target);
  const { rehearsal } = gathered.facts.profile.content;
  const place = await indexOpener(here)({ target: planned.target, rehearsal });
  const log = logOf(pruning.log, planned, here);
  return {
    about: { ...index, rules },
    judge: (nowMs) => judge(pruning, place, log, nowMs),
    carryOut: (said, { remove, stay }, { of }) => {
      const platforms = 'path' in of ? [] : of.platforms;
      return send(pruning, here, {
        ...{ kind: 'prune order', ...said, ...planned, profile: { name: index.profile, rehearsal } },
        ...{ graceMs: rules.graceMs, platforms, remove, stay },
      });
    },
  };
}

/** The log that is read: the named one, or that of `slipway up` for its own index, which covers the time until now. */
function logOf(named: string | null, { target }: PlannedIndex, { home }: PruneHere): AccessLog | null {
  if (named !== null) return { path: resolve(named), isLive: false };
  return target.address.startsWith('service:') ? { path: accessLogFile(home, 'wheels'), isLive: true } : null;
}

async function judge(pruning: Pruning, place: IndexPlace, log: AccessLog | null, nowMs: number): Promise<Judged> {
  const { gathered, index, rules, own, platforms } = pruning;
  const names = Object.keys(platforms);
  const read = await Promise.all(names.map((platform) => readIndex(place, platform)));
  const wheels = read.flatMap((one) => one.wheels);
  const wanted = await wantedOn(pruning.store);
  const all = names.map((name, at) => [name, [...read[at]!.refreshes, ...wanted(name)]] as const);
  const damaged = names.map((name, at) => [name, read[at]!.damaged] as const);
  const use = await useOf(pruning, log, wheels, nowMs);
  const judged = judgeWheels({
    ...{ wheels, wants: wantedWheels(gathered.rows), platforms, use, rules, nowMs, pipeline: index.pipeline },
    ...{ refreshes: Object.fromEntries(all), damaged: Object.fromEntries(damaged), own },
  });
  const present = names.filter((_, at) => read[at]!.wheels.length + read[at]!.due.length > 0);
  return { judged, of: { use, due: read.flatMap((one) => one.due).sort(), platforms: present.sort() } };
}

async function send({ index, keep }: Pruning, here: PruneHere, order: PruneOrder): Promise<Pruned> {
  const address = await here.address(order.target.address);
  await using open = closing(await here.writer());
  const record = await keep((no) => records.prunes(index, no), order);
  return { record, order, ...(await open.writer.prune(address, { prune: record })) };
}
