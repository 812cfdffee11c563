import { readFileSync, writeFileSync } from 'node:fs';
import { freshSearch } from './fresh.js';
import { LAWS } from './list.js';

/** Started by `npm run laws`, which reads the answer from a file: Jest has its own text on standard error. */
test('given fresh worlds, then every law holds', () => {
  const file = process.env['SLIPWAY_LAWS']!;
  const { minutes } = JSON.parse(readFileSync(file, 'utf8')) as { readonly minutes: number };
  const print = (line: string): void => void process.stdout.write(`${line}\n`);
  const random = (): number => Math.floor(Math.random() * 2 ** 31);
  const broken = freshSearch(LAWS, { minutes, clock: Date.now, random, print });
  writeFileSync(file, JSON.stringify({ broken }));
});
