import type { Params } from '../../model/params.js';
import type { Problem } from '../../model/failure.js';
import type { Announcement, WorkerName } from '../../model/worker.js';
import { workerLacks, workerStranger, workerUnannounced } from './errors.js';

/** A worker that serves a queue now. `announcement` is null if the store has none. */
export interface SeenWorker {
  readonly worker: WorkerName;
  readonly announcement: Announcement | null;
  /** True if its announcement lacks a signature by the home's key. */
  readonly stranger?: boolean;
}

type Demand = Params['proveQueue'];

/** Returns a problem for each worker that would take a step it cannot run. */
export const judgeWorkers = (demand: Demand, workers: readonly SeenWorker[]): readonly Problem[] =>
  workers.flatMap(({ worker, announcement, stranger }) => {
    if (stranger === true) return [workerStranger(worker, demand.queue)];
    if (announcement === null) return [workerUnannounced(worker, demand.queue)];
    const lacking = lacks(demand, announcement);
    return lacking.length === 0 ? [] : [workerLacks(worker, lacking)];
  });

function lacks({ tools, pythons, can }: Demand, has: Announcement): readonly string[] {
  return [
    ...tools.filter((tool) => !(tool in has.tools) && has.lookedFor.includes(tool)),
    ...pythons
      .filter((tag) => !(tag in has.pythons))
      .map((tag) => (tag in has.bare ? `headers of Python ${tag}` : `Python ${tag}`)),
    ...can.filter((ability) => !has.can.includes(ability)).map((ability) => WORDS[ability]),
  ];
}

const WORDS = {
  host: 'commands on the host',
  container: 'containers (no Docker engine answers)',
  emulated: 'emulation of another machine (qemu-user-static is not registered)',
  cross: 'a compiler for another machine',
  sandbox: 'a sandbox for programs of the project (bubblewrap)',
} as const;

/** Returns workers whose tools differ from the measured ones. Steps that use such a tool are refused there. */
export const differingWorkers = (
  pinned: Readonly<Record<string, string>>,
  workers: readonly SeenWorker[],
): readonly { readonly worker: WorkerName; readonly why: string }[] =>
  workers.flatMap(({ worker, announcement }) => {
    const others = Object.entries(pinned).filter(([tool, version]) => {
      const its = announcement?.tools[tool];
      return its !== undefined && its !== version;
    });
    const why = others.map(([tool, version]) => `${tool} ${announcement!.tools[tool]!} instead of ${version}`);
    return others.length === 0 ? [] : [{ worker, why: why.join(', ') }];
  });
