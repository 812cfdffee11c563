import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/adapters/home.js';
import type { Change } from '../../src/cli/render/changes.js';
import { indexUploads, registryUploads, sentAgain } from '../../tools/drill/access-logs.js';
import { Gate as Points } from '../../tools/drill/gate.js';
import { leftBehind } from '../../tools/drill/left-behind.js';
import { createVictims } from '../../tools/drill/victims.js';
import { DRILL_PORT } from '../../src/model/drill.js';
import { createServices, type Services } from '../../src/services/create-services.js';
import { until } from '../../src/services/poll.js';
import { aHome } from '../services/a-home.js';
import { giveWorkflows } from '../support/shared-cache.js';
import { Gate } from './gate.js';

/** Shorter than the watchdog of jest.config.js, so that a drill that hangs says where. */
export const HANGS_MS = 12 * 60_000;
const quiet = { onLine: (): void => undefined };

/** Only root starts an engine. */
export const isRoot = process.getuid?.() === 0;

interface Running {
  stdout(): string;
  stderr(): string;
  readonly ended: Promise<number | null>;
}

/** A release under way, by what `slipway run --wait --json` tells of it. */
export interface Release {
  /** Resolves when a step has been in this state. */
  reaches(step: string, state: string, told?: Partial<Change>): Promise<void>;
  /** Resolves when a step waits to try again, or already does: the wait may be too short to be seen. */
  triesAgain(step: string, told?: Partial<Change>): Promise<void>;
  endsWell(): Promise<void>;
  /** Resolves with the exit status. */
  readonly ended: Promise<number | null>;
  /** Attempts of steps that are done, without those that lost workers had begun. */
  attempts(): readonly number[];
}

/** A home of its own with all services under a real supervisor, and a gate at which builds wait. */
export class Drill {
  readonly gate = new Gate();
  /** Where steps pass before and after what they change outside. */
  readonly points = new Points();
  home = '';
  #services!: Services;
  #env: NodeJS.ProcessEnv = {};
  #remove = (): void => undefined;
  readonly #children: ChildProcess[] = [];

  async begin(): Promise<void> {
    const { home, env, remove } = await aHome();
    [this.home, this.#remove] = [home, remove];
    await giveWorkflows(home);
    // An engine of this machine is not ours to kill.
    const points = { [DRILL_PORT]: String(await this.points.listen()) };
    this.#env = { ...env, ...points, ...(isRoot && { SLIPWAY_ENGINE: 'own' }) };
    await this.gate.listen();
    this.#services = createServices(this.#env);
    await this.up();
  }

  async end(): Promise<void> {
    this.gate.close();
    this.points.close();
    this.#children.forEach((child) => child.kill('SIGKILL'));
    await this.#services.down(quiet);
    this.#remove();
  }

  up(): Promise<void> {
    return this.#services.up(quiet);
  }

  address(service: string): string {
    return this.#services.address(service)!;
  }

  folder(name: string): string {
    const folder = join(this.home, 'drills', name);
    mkdirSync(folder, { recursive: true });
    return folder;
  }

  /** KILL to a service; resolves when the supervisor has another one that answers. */
  async kill(service: string): Promise<void> {
    await createVictims(this.home).risen(service, await this.killForGood(service));
  }

  /** Answers the process that died. */
  async killForGood(service: string): Promise<number> {
    const dead = await createVictims(this.home).killService(service);
    if (dead === 0) throw new Error(`${service} is not up`);
    return dead;
  }

  killSupervisor(): Promise<void> {
    return createVictims(this.home).killSupervisor();
  }

  /** `slipway run FILE --wait --json`, as CI would. */
  run(file: string): Release {
    const child = this.slipway('run', file, '--wait', '--json');
    let over = false;
    void child.ended.then(() => {
      over = true;
      this.gate.runEnded(child.stderr() + child.stdout());
    });
    const changes = (): readonly Change[] =>
      child
        .stdout()
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as Change);
    const said = (): string => child.stderr() + child.stdout();
    const shows = (step: string, what: string, is: (change: Change) => boolean): Promise<void> =>
      this.until(
        `${step} ${what}`,
        () => {
          if (changes().some((one) => one.step?.startsWith(step) && is(one))) return true;
          if (over) throw new Error(`the run ended before ${step} ${what}: ${said()}`);
          return false;
        },
        said,
      );
    return {
      reaches: (step, state, told = {}) => shows(step, state, (one) => has(one, { ...told, state })),
      triesAgain: (step, told = {}) =>
        shows(step, 'tries again', (one) => has(one, { ...told, state: 'backing off' }) || (one.attempt ?? 0) > 1),
      endsWell: async () => {
        if ((await child.ended) !== 0) throw new Error(child.stderr() + child.stdout());
      },
      ended: child.ended,
      attempts: () =>
        changes().flatMap(({ state, attempt = 1, note = '' }) =>
          state === 'done' ? [attempt - (note.match(/was gone at/g)?.length ?? 0)] : [],
        ),
    };
  }

  slipway(...args: readonly string[]): Running {
    const argv = [join(packageRoot(), 'bin', 'slipway.js'), ...args];
    const child = spawn(process.execPath, argv, { env: this.#env, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#children.push(child);
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    return { stdout: () => stdout, stderr: () => stderr, ended };
  }

  /** Processes, containers, builds and folders of steps that are over. */
  leftBehind(): Promise<readonly string[]> {
    return leftBehind(this.home, this.#services.address('docker')!);
  }

  /** What a registry's own access log has more than once. @param wheels how many were released */
  sentTwice(wheels: number): readonly string[] {
    return [...sentAgain(registryUploads(this.home)), ...sentAgain(indexUploads(this.home), wheels)];
  }

  async until(what: string, so: () => boolean | Promise<boolean>, said: () => string = () => ''): Promise<void> {
    if (!(await until(so, HANGS_MS))) throw new Error(`never: ${what}\n${said()}`);
  }
}

const has = (one: Change, what: Partial<Change>): boolean =>
  Object.entries(what).every(([key, value]) => one[key as keyof Change] === value);
