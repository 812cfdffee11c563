import { execFile } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Problem } from '../../src/model/failure.js';

const ROOT = join(__dirname, '..', '..');
const HEAD = `
const { problemsOf } = require('${ROOT}/dist/activities/step/failures.js');
const tell = (error) => console.log(JSON.stringify(problemsOf(error, null, '')));`;
const UNPACK = `${HEAD}
require('${ROOT}/dist/adapters/archive/index.js').createArchives()
  .unpack(process.argv[1], process.argv[2] + '/into', ({ name }) => name).then(() => console.log('[]'), tell);`;
const STORE = `${HEAD}
const store = require('${ROOT}/dist/adapters/store/directory.js').createDirectoryStore(process.argv[2] + '/store');
Promise.resolve().then(() => store.create('a/b', { x: 1 })).then(() => console.log('[]'), tell);`;

const DISKS = {
  full: { code: UNPACK, mount: (at: string) => ['--size', String(2 ** 20), '--tmpfs', at] },
  'read-only': { code: UNPACK, mount: (at: string) => ['--ro-bind', at, at] },
  'read-only store': { code: STORE, mount: (at: string) => ['--ro-bind', at, at] },
};

/** Unpacks an archive, or writes a record, on a disk of one megabyte or one that is read-only. Returns the problems of a step. */
export async function inTinyDisk(archive: string, disk: keyof typeof DISKS): Promise<readonly Problem[]> {
  const at = mkdtempSync(join(tmpdir(), 'slipway-disk-'));
  const { code, mount } = DISKS[disk];
  const argv = [
    '--bind',
    '/',
    '/',
    '--dev-bind',
    '/dev',
    '/dev',
    ...mount(at),
    process.execPath,
    '-e',
    code,
    archive,
    at,
  ];
  const { stdout } = await promisify(execFile)('bwrap', argv);
  return JSON.parse(stdout) as readonly Problem[];
}
