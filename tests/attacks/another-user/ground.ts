import { spawn, type SpawnOptions } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot, toolsBin } from '../../../src/adapters/home.js';
import { serverEnv } from '../../../src/adapters/temporal/server-env.js';
import { processesFile } from '../../../src/services/folders.js';
import { createServices, type Services } from '../../../src/services/create-services.js';
import type { Started } from '../../../src/services/process-record.js';
import { aHome } from '../../services/a-home.js';
import { ownPorts } from '../../support/own-ports.js';
import { giveWorkflows } from '../../support/shared-cache.js';

/** The other user: no account has this number. */
export const OTHER = { uid: 65_534, gid: 65_534 };
const LIMIT_MS = 60_000;

export interface Said {
  readonly code: number;
  /** stdout, then stderr. */
  readonly text: string;
}

/** One attack: the title begins with the number of its finding, as in `[D1] …`. It resolves if the attack is refused. */
export interface Attack {
  readonly title: string;
  run(ground: Ground): Promise<void>;
}

/** Real services of one home, started by `slipway up`, and another user of the same machine. */
export class Ground {
  home = '';
  services!: Services;
  /** Environment of the home's owner. */
  env: NodeJS.ProcessEnv = {};
  /** A folder that both users may write. */
  folder = '';
  #remove = (): void => undefined;

  async begin(): Promise<void> {
    const { home, env, remove } = await aHome();
    [this.home, this.env, this.#remove] = [home, env, remove];
    this.folder = mkdtempSync(join(tmpdir(), 'slipway-other-'));
    chmodSync(this.folder, 0o777);
    await giveWorkflows(home);
    this.services = createServices(env);
    await this.services.up({ onLine: () => undefined });
  }

  async end(): Promise<void> {
    await this.services?.down({ onLine: () => undefined });
    this.#remove();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Ports of this machine at which processes of the home listen. */
  ports(): readonly number[] {
    const groups = JSON.parse(readFileSync(processesFile(this.home), 'utf8')) as readonly Started[];
    return groups.flatMap(({ pid }) => ownPorts(pid));
  }

  /** Address of the web page, without its key. */
  page(): string {
    return this.services.ui()!;
  }

  /** Runs a program as the other user, who has a home and tools and nothing else. */
  other(argv: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Said> {
    const own = { PATH: '/usr/bin:/bin:/usr/sbin', HOME: this.folder, ...env };
    return said(argv, { ...OTHER, cwd: this.folder, env: own });
  }

  /** Runs the `temporal` CLI as the other user. */
  temporal(...args: readonly string[]): Promise<Said> {
    return this.other([join(toolsBin(), 'temporal'), ...args]);
  }

  /** Workflows that the server has, as the owner sees them. */
  async workflows(): Promise<string> {
    const { code, text } = await said([join(toolsBin(), 'temporal'), 'workflow', 'list'], {
      env: serverEnv(this.home),
    });
    expect({ code, text }).toEqual({ code: 0, text });
    return text;
  }

  /** Runs `slipway` as the owner. */
  slipway(...args: readonly string[]): Promise<Said> {
    return said(
      [process.execPath, join(packageRoot(), 'bin', 'slipway.js'), ...args],
      { env: this.env },
      10 * LIMIT_MS,
    );
  }
}

function said([program, ...args]: readonly string[], options: SpawnOptions, timeout = LIMIT_MS): Promise<Said> {
  const child = spawn(program!, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'], timeout });
  const parts = ['', ''];
  child.stdout!.on('data', (piece: Buffer) => (parts[0] += piece.toString()));
  child.stderr!.on('data', (piece: Buffer) => (parts[1] += piece.toString()));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code: code ?? -1, text: parts.join('') }));
  });
}
