import { chmod, mkdir, readlink, symlink, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { createDifferences, measureWorker, pinDigest, pinHere } from '../../../src/activities/fleet/measure-worker.js';
import type { Interpreters } from '../../../src/activities/pythons/ports.js';
import { newHome, realSurroundings } from '../../support/run-body.js';

const fakeInterpreters: Interpreters = { find: async () => null, tags: async () => [] };
const instruments = {
  interpreters: fakeInterpreters,
  engine: { silence: async () => 'nobody answers' },
  emulates: async () => true,
};

/** A folder with these programs alone, and what a shell line needs. */
async function pathWith(home: string, tools: Readonly<Record<string, string>>): Promise<string> {
  const folder = join(home, 'bin');
  await mkdir(folder);
  for (const name of ['sh', 'head', 'tr', 'cut']) {
    const found = [`/bin/${name}`, `/usr/bin/${name}`];
    await symlink(
      await readlink(found[0]!).then(
        () => found[0]!,
        () => found[1]!,
      ),
      join(folder, name),
    );
  }
  for (const [name, says] of Object.entries(tools)) {
    await writeFile(join(folder, name), `#!/bin/sh\necho "${name} ${says}"\n`);
    await chmod(join(folder, name), 0o755);
  }
  return folder;
}

test('given a PATH, then a worker announces the tools on it that run, and no others', async () => {
  const home = await newHome();
  const path = await pathWith(home, { gcc: '99.1', 'my-tool': '1.2.3' });
  const around = realSurroundings(home, { env: { PATH: [path].join(delimiter) }, toolsBin: '/nowhere' });
  const measured = await measureWorker(around, instruments, ['my-tool', 'absent-tool']);
  expect(measured.tools).toEqual({ gcc: '99.1', 'my-tool': '1.2.3' });
  expect(measured.lookedFor).toEqual(expect.arrayContaining(['gcc', 'absent-tool', 'uv']));
  const sandboxed = around.programs.noSandbox === null;
  expect(measured.can).toEqual(['host', ...(sandboxed ? ['sandbox'] : [])]);
});

test('given tools that differ from the pinned ones, then they are measured again and reported', async () => {
  const home = await newHome();
  const path = await pathWith(home, { gcc: '99.1', uv: '2.0' });
  const around = realSurroundings(home, { env: { PATH: path }, toolsBin: '/nowhere' });
  const measured = await measureWorker(around, instruments, []);
  const differences = createDifferences(around, fakeInterpreters, {
    ...{ ...measured, queue: 'gpu' },
    tools: { gcc: '98.0', uv: '2.0' },
  });
  const pinned = (tools: Record<string, string>) => {
    const own = { tools, pythons: {} };
    return { ...own, pin: pinHere(own, 'gpu') };
  };
  expect(await differences(pinned({ gcc: '99.1', uv: '2.0' }))).toEqual([]);
  expect(await differences(pinned({ gcc: '97.0', zig: '0.1' }))).toEqual([
    'gcc 99.1 instead of 97.0',
    'zig absent instead of 0.1',
  ]);
  const { pin, ...own } = pinned({ gcc: '99.1' });
  for (const other of [
    { ...pin, libc: 'glibc 1.0' },
    { ...pin, machine: 'linux-vax' },
    { ...pin, queue: 'npu' },
    'sha256:other',
  ])
    expect(await differences({ ...own, pin: other })).toEqual([
      expect.stringContaining('another machine or C library'),
    ]);
  expect(await differences({ ...own, pin: pinDigest(pin) })).toEqual([]);
});

test('given queues of one kind of machine, then they share a toolchain; a special queue has its own', () => {
  const [gpu, ...plain] = ['gpu', 'control', 'linux-x86_64', 'linux-aarch64'].map((queue) =>
    pinDigest(pinHere({ tools: { uv: '2.0' }, pythons: {} }, queue)),
  );
  expect(new Set(plain).size).toBe(1);
  expect(plain).not.toContain(gpu);
});
