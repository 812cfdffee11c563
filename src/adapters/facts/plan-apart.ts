import type { Past, Planner, PlanSignatures } from '../../activities/plan/ports.js';
import type { Store } from '../../activities/ports.js';
import type { Digest } from '../../model/digest.js';
import { fail } from '../../model/failure.js';
import type { Plan } from '../../model/plan.js';
import { createWheelServer } from '../wheel-server/wheel-server.js';
import { problems } from './errors.js';
import { LIMITS, type PlanProcess, startPlanProcess, type Surroundings } from './plan-process.js';
import { loadPlan } from './planner.js';
import type { Functions } from './talk.js';

interface Around extends Surroundings {
  readonly store: Store;
  readonly signatures: PlanSignatures;
  readonly past: Past;
  /** Returns the signal that ends the planning of the caller. */
  readonly stopped: () => AbortSignal;
}

/** Reads files of projects in another process, within limits of memory and time. This process has the keys: it reads
 * records, indexes and buckets for the other one, stores files, and signs. Throws PLANNING_OVER_LIMIT or PLANNING_DIED if
 * that process ends without an answer. */
export function planApart(around: Around): Pick<Planner, 'submit' | 'span'> {
  const { store, signatures, stopped, limits } = around;
  const { timeMs } = { ...LIMITS, ...limits };
  const world = worldOf(around);
  /** A process that has answered: the next plan does not wait for the start of another. */
  let idle: PlanProcess | null = null;

  async function ask(name: string, ...asked: readonly [file: string, ...unknown[]]): Promise<unknown> {
    const signal = stopped();
    signal.throwIfAborted();
    const one = idle ?? startPlanProcess(around, world);
    idle = null;
    let hasAnswered = false;
    const timer = setTimeout(() => one.end(`more than ${timeMs / 1000} seconds`), timeMs);
    const stop = (): void => one.end();
    signal.addEventListener('abort', stop);
    const ended = one.ended.then((end): never => {
      signal.throwIfAborted();
      throw fail(problems.planningEnded(asked[0], end));
    });
    try {
      return await Promise.race([one.call(name, ...asked).finally(() => (hasAnswered = true)), ended]);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      if (hasAnswered && idle === null) idle = one;
      else one.end();
    }
  }
  return {
    submit: async (...asked) => {
      const digest = (await ask('submit', ...asked)) as Digest;
      const plan = await loadPlan(digest, store);
      await signatures.sign(digest);
      return { plan, digest };
    },
    span: (...asked) => ask('span', ...asked) as ReturnType<Planner['span']>,
  };
}

/** Functions that the process may call. Signals cross no channel. */
function worldOf({ store, past: { standings, failed, listed, pure, bases } }: Around): Functions {
  const never = new AbortController().signal;
  const { find, download } = createWheelServer();
  return {
    ...{ read: store.read, create: store.create, putFile: store.putFile, standings, listed, pure, bases },
    failedSteps: async () => (await failed()).steps,
    failedOf: async (plan: Plan) => (await failed()).of(plan),
    find: (address, wanted) => find(address, wanted, never),
    download: (wheel, how: object) => download(wheel, { ...how, signal: never } as never),
  } as Functions;
}
