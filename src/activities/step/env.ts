import { existsSync, realpathSync } from 'node:fs';
import { devNull } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { BROUGHT } from '../../model/programs.js';
import { decoded } from '../../model/policy/address.js';

/** Certificates, proxies and mirrors: how this machine reaches the network. */
const PASSED_THROUGH = [
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'PIP_CERT',
  'REQUESTS_CA_BUNDLE',
  'CURL_CA_BUNDLE',
  'NODE_EXTRA_CA_CERTS',
  'GIT_SSL_CAINFO',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'PIP_INDEX_URL',
  'UV_DEFAULT_INDEX',
];
const FOR_ADMINISTRATORS = ['/usr/local/sbin', '/usr/sbin', '/sbin'];
const STANDARD_PATH = ['/usr/local/bin', '/usr/bin', '/bin'];

export interface EnvFacts {
  readonly toolsBin: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cache: string;
  readonly home: string;
  readonly tmp: string;
  /** Time of the source in seconds since 1970. Null without a source. */
  readonly epoch: string | null;
}

/** Returns passwords inside addresses of mirrors and proxies, with their variable, so that logs hide them. */
export const passwordsIn = (env: EnvFacts['env']): readonly (readonly [name: string, value: string])[] =>
  PASSED_THROUGH.flatMap((name) => {
    const value = env[name];
    if (!value || !URL.canParse(value)) return [];
    const { password } = new URL(value);
    return password === '' ? [] : [...new Set([password, decoded(password)])].map((one) => [`$${name}`, one] as const);
  });

/** Returns the whole environment of a step's programs. It depends on the worker as little as possible, for reproducible
 * builds. PYTHONUNBUFFERED is left out on purpose: it would hide lost output of embedded interpreters. */
export function scrubbedEnv(facts: EnvFacts): Record<string, string> {
  const path = searchPath(facts);
  const javaHome = facts.env['JAVA_HOME'] ?? javaHomeOn(path);
  const rustupHome = rustupHomeOf(facts.env);
  return {
    PATH: path.join(delimiter),
    HOME: facts.home,
    TMPDIR: facts.tmp,
    LANG: 'C.UTF-8',
    LC_ALL: 'C.UTF-8',
    TZ: 'UTC',
    ...passedThrough(facts.env),
    ...(javaHome === null ? {} : { JAVA_HOME: javaHome }),
    ...(rustupHome === null ? {} : { RUSTUP_HOME: rustupHome }),
    UV_CACHE_DIR: join(facts.cache, 'uv'),
    // uv hard-links files from its cache by default. `clone` falls back to that if the file system cannot clone.
    UV_LINK_MODE: 'copy',
    PIP_CACHE_DIR: join(facts.cache, 'pip'),
    ZIG_GLOBAL_CACHE_DIR: join(facts.cache, 'zig'),
    ZIG_LOCAL_CACHE_DIR: join(facts.cache, 'zig'),
    SLIPWAY_M2: join(facts.cache, 'm2'),
    UV_PYTHON_DOWNLOADS: 'never',
    // Root inside a sandbox cannot give files to other users.
    TAR_OPTIONS: '--no-same-owner',
    PIP_DISABLE_PIP_VERSION_CHECK: '1',
    // A uv.toml or pip.conf of a parent folder, the user or the machine would choose the index.
    UV_NO_CONFIG: '1',
    PIP_CONFIG_FILE: devNull,
    ...(facts.epoch === null ? {} : { SOURCE_DATE_EPOCH: facts.epoch }),
  };
}

/** Variables by which pip finds its settings and credentials: files, netrc, keyring. */
const OF_PIP =
  /^(PIP_.*|HOME|NETRC|XDG_CONFIG_(HOME|DIRS)|XDG_RUNTIME_DIR|DBUS_SESSION_BUS_ADDRESS|PYTHON_KEYRING_BACKEND)$/;

/** Returns the environment for a pip of ours that runs no code of a project: it reads the settings of the worker's
 * user, as planning does.
 * @param scrubbed what other programs of the step get */
export function envOfPip(env: EnvFacts['env'], scrubbed: Readonly<Record<string, string>>): Record<string, string> {
  const { PIP_CONFIG_FILE: _, ...rest } = scrubbed;
  const own = Object.entries(env).filter(([name, value]) => value !== undefined && OF_PIP.test(name));
  return { ...rest, ...(Object.fromEntries(own) as Record<string, string>), PIP_CACHE_DIR: scrubbed['PIP_CACHE_DIR']! };
}

const passedThrough = (env: EnvFacts['env']): Record<string, string> =>
  Object.fromEntries(PASSED_THROUGH.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));

/** Returns PATH for a step: Slipway's tools, the worker's PATH, what people bring, then folders that a user's PATH often lacks. Folders of shims, such as
 * pyenv's, are left out: a shim chooses a Python by the current folder. A worker detects its abilities with the same PATH. */
function searchPath({ toolsBin, env }: EnvFacts): readonly string[] {
  const own = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '' && !isShim(folder));
  const brought = Object.values(BROUGHT).flatMap(({ variables: [name] }) =>
    env[name] ? [join(env[name], 'bin')] : [],
  );
  return [...new Set([toolsBin, ...(own.length > 0 ? own : STANDARD_PATH), ...brought, ...FOR_ADMINISTRATORS])];
}

const isShim = (folder: string): boolean => /(^|\/)(shims|node_modules\/\.bin|node-gyp-bin)\/?$/.test(folder);

/** Returns the JDK of the first javac on PATH, or null. */
function javaHomeOn(path: readonly string[]): string | null {
  const javac = path.map((folder) => join(folder, 'javac')).find((file) => existsSync(file));
  return javac === undefined ? null : dirname(dirname(realpathSync.native(javac)));
}

/** Returns the rustup home of the worker's user: a step's HOME is its own, so cargo and rustc would not find it. */
function rustupHomeOf({ RUSTUP_HOME, HOME }: EnvFacts['env']): string | null {
  if (RUSTUP_HOME) return RUSTUP_HOME;
  const folder = join(HOME ?? '/', '.rustup');
  return existsSync(join(folder, 'settings.toml')) ? folder : null;
}
