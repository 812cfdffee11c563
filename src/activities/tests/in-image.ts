import { fail } from '../../model/failure.js';
import { mayUseNetwork } from '../steps/where.js';
import type { Work } from '../work.js';
import { imageUnclear, noEngineHere } from './errors.js';
import type { TestLocation } from './place.js';
import type { TestPorts } from './ports.js';

const FILES = '/slipway/files';
const OUT = '/slipway/out';

/** Runs a test in a container of the built image, by digest, with the image's own environment. */
export function inImage(work: Work<'runTest'>, { containers }: TestPorts, out: string): TestLocation {
  const images = work.artifacts('image');
  const [image] = images;
  if (image === undefined || images.length > 1) throw fail(imageUnclear(work.step.id, images.length));
  if (containers === null) throw fail(noEngineHere(work.step.id));
  return {
    files: FILES,
    out: OUT,
    run: (line, env, onOutput) => {
      const network = mayUseNetwork(work);
      work.reached('container', network);
      return containers.run({
        network,
        platform: image.labels['oci'] ?? null,
        image: `${work.address('service:staging')}/${image.labels['repository']}@${image.digest}`,
        argv: ['sh', '-eu', '-c', line],
        cwd: OUT,
        env,
        mounts: [
          { host: work.files, path: FILES, writable: false },
          { host: out, path: OUT, writable: true },
        ],
        labels: { 'slipway.run': work.run, 'slipway.step': work.step.id },
        limitMs: work.step.limitMs,
        signal: work.signal,
        onOutput,
      });
    },
  };
}
