import { spawn } from 'node:child_process';
import type { ImageContainer, ImageContainers } from '../../../src/activities/tests/ports.js';

const SYSTEM = ['/usr', '/bin', '/lib', '/lib64', '/etc'];

/** Containers with the system of this machine, and of its other folders those that are mounted.
 * @param asked gets each container */
export const containersOf = (asked: ImageContainer[]): ImageContainers => ({
  run: (container) =>
    new Promise((resolve) => {
      asked.push(container);
      const { argv, cwd, env, mounts, onOutput } = container;
      const shown = [
        ...SYSTEM.flatMap((path) => ['--ro-bind', path, path]),
        ...['--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp'],
        ...mounts.flatMap(({ host, path, writable }) => [writable ? '--bind' : '--ro-bind', host, path]),
      ];
      const child = spawn('/usr/bin/bwrap', [...shown, '--chdir', cwd, '--', ...argv], { env });
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (text: Buffer) => void onOutput(String(text)));
      child.on('close', (code) => resolve({ code: code ?? 137, timedOut: false }));
    }),
});
