import { mkdir } from 'node:fs/promises';
import { fail } from '../../model/failure.js';
import type { KindName } from '../../model/kinds.js';
import type { Where } from '../../model/params.js';
import type { Exit } from '../ports.js';
import type { Access } from '../../model/isolation.js';
import { envInside, saysNetwork, makeMountPoint, layerOf } from '../step/confine.js';
import { noEngineHere } from '../tests/errors.js';
import type { TestPorts, Mount } from '../tests/ports.js';
import type { Work } from '../work.js';
import { containerBaseUnknown } from './errors.js';
import { existsSync, mkdirSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { toolsFolder } from '../tools-folder.js';
import { hasTools, onPath, toolsIn } from '../tools/lay-tools.js';

export interface Line {
  /** A shell line for `sh -eu -c`, or a program and its arguments. */
  readonly line: readonly string[] | string;
  readonly cwd: string;
  /** Extends the step's own environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly onOutput: (text: string) => void | Promise<void>;
  /** Purpose of the line. Default: `project`. */
  readonly access?: Access;
  /** Default: the limit of the step. */
  readonly limitMs?: number;
  /** Folders of interpreters to mount into a container. */
  readonly pythons?: readonly string[];
}

type Ports = Pick<TestPorts, 'programs' | 'containers'>;

/** Runs a shell line on the worker's host or in a container. The container has the step's folders, tools and caches at
 * the same paths. A time-out is returned; an abort throws. */
export async function runAt<K extends KindName>(work: Work<K>, ports: Ports, where: Where, line: Line): Promise<Exit> {
  const { signal } = work;
  if (where.in === 'container') return inContainer(work, ports, where.base, line);
  const { cwd, onOutput, limitMs = work.step.limitMs } = line;
  const env = work.env(line.env);
  const command = { argv: line.line, cwd, env, limitMs, signal, onOutput };
  const exit = await ports.programs.run(work.confine(command, line.access));
  signal.throwIfAborted();
  return exit;
}

/** Writes output to the log. A program that prints faster than the store writes has to wait. */
export const toLog =
  <K extends KindName>(work: Work<K>): ((text: string) => void | Promise<void>) =>
  (text) => {
    work.log.write(text);
    return work.log.ready?.();
  };

/** Returns the staged image of a base's step. Throws CONTAINER_BASE_UNKNOWN. */
export function imageOf<K extends KindName>(
  work: Work<K>,
  base: string,
): { readonly name: string; readonly oci: string | null } {
  const image = work.inputs.find(({ step }) => step === base)?.artifacts.find(({ kind }) => kind === 'image');
  if (image === undefined) throw fail(containerBaseUnknown(work.step.id, base));
  const name = `${work.address('service:staging')}/${image.labels['repository']}@${image.digest}`;
  return { name, oci: image.labels['oci'] ?? null };
}

export const mayUseNetwork = <K extends KindName>({ step }: Work<K>, access: Access = 'project'): boolean =>
  access !== 'project' || saysNetwork(step.params);

/** Runs a line in the container of `where: container`. A time-out is returned; an abort throws. Throws NO_ENGINE_HERE.
 */
export async function inContainer<K extends KindName>(
  work: Work<K>,
  { containers }: Pick<Ports, 'containers'>,
  base: string,
  line: Line,
): Promise<Exit> {
  if (containers === null) throw fail(noEngineHere(work.step.id));
  const image = imageOf(work, base);
  const { inside } = work.paths;
  const shared = work.env()['SLIPWAY_M2'];
  if (shared) await mkdir(shared, { recursive: true });
  const network = mayUseNetwork(work, line.access);
  work.reached('container', network);
  return containers.run({
    network,
    platform: image.oci,
    image: image.name,
    argv: (typeof line.line === 'string' ? ['sh', '-eu', '-c', line.line] : line.line).map(inside),
    cwd: inside(line.cwd),
    env: envInside(insideEnv(onPath(work.env(line.env), work.folder, line.access)), inside),
    mounts: samePaths(work, line.pythons),
    labels: { 'slipway.run': work.run, 'slipway.step': work.step.id },
    limitMs: line.limitMs ?? work.step.limitMs,
    signal: work.signal,
    onOutput: line.onOutput,
  });
}

/** Variables that name certificate files; clients inside a container need the same files. */
const CERTIFICATES = ['SSL_CERT_FILE', 'PIP_CERT', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE', 'NODE_EXTRA_CA_CERTS'];
/** Folders of the container's own that no mount may cover. */
const OWN = new Set(['/', '/usr', '/usr/local', '/bin', '/usr/bin']);

/** Mounts the workspace, Slipway's tools, the Pythons and the caches under a private layer, at their paths outside.
 * @param pythons folders where interpreters are installed */
export function samePaths<K extends KindName>(work: Work<K>, pythons: readonly string[] = []): readonly Mount[] {
  const env = work.env();
  const tools = dirname(toolsFolder(env));
  const named = [tools, ...pythonBelow(tools), ...pythons, ...CERTIFICATES.flatMap((name) => env[name] ?? [])];
  const seen = named.filter((path) => existsSync(path) && !OWN.has(path));
  const readOnly = new Set(seen.flatMap((path) => [path, realpathSync(path)]));
  const { UV_CACHE_DIR: oneCache = '' } = env;
  const cache = dirname(oneCache);
  mkdirSync(cache, { recursive: true });
  const fetched = hasTools(work.folder) ? [toolsIn(work.folder)] : [];
  return [
    ...[...readOnly].map((path) => ({ host: realpathSync(path), path, writable: false })),
    { host: dirname(work.folder), path: mountPoint(work, dirname(work.folder)), writable: true },
    ...fetched.map((path) => ({ host: path, path: mountPoint(work, path), writable: false })),
    { host: cache, path: mountPoint(work, cache), writable: true, layer: layerOf(work.folder) },
  ];
}

function mountPoint<K extends KindName>({ paths }: Work<K>, host: string): string {
  const path = paths.inside(host);
  makeMountPoint(path, paths);
  return path;
}

/** Folder of the Python that auditwheel and twine run on. */
function pythonBelow(tools: string): readonly string[] {
  const python = join(tools, 'bin', 'python');
  return existsSync(python) ? [dirname(dirname(realpathSync(python)))] : [];
}

/** Drops JAVA_HOME: the host's JDK is not mounted. */
function insideEnv(env: Readonly<Record<string, string>>): Record<string, string> {
  const { JAVA_HOME: _, ...rest } = env;
  return rest;
}
