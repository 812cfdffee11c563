import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../support/pages.js';

export interface Said {
  readonly code: number | string;
  readonly out: string;
  readonly err: string;
}
export type Env = Readonly<Record<string, string>>;

/** A project that installs the packed package. */
export class Consumer {
  readonly folder = mkdtempSync(join(tmpdir(), 'slipway-consumer-'));
  /** Path of what `npm pack` made. */
  tarball = '';

  /** Runs a program in the project's folder, with variables of no server but these. */
  run(program: string, argv: readonly string[], more: Env = {}): Promise<Said> {
    const { PATH = '', HOME = '/' } = process.env;
    const env = { PATH, HOME, SLIPWAY_HOME: join(this.folder, 'home'), ...more };
    return new Promise((resolve) => {
      execFile(program, argv, { cwd: this.folder, env }, (error, out, err) =>
        resolve({ code: error?.code ?? 0, out, err }),
      );
    });
  }

  async install(): Promise<void> {
    writeFileSync(join(this.folder, 'package.json'), '{ "name": "consumer", "private": true }\n');
    // dist is built by now; the script of the package would build it again.
    await well(this.run('npm', ['pack', ROOT, '--ignore-scripts', '--silent']));
    this.tarball = join(
      this.folder,
      readdirSync(this.folder).find((name) => name.endsWith('.tgz'))!,
    );
    const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    await well(this.run('npm', ['install', '--prefer-offline', ...quiet, this.tarball]));
    cpSync(join(ROOT, 'examples', 'client'), join(this.folder, 'src'), { recursive: true });
    cpSync(join(ROOT, 'examples', 'ci', 'start-release.mjs'), join(this.folder, 'start-release.mjs'));
  }
}

/** Returns what a program printed. Throws if it failed. */
export async function well(said: Promise<Said>): Promise<string> {
  const { code, out, err } = await said;
  if (code !== 0) throw new Error(`${code}\n${out}\n${err}`);
  return out;
}
