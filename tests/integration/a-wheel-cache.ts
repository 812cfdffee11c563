import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { type PageFile, type PythonIndex, startPythonIndex } from '../doubles/python-index.js';
import { aDoor, type Door } from '../support/a-door.js';
import { listed as listedFor } from '../support/a-wheel-list.js';
import { anSdist } from '../support/an-sdist.js';
import { type Said, slipway } from '../support/own-services.js';
import { wheelsService, type WheelsService } from '../support/wheels-service.js';
import { aWorldWith } from './a-canary.js';

export const PLATFORMS = ['debian-12', 'debian-13'] as const;

/** @param keys more keys of the list, indented by four */
export const listed = (keys = ''): string => listedFor(['cp311', 'cp311'], keys);

/** A wheel cache with a real server, real workers and real builds. Upstream is an index on loopback that pip is configured for. */
export interface WheelCache {
  readonly file: string;
  readonly env: TestWorkflowEnvironment;
  readonly upstream: PythonIndex;
  /** Address of upstream, as pip is configured for it: behind the door. */
  readonly address: string;
  /** Shut, it takes upstream off. */
  readonly door: Door;
  /** The index of ours. */
  readonly wheels: WheelsService;
  /** Variables of whoever uses pip, uv and slipway here. */
  readonly variables: Readonly<Record<string, string>>;
  /** Lets upstream list a version of a project with one file. Returns the file's name. */
  project(name: string, version: string, bytes?: Buffer, file?: string): string;
  commit(list: string): void;
  release(text: string): void;
  /** The built program, beside the release file. */
  slipway(...args: readonly string[]): Promise<Said>;
  close(): Promise<void>;
}

export async function aWheelCache(): Promise<WheelCache> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'slipway-wheel-cache-')));
  const upstream = await startPythonIndex();
  const door = await aDoor(Number(new URL(upstream.address).port));
  const address = `http://127.0.0.1:${door.port}/simple/`;
  writeFileSync(join(folder, 'pip.conf'), `[global]\nindex-url = ${address}\n`);
  const user = { HOME: folder, PIP_CONFIG_FILE: join(folder, 'pip.conf') };
  const world = await aWorldWith('unused', { ...user, PIP_INDEX_URL: undefined });
  const wheels = await wheelsService(world.home);
  const variables = { PATH: process.env['PATH'] ?? '', ...user };
  const ours = { ...variables, SLIPWAY_HOME: world.home, TEMPORAL_ADDRESS: world.env.address };
  const file = join(folder, 'slipway.yaml');
  const release = (text: string): void => writeFileSync(file, text);
  release(listed());
  return {
    ...{ file, env: world.env, upstream, address, door, wheels, variables, release },
    project: serving(upstream),
    commit: committing(join(folder, 'requirements')),
    slipway: (...args) => slipway(folder, args, ours),
    async close() {
      door.shut();
      await wheels.stop();
      await world.close();
      await upstream.stop();
    },
  };
}

function serving(upstream: PythonIndex): WheelCache['project'] {
  const pages = new Map<string, PageFile[]>();
  return (name, version, bytes = anSdist(name, version), file = `${name}-${version}.tar.gz`) => {
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const page = (pages.get(name) ?? []).filter(({ filename }) => filename !== file);
    pages.set(name, [...page, { filename: file, url: `../../files/${file}`, hashes: { sha256 }, size: bytes.length }]);
    upstream.project(name, pages.get(name)!);
    upstream.file(file, (_, response) => void response.end(bytes));
    return file;
  };
}

function committing(repository: string): WheelCache['commit'] {
  const git = (...args: readonly string[]): void =>
    void execFileSync('git', ['-C', repository, '-c', 'user.name=x', '-c', 'user.email=x@x', ...args]);
  mkdirSync(repository);
  git('init', '--quiet', '--initial-branch=master');
  return (list) => {
    writeFileSync(join(repository, 'uc.txt'), list);
    git('add', '.');
    git('commit', '--quiet', '-m', 'list');
  };
}
