import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DRILL_PORT, type Phase } from '../../src/model/drill.js';
import { Gate } from '../../tools/drill/gate.js';
import { createVictims } from '../../tools/drill/victims.js';
import { aHome } from '../services/a-home.js';
import { slipwayOf, type Said } from '../support/own-services.js';
import type { Tree } from './a-tree.js';

/** The built program of a tree, with a home of its own, and a project beside it. */
export interface Program {
  readonly home: string;
  /** Writes a file of the home, which only its user may read. The project is in its folder `project`. */
  write(path: string, text: string): void;
  /** Types a line: `slipway …` in the folder of the project. */
  say(...args: readonly string[]): Promise<Said>;
  /** Kills the worker of a queue when a step is at a point for the first time. */
  killAt(step: string, phase: Phase, queue: string): void;
  /** Steps at which a worker was killed. */
  readonly killed: readonly string[];
  end(): Promise<void>;
}

export async function aProgram({ root }: Tree, files: Readonly<Record<string, string>>): Promise<Program> {
  const { home, env, remove } = await aHome();
  const gate = new Gate();
  const plans: { step: string; phase: Phase; queue: string }[] = [];
  const killed: string[] = [];
  gate.ask(async ({ step, phase }) => {
    const at = plans.findIndex((one) => step.startsWith(one.step) && one.phase === phase);
    if (at < 0) return;
    const [{ queue }] = plans.splice(at, 1) as [(typeof plans)[number]];
    killed.push(step);
    await createVictims(home).killService(`worker-${queue}`);
  });
  const own = { ...env, SLIPWAY_HOME: home, [DRILL_PORT]: String(await gate.listen()) } as Record<string, string>;
  const project = aProject(join(home, 'project'), files);
  const say = (...args: readonly string[]): Promise<Said> => slipwayOf(root, project, args, own);
  return {
    ...{ home, say, killed },
    write: (path, text) => writeOwn(join(home, path), text),
    killAt: (step, phase, queue) => plans.push({ step, phase, queue }),
    async end() {
      await say('down');
      gate.close();
      remove();
    },
  };
}

/** A repository with one commit. */
export function aProject(folder: string, files: Readonly<Record<string, string>>): string {
  for (const [path, text] of Object.entries(files)) writeOwn(join(folder, path), text);
  const git = (...argv: readonly string[]): unknown =>
    execFileSync('git', ['-c', 'user.name=sample', '-c', 'user.email=sample@localhost', ...argv], { cwd: folder });
  git('init', '-q');
  git('add', '-A');
  git('commit', '-qm', 'one');
  return folder;
}

function writeOwn(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, text, { mode: 0o600 });
}
