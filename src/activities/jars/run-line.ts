import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fail } from '../../model/failure.js';
import type { Env } from '../../model/params.js';
import { layOut } from '../images/context.js';
import { lineEnv } from '../steps/line-env.js';
import { runAt, toLog } from '../steps/where.js';
import type { Work } from '../work.js';
import { jarCommandFailed, jarsTimedOut } from './errors.js';
import type { JarPorts } from './ports.js';

interface JarLine {
  readonly line: string;
  readonly cwd: string;
  readonly out: string;
  readonly env: Env;
  /** Default: the limit of the step. */
  readonly limitMs?: number;
  /** The line with its variables. Default: the step's own command. */
  readonly of?: Parameters<typeof lineEnv>[0];
  /** Name of the line in messages. Default: `command`. */
  readonly named?: string;
}

/** Runs the command of the release file, with its inputs in INPUTS; its outputs are left in OUT. Throws JARS_TIMED_OUT and JAR_COMMAND_FAILED. */
export async function runLine<K extends 'buildJar' | 'buildNative'>(
  work: Work<K>,
  ports: JarPorts,
  { line, cwd, out, env, of, named = 'command', limitMs = work.step.limitMs }: JarLine,
): Promise<void> {
  const { id, params } = work.step;
  const inputs = join(work.folder, 'inputs');
  await mkdir(out, { recursive: true });
  await layOut(work, inputs);
  const own = lineEnv(of ?? params, { files: work.files, out });
  const onOutput = toLog(work);
  const exit = await runAt(work, ports, params.where, {
    line,
    cwd,
    env: { INPUTS: inputs, OUT: out, ...env, ...own },
    onOutput,
    limitMs,
  });
  const lines = work.log.tail();
  if (exit.timedOut) throw fail(jarsTimedOut(id, work.step.limitMs, lines));
  if (exit.code !== 0) throw fail(jarCommandFailed(id, named, exit.code, lines));
}
