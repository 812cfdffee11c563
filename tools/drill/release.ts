import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { delimiter, join } from 'node:path';
import { packageRoot } from '#slipway/adapters/home.js';

export interface Release {
  readonly ended: Promise<Ended>;
  stop(): void;
}
export interface Ended {
  /** 0: rehearsed. */
  readonly code: number;
  /** Run id. Null if no run began. */
  readonly run: string | null;
  readonly because: readonly string[];
}

/** `slipway run FILE --wait --json` as CI would, in the drill's own home. */
export function startRelease(file: string, env: NodeJS.ProcessEnv): Release {
  // With `slipway` on the PATH the command prints no note about it.
  const bin = join(packageRoot(), 'bin');
  const argv = [join(bin, 'slipway.js'), 'run', file, '--wait', '--json', '--on-hold', 'exit'];
  const child = spawn(process.execPath, argv, {
    env: { ...env, PATH: `${bin}${delimiter}${env['PATH'] ?? ''}` },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  return { ended: ending(child), stop: () => void child.kill('SIGKILL') };
}

async function ending(child: ChildProcess): Promise<Ended> {
  let [stdout, stderr] = ['', ''];
  child.stdout!.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr!.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const [code] = (await once(child, 'close')) as [number | null];
  const last = lastObject(stdout);
  const problems = last?.status?.steps?.flatMap(({ id, problems: all = [] }) =>
    all.map(({ code: name, message }) => `${id}: ${name}: ${message}`),
  );
  return {
    code: code ?? 1,
    run: last?.status?.run ?? null,
    because:
      code === 0 ? [] : [...(problems ?? []), ...stderr.trim().split('\n').slice(-6)].filter((line) => line !== ''),
  };
}

interface Last {
  readonly status?: {
    readonly run?: string;
    readonly steps?: readonly {
      readonly id: string;
      readonly problems?: readonly { readonly code: string; readonly message: string }[];
    }[];
  };
}

function lastObject(text: string): Last | null {
  try {
    return JSON.parse(text.trimEnd().split('\n').at(-1)!) as Last;
  } catch {
    return null;
  }
}
