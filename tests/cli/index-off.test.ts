/** @long @needs tools */
import { JSON_PAGE } from '../doubles/python-index.js';
import { aDoor, type Door } from '../support/a-door.js';
import { type Said, slipway } from '../support/own-services.js';
import { aWheelList, LISTED, sdist, type WheelListWorld } from '../support/a-wheel-list.js';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const NAMES = [...'abcdefghij'].map((letter) => `boat-${letter}`);

let world: WheelListWorld;
let door: Door;
beforeEach(async () => {
  world = await aWheelList(LISTED.replace('    file: uc.txt\n', '    file: uc.txt\n    maxAge: 0s\n'));
  door = await aDoor(Number(new URL(world.index.address).port));
  writeFileSync(join(world.folder, 'pip.conf'), `[global]\nindex-url = http://127.0.0.1:${door.port}/simple/\n`);
  for (const name of NAMES) world.index.project(name, [sdist(`${name}-1.0.tar.gz`)]);
  world.commit(NAMES.map((name) => `${name}==1.0\n`).join(''));
});
afterEach(async () => {
  door.shut();
  await world.end();
});

/** Plans in a process of its own, and counts rows by verdict. */
async function planned(...more: readonly string[]): Promise<{ readonly said: Said; readonly counts: Counts }> {
  const env = Object.fromEntries(Object.entries(process.env).map(([name, value]) => [name, value ?? '']));
  const said = await slipway(world.folder, ['plan', ...more], env);
  const [, build = '0'] = /(\d+) build/.exec(said.stdout) ?? [];
  const [, unanswered = '0'] = /(\d+) unanswered/.exec(said.stdout) ?? [];
  return { said, counts: { build: Number(build), unanswered: Number(unanswered) } };
}
interface Counts {
  readonly build: number;
  readonly unanswered: number;
}

test('given an index that is gone in the middle of a page, then what it answered is planned, and the rest waits by name', async () => {
  world.index.answer('boat-d', (_, response) => {
    response.writeHead(200, { 'content-type': JSON_PAGE });
    response.write('{"meta":{"api-version":"1.1"},"name":"boat-d","files":[', () => door.shut());
  });
  const { said, counts } = await planned();
  expect(said.code).toBe(0);
  // Two platforms each.
  expect(counts.build + counts.unanswered).toBe(2 * NAMES.length);
  expect(counts.build).toBeGreaterThan(0);
  expect(said.stdout).toMatch(/warning INDEX_UNANSWERED \d+ projects: .*"boat-d"/);
  expect(said.stdout).not.toContain('wheels/boat-d-1.0');

  await door.open();
  world.index.project('boat-d', [sdist('boat-d-1.0.tar.gz')]);
  expect((await planned()).counts).toEqual({ build: 2 * NAMES.length, unanswered: 0 });
});

test('given an index that is off for the whole plan, then planning ends with INDEX_UNREACHABLE, and offline nothing is built', async () => {
  door.shut();
  const { said } = await planned();
  expect(said).toMatchObject({ code: 1, stderr: expect.stringContaining('INDEX_UNREACHABLE') });
  expect((await planned('--offline')).counts).toEqual({ build: 0, unanswered: 2 * NAMES.length });
});

test('given an index that was asked and is off, then former answers decide, offline too, and a new line waits', async () => {
  const before = await planned();
  expect(before.said.code).toBe(0);
  const asked = world.index.asked.length;
  const stepsOf = ({ stdout }: Said): readonly string[] =>
    stdout.split('\n').filter((line) => line.startsWith('wheels '));
  expect(stepsOf(before.said)).toHaveLength(2 * NAMES.length);
  world.commit([...NAMES, 'oars'].map((name) => `${name}==1.0\n`).join(''));
  const offline = await planned('--offline');
  door.shut();
  const off = await planned();
  for (const { said, counts } of [offline, off]) {
    expect(counts).toEqual({ build: 2 * NAMES.length, unanswered: 2 });
    expect(stepsOf(said)).toEqual(stepsOf(before.said));
  }
  expect(world.index.asked).toHaveLength(asked);
});
