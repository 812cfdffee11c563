import { spawnSync } from 'node:child_process';
import { createWriteStream, existsSync, readFileSync, realpathSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { pack } from 'tar-stream';

/** Programs of this machine that a container of ours needs for a test. */
const PROGRAMS = ['/bin/sh', '/bin/bash', '/bin/cat', '/bin/sleep', '/bin/uname', '/usr/bin/id', '/usr/bin/env'];

/** A root file system of a few megabytes: this machine's shell and what it loads. Written to `tar`.
 * @param more programs, or libraries whose own libraries are taken along */
export async function writeTinyRootfs(tar: string, more: readonly string[] = []): Promise<string> {
  const archive = pack();
  const written = pipeline(archive, createWriteStream(tar));
  for (const folder of ['bin', 'usr', 'usr/bin', 'tmp', 'etc'])
    archive.entry({ name: folder, type: 'directory', mode: 0o755 });
  for (const path of new Set([...PROGRAMS, ...more].flatMap((program) => [program, ...librariesOf(program)]))) {
    archive.entry({ name: path.slice(1), mode: 0o755 }, readFileSync(realpathSync(path)));
  }
  archive.finalize();
  await written;
  return tar;
}

/** None of a script. */
export function librariesOf(program: string): readonly string[] {
  const { stdout } = spawnSync('ldd', [program], { encoding: 'utf8' });
  return [...stdout.matchAll(/(\/\S+) \(0x/g)].map((match) => match[1]!);
}

/** Where a Docker engine answers on this machine, for tests that need a real one. */
export function testEngine(): string | null {
  const named = process.env['DOCKER_HOST'];
  if (named) return named;
  const candidates = [process.env['SLIPWAY_HOME'] ?? '.slipway', '.slipway'].map((folder) => `${folder}/services.json`);
  for (const file of candidates.filter((path) => existsSync(path))) {
    const state = JSON.parse(readFileSync(file, 'utf8')) as { services: Record<string, { address: string }> };
    if (state.services['docker']) return state.services['docker'].address;
  }
  return existsSync('/var/run/docker.sock') ? 'unix:///var/run/docker.sock' : null;
}
