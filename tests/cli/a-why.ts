import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createWriteReport } from '../../src/activities/report/write-report.js';
import { createPerform } from '../../src/activities/step/perform.js';
import type { Body, Work } from '../../src/activities/work.js';
import type { Digest } from '../../src/model/digest.js';
import type { KindName } from '../../src/model/kinds.js';
import type { RunStatus, StepStatus } from '../../src/model/messages.js';
import { canonical } from '../../src/model/json.js';
import type { Plan, Step } from '../../src/model/plan.js';
import { records, type Started } from '../../src/model/run-folder.js';
import { why } from '../../src/cli/commands/why.js';
import { FEATURE_CLIS } from '../../src/features/cli.js';
import { asBytes } from '../activities/step/a-world.js';
import { aPlan, aStep as aPlanned, newHome, realSurroundings, sha256 } from '../support/run-body.js';
import { aRun, START } from './a-run.js';
import { fakeClient, fakeIo, fakePorts } from './fake-ports.js';

export const SOURCE = 'sdists/skiff';
export const WHEEL = 'wheels/skiff/cp312';
export const SEAL = 'seal/manifest';
export const PUBLISH = 'publish/index/wheels';
export const TEST = 'tests/smoke';

/** A source, a wheel of it, its test, a seal of all, and what goes out; `text` is what the source holds. */
export function steps({ flags = '-O2', project = 'skiff' } = {}): readonly Step[] {
  const params = (more: object) => more as never;
  return [
    aPlanned('takeSdist', params({ project }), { id: SOURCE, stage: 'sdists' }),
    aPlanned('buildWheel', params({ env: { CFLAGS: flags } }), {
      id: WHEEL,
      stage: 'wheels',
      needs: [SOURCE],
      files: ['ci'],
    }),
    aPlanned('runTest', params({ run: 'smoke' }), { id: TEST, stage: 'tests', needs: [WHEEL] }),
    aPlanned('sealManifest', params({}), { id: SEAL, stage: 'seal', wants: [WHEEL, TEST] }),
    aPlanned('publishArtifacts', params({ target: { name: 'index' } }), {
      id: PUBLISH,
      stage: 'publish',
      needs: [SEAL],
    }),
  ] as readonly Step[];
}

/** One store, and the releases that are carried out over it by real attempts: what `why` is drawn from. */
export class Releases {
  readonly #around = newHome().then((home) => realSurroundings(home, { now: () => START, ticks: () => 0 }));
  readonly #digests = new Map<string, Digest>();

  async store() {
    return (await this.#around).store;
  }

  /** Carries out these steps of a plan, in their order. @param text what the source holds @param reused the world has it already */
  async run(
    run: string,
    day: number,
    plan: Plan,
    only: readonly string[],
    { text = 'one', reused = false, round = 1, noCache = false } = {},
  ): Promise<void> {
    const around = await this.#around;
    const { digest } = await around.store.put(asBytes(canonical(plan)));
    for (const one of plan.bundle) await around.store.put(asBytes(TEXTS.get(one.digest)!));
    this.#digests.set(run, digest);
    const at = `2026-11-${String(day).padStart(2, '0')}T12:00:00.000Z`;
    const started: Started = { run, workflowId: 'rehearsal/skiff/1.2.3', plan: digest, at };
    await around.store.create(records.started(run), started);
    const body: Body<KindName> = async (work) => {
      await writeFile(`${work.folder}/out`, work.step.id === SOURCE ? text : `made from ${text}`);
      const name = `${work.step.id.replaceAll('/', '-')}.txt`;
      return { artifacts: [await work.keep(`${work.folder}/out`, 'file', {}, name)], facts: {}, note: 'made', reused };
    };
    for (const step of only) {
      const environment = new MockActivityEnvironment({ attempt: 1 });
      await environment.run(createPerform(around)(body), {
        plan: digest,
        step,
        run,
        attempt: round,
        ...(round > 1 && { round }),
        ...(noCache && { noCache }),
      });
    }
    const step = { id: 'report/run' };
    await createWriteReport()({ plan, run, step, store: around.store } as unknown as Work<'writeReport'>);
  }

  /** Somebody removes bytes from the store. */
  async lose(digest: string): Promise<void> {
    const { home } = await this.#around;
    const hex = digest.replace('sha256:', '');
    await rm(join(home, 'store', 'cas', 'sha256', hex.slice(0, 2), hex.slice(2)), { force: true });
    await rm(join(home, 'store', 'cas', 'sha256', hex.slice(0, 2), hex), { force: true });
  }

  losePlan(run: string): Promise<void> {
    return this.lose(this.#digests.get(run)!);
  }

  /** What `slipway why` answers of a run. */
  async ask(
    step: string,
    run: string,
    told: readonly StepStatus[],
    more: Partial<RunStatus> = {},
    json = false,
  ): Promise<string> {
    const store = await this.store();
    const status = aRun({
      run,
      plan: this.#digests.get(run)!,
      steps: told,
      workflowId: 'rehearsal/skiff/1.2.3',
      ...more,
    });
    const queue = { window: 2, diskMiB: 1, can: ['host' as const], tools: [] };
    const ports = {
      ...fakePorts({ store, client: fakeClient([[status]]), screens: FEATURE_CLIS }),
      ...{ hash: sha256, env: { TEMPORAL_ADDRESS: 'x' }, queues: async () => ({ control: queue }) },
    };
    const io = fakeIo();
    await why.run({ args: { subject: step }, options: json ? { json } : {} }, io, ports);
    return `${io.printed.join('\n')}\n`;
  }
}

export const aWhyPlan = (options: Parameters<typeof steps>[0] = {}, more: Partial<Plan> = {}): Plan =>
  aPlan({ steps: steps(options), bundle: [file('ci/build.sh')], ...more });

/** What stands in files of a bundle, by digest. */
const TEXTS = new Map<Digest, string>();

export function file(path: string, text = path): Plan['bundle'][number] {
  TEXTS.set(sha256(text), text);
  return { path, digest: sha256(text), size: text.length, executable: false };
}
