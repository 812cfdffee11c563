import { existsSync, mkdirSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { KindName } from '../../model/kinds.js';
import { makeMountPoint } from '../step/build-paths.js';
import { layerOf } from '../step/confine.js';
import type { Mount } from '../tests/ports.js';
import { toolsFolder } from '../tools-folder.js';
import type { Work } from '../work.js';

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

/** Folder of the Python that auditwheel and twine run on. */
function pythonBelow(tools: string): readonly string[] {
  const python = join(tools, 'bin', 'python');
  return existsSync(python) ? [dirname(dirname(realpathSync(python)))] : [];
}

/** Drops JAVA_HOME: the host's JDK is not mounted. */
export function insideEnv(env: Readonly<Record<string, string>>): Record<string, string> {
  const { JAVA_HOME: _, ...rest } = env;
  return rest;
}
