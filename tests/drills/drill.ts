import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/adapters/home.js';
import { identityOf, lives } from '../../src/adapters/process/identity.js';
import type { Change } from '../../src/cli/render/changes.js';
import { createServices, type Services } from '../../src/services/create-services.js';
import { readJson } from '../../src/services/files.js';
import { processesFile, statusFile } from '../../src/services/folders.js';
import { supervisor } from '../../src/services/lock.js';
import { until } from '../../src/services/poll.js';
import type { Started } from '../../src/services/process-record.js';
import type { Status } from '../../src/services/status.js';
import { aHome } from '../services/a-home.js';
import { Gate } from './gate.js';
import { leftBehind, sentTwice } from './traces.js';

/** Only so that a drill that hangs says where; nothing waits so long. */
const HANGS_MS = 30_000;
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
  endsWell(): Promise<void>;
  /** Resolves with the exit status. */
  readonly ended: Promise<number | null>;
  /** Of the steps that are done. */
  attempts(): readonly number[];
}

/** A home of its own with all services under a real supervisor, and a gate at which builds wait. */
export class Drill {
  readonly gate = new Gate();
  home = '';
  #services!: Services;
  #env: NodeJS.ProcessEnv = {};
  #remove = (): void => undefined;
  readonly #children: ChildProcess[] = [];

  async begin(): Promise<void> {
    const { home, env, remove } = await aHome();
    [this.home, this.#remove] = [home, remove];
    // An engine of this machine is not ours to kill.
    this.#env = isRoot ? { ...env, SLIPWAY_ENGINE: 'own' } : env;
    await this.gate.listen();
    this.#services = createServices(this.#env);
    await this.up();
  }

  async end(): Promise<void> {
    this.gate.close();
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
    const pid = this.#pid(service);
    await this.killForGood(service);
    await this.until(`${service} is ready again`, () => {
      const state = readJson<Status>(statusFile(this.home))?.services[service]?.state;
      return ![pid, null].includes(this.#pid(service)) && state === 'ready';
    });
  }

  async killForGood(service: string): Promise<void> {
    const pid = this.#pid(service);
    // `kill 0` would be for us.
    if (!pid) throw new Error(`${service} is not up`);
    await this.#kill(pid);
  }

  async killSupervisor(): Promise<void> {
    await this.#kill(supervisor(this.home)!.pid);
  }

  /** `slipway run FILE --wait --json`, as CI would. */
  run(file: string): Release {
    const child = this.slipway('run', file, '--wait', '--json');
    const changes = (): readonly Change[] =>
      child
        .stdout()
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as Change);
    return {
      reaches: (step, state, told = {}) =>
        this.until(`${step} ${state}`, () =>
          changes().some((one) => one.step?.startsWith(step) && has(one, { ...told, state })),
        ),
      endsWell: async () => {
        if ((await child.ended) !== 0) throw new Error(child.stderr() + child.stdout());
      },
      ended: child.ended,
      attempts: () => changes().flatMap(({ state, attempt = 1 }) => (state === 'done' ? [attempt] : [])),
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

  /** What a registry's own access log has more than once. */
  sentTwice(): readonly string[] {
    return sentTwice(this.home);
  }

  async until(what: string, so: () => boolean | Promise<boolean>): Promise<void> {
    if (!(await until(so, HANGS_MS))) throw new Error(`never: ${what}`);
  }

  #pid(service: string): number | null {
    const started = readJson<readonly Started[]>(processesFile(this.home)) ?? [];
    return started.find(({ name }) => name === service)?.pid ?? null;
  }

  async #kill(pid: number): Promise<void> {
    const victim = identityOf(pid);
    process.kill(pid, 'SIGKILL');
    await this.until(`${pid} is dead`, () => !lives(victim));
  }
}

const has = (one: Change, what: Partial<Change>): boolean =>
  Object.entries(what).every(([key, value]) => one[key as keyof Change] === value);
