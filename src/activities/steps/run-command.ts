import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { counted } from '../../model/counted.js';
import { fail } from '../../model/failure.js';
import { layOut } from '../images/context.js';
import type { Exit } from '../ports.js';
import { LineWatch } from '../tests/line-watch.js';
import type { TestPorts } from '../tests/ports.js';
import type { Body, Work } from '../work.js';
import {
  commandExpectedLineAbsent,
  commandFailed,
  commandMissing,
  commandTimedOut,
  outputAbsent,
  treeNotFetched,
} from './errors.js';
import { lineEnv } from './line-env.js';
import { findFiles, keepFiles, rootOf } from './outputs.js';
import { sourceTree } from '../source/tree.js';
import { runAt, toLog } from './where.js';

type Command = Work<'runCommand' | 'tidyUp'>;

/** Runs a command of the release file. Its inputs are under $INPUTS by kind (`deps/ wheels/ jars/ sdists/ inputs/
 * files/`), and its working folder is the source tree if it needs one. Keeps the files of `outputs`. */
export const createRunCommand = (ports: TestPorts): Body<'runCommand' | 'tidyUp'> =>
  async function runCommand(work) {
    const { run, expect, outputs, where } = work.step.params;
    if (run === null) throw fail(commandMissing(work.step.id));
    const folders = await makeReady(work, ports);
    const own = lineEnv(work.step.params, { files: work.files, out: folders.out });
    const watch = new LineWatch(expect ?? '');
    const log = toLog(work);
    const exit = await runAt(work, ports, where, {
      line: run,
      cwd: folders.cwd,
      env: { INPUTS: folders.inputs, OUT: folders.out, ...own },
      onOutput: (text) => {
        watch.push(text);
        return log(text);
      },
    });
    refuse(work, exit, expect === null || watch.end());
    const kept = await keepOutputs(work, folders, outputs);
    return { artifacts: kept, facts: { exitCode: exit.code }, note: `status 0, ${counted(kept.length, 'file')} kept` };
  };

interface Folders {
  readonly inputs: string;
  readonly out: string;
  readonly cwd: string;
}

async function makeReady(work: Command, { archives }: TestPorts): Promise<Folders> {
  const inputs = join(work.folder, 'inputs');
  const out = join(work.folder, 'out');
  await layOut(work, inputs);
  mkdirSync(out, { recursive: true });
  const tree = await sourceTree(work, archives, join(work.folder, 'source'));
  const { id, source } = work.step;
  if (tree === null && source !== undefined) throw fail(treeNotFetched(id, source));
  return { inputs, out, cwd: tree === null ? inputs : join(tree, work.step.params.folder) };
}

function refuse(work: Command, exit: Exit, lineSeen: boolean): void {
  const { id, limitMs, params } = work.step;
  const lines = work.log.tail();
  if (exit.timedOut) throw fail(commandTimedOut(id, limitMs, lines));
  if (exit.code !== 0) throw fail(commandFailed(id, exit.code, lines));
  if (!lineSeen) throw fail(commandExpectedLineAbsent(id, params.expect!, lines));
}

/** Patterns are relative to the working folder, or to the out folder if they begin with `{out}/`. */
async function keepOutputs(work: Command, { cwd, out }: Folders, outputs: readonly string[]) {
  const rooted = outputs.map((glob) => rootOf(glob, out, cwd));
  const kept = [];
  for (const root of [out, cwd]) {
    const globs = rooted.filter(([folder]) => folder === root).map(([, glob]) => glob);
    for (const glob of globs)
      if ((await findFiles(work, root, [glob])).length === 0) throw fail(outputAbsent(work.step.id, glob));
    kept.push(...(await keepFiles(work, root, await findFiles(work, root, globs))));
  }
  return kept;
}
