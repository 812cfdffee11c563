import { existsSync, mkdirSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { KindName } from '../../model/kinds.js';
import { makeMountPoint } from '../step/build-paths.js';
import { layerOf } from '../step/confine.js';
import type { Mount } from '../tests/ports.js';
import { toolsFolder } from '../tools-folder.js';
import type { Work } from '../work.js';

/** Certificates that the environment names, so that clients in there reach what those out here reach. */
const CERTIFICATES = ['SSL_CERT_FILE', 'PIP_CERT', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE', 'NODE_EXTRA_CA_CERTS'];
/** What a container has of its own and must keep. */
const OWN = new Set(['/', '/usr', '/usr/local', '/bin', '/usr/bin']);

/** The step's workspace, our tools, the caches under a private layer and the Pythons, at the paths at which programs out here see them.
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
  return [
    ...[...readOnly].map((path) => ({ host: realpathSync(path), path, writable: false })),
    { host: dirname(work.folder), path: mountPoint(work, dirname(work.folder)), writable: true },
    { host: cache, path: mountPoint(work, cache), writable: true, layer: layerOf(work.folder) },
  ];
}

function mountPoint<K extends KindName>({ paths }: Work<K>, host: string): string {
  const path = paths.inside(host);
  makeMountPoint(path, paths);
  return path;
}

/** Where the Python is installed that auditwheel and twine run on. */
function pythonBelow(tools: string): readonly string[] {
  const python = join(tools, 'bin', 'python');
  return existsSync(python) ? [dirname(dirname(realpathSync(python)))] : [];
}

/** The host's JDK is not in there; the container's own is. */
export function insideEnv(env: Readonly<Record<string, string>>): Record<string, string> {
  const { JAVA_HOME: _, ...rest } = env;
  return rest;
}
