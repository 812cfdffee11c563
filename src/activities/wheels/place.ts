import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fail } from '../../model/failure.js';
import type { Where } from '../../model/params.js';
import type { StepLog } from '../step/ports.js';
import type { ImageContainers, Mount } from '../tests/ports.js';
import type { Work } from '../work.js';
import { baseImageMissing, enginelessWorker } from './errors.js';

export interface Place {
  /** Runs a program or a shell line and answers its exit status; output goes to the log. */
  run(argv: readonly string[] | string, options: { cwd: string; env: Record<string, string> }): Promise<number>;
}

/** The worker's own host, or a container in which workspace, Pythons, tools and caches stand at the same paths. */
export function placeOf(
  work: Work,
  where: Where,
  containers: ImageContainers | null,
  pythons: readonly string[],
): Place {
  if (where.in === 'host') return { run: async (argv, options) => (await work.exec(argv, options)).code };
  if (containers === null) throw fail(enginelessWorker(work.step.id));
  const image = imageOf(work, where.base);
  return {
    run: async (argv, { cwd, env }) => {
      const { code } = await containers.run({
        image,
        argv: typeof argv === 'string' ? ['sh', '-eu', '-c', argv] : argv,
        cwd,
        env: insideEnv(env),
        mounts: mounts(work, pythons),
        labels: { 'slipway.run': work.run, 'slipway.step': work.step.id },
        limitMs: work.step.limitMs,
        signal: work.signal,
        onOutput: (text) => {
          work.log.write(text);
          return (work.log as Partial<StepLog>).ready?.();
        },
      });
      return code;
    },
  };
}

function imageOf(work: Work, base: string): string {
  const image = work.inputs.find(({ step }) => step === base)?.artifacts.find(({ kind }) => kind === 'image');
  if (!image) throw fail(baseImageMissing(work.step.id, base));
  return `${work.address('service:staging')}/${image.labels['repository']}@${image.digest}`;
}

/** The host's JDK is not in there, nor are its other programs; the container's own are. */
function insideEnv(env: Record<string, string>): Record<string, string> {
  const { JAVA_HOME: _, ...rest } = env;
  return rest;
}

/** Certificates that the environment names, so that clients in there reach what those out here reach. */
const CERTIFICATES = ['SSL_CERT_FILE', 'PIP_CERT', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE', 'NODE_EXTRA_CA_CERTS'];

/** A Python of the system itself is the container's own there. */
function mounts(work: Work, pythons: readonly string[]): readonly Mount[] {
  const env = work.env();
  const tools = dirname((env['PATH'] ?? '').split(':')[0]!);
  const own = dirname(dirname(realpathSync(join(tools, 'bin', 'python')))); // below auditwheel and twine
  const seen = [
    tools,
    ...[own, ...pythons].filter((prefix) => prefix !== '/usr'),
    ...CERTIFICATES.flatMap((name) => env[name] ?? []),
  ].filter((path) => existsSync(path));
  const readOnly = new Set(seen.flatMap((path) => [path, realpathSync(path)]));
  const writable = [dirname(work.folder), env['UV_CACHE_DIR'] ?? '', env['PIP_CACHE_DIR'] ?? ''].filter((path) =>
    existsSync(path),
  );
  return [
    ...[...readOnly].map((path) => ({ host: realpathSync(path), path, writable: false })),
    ...writable.map((path) => ({ host: path, path, writable: true })),
  ];
}
