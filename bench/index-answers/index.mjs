import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { middle } from '../measure.mjs';
import { atMost, row } from '../rows.mjs';
import { startIndex } from './stand-in.mjs';

const PROJECTS = 600;
const DAY_MS = 86_400_000;
const NAMED = `${PROJECTS} projects of a Python index, 0.5 MB and 40 ms each`;

/** Answers of an index: the first time, again with entity tags, and again when they are young. */
export async function indexAnswers({ root, folder, runs }) {
  const index = await startIndex(PROJECTS);
  const home = join(folder, 'index-answers');
  mkdirSync(home, { recursive: true });
  const file = join(home, 'names.json');
  writeFileSync(file, JSON.stringify(index.names));
  const rounds = [];
  for (let run = 0; run < (runs ?? 3); run++) {
    rmSync(join(home, 'index-answers'), { recursive: true, force: true });
    const ask = (maxAgeMs) => asked({ root, home, index, file, maxAgeMs });
    rounds.push({ first: await ask(0), again: await ask(0), young: await ask(DAY_MS) });
  }
  index.stop();
  const taken = (way, what) => middle(rounds.map((one) => one[way][what]));
  return [
    row(`${NAMED}, first asking`, taken('first', 's'), 's', { goal: atMost(30) }),
    row(`${NAMED}, first asking, memory of both processes`, taken('first', 'mb'), 'MB', { goal: atMost(250) }),
    row(`${NAMED}, again with entity tags`, taken('again', 's'), 's', { goal: atMost(5) }),
    row(`${NAMED}, requests where answers are younger than maxAge`, taken('young', 'requests'), '', {
      goal: atMost(0),
    }),
    row(`${NAMED}, answers younger than maxAge`, taken('young', 's'), 's'),
  ];
}

async function asked({ root, home, index, file, maxAgeMs }) {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('PIP_'));
  const env = { ...Object.fromEntries(own), SLIPWAY_HOME: home, PIP_INDEX_URL: index.address };
  const argv = [join(root, 'bench', 'index-answers', 'ask.mjs'), root, file, String(maxAgeMs)];
  const start = performance.now();
  const { stdout } = await promisify(execFile)(process.execPath, argv, { env });
  const s = (performance.now() - start) / 1000;
  const { files, mb } = JSON.parse(stdout);
  if (files !== PROJECTS) throw new Error(`${files} of ${PROJECTS} projects were answered`);
  return { s, mb, ...index.counted() };
}
