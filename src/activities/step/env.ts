import { existsSync, realpathSync } from 'node:fs';
import { devNull } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

/** Certificates, proxies, mirrors: how this machine reaches the network. */
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
  /** The worker's own environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folder for shared caches. */
  readonly cache: string;
  readonly home: string;
  readonly tmp: string;
  /** Seconds since 1970 of the source, or null where the step has none. */
  readonly epoch: string | null;
}

/** Passwords inside addresses that are passed through (a mirror's, a proxy's), by the variable that holds them: no log shows them. */
export const passwordsIn = (env: EnvFacts['env']): readonly (readonly [name: string, value: string])[] =>
  PASSED_THROUGH.flatMap((name) => {
    const value = env[name];
    if (!value || !URL.canParse(value)) return [];
    const { password } = new URL(value);
    return password === '' ? [] : [...new Set([password, decoded(password)])].map((one) => [`$${name}`, one] as const);
  });

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The whole environment of a step's programs. The same text on any worker wherever it can be, so that builds repeat.
 * PYTHONUNBUFFERED is left out on purpose: it hides lost output of embedded interpreters. */
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
    // uv links files from its cache by default, and `clone` does so too where a file system cannot clone.
    UV_LINK_MODE: 'copy',
    PIP_CACHE_DIR: join(facts.cache, 'pip'),
    ZIG_GLOBAL_CACHE_DIR: join(facts.cache, 'zig'),
    ZIG_LOCAL_CACHE_DIR: join(facts.cache, 'zig'),
    SLIPWAY_M2: join(facts.cache, 'm2'),
    UV_PYTHON_DOWNLOADS: 'never',
    // root of a sandbox cannot give files away to users of other numbers.
    TAR_OPTIONS: '--no-same-owner',
    PIP_DISABLE_PIP_VERSION_CHECK: '1',
    // A uv.toml or pip.conf of a folder above, of a user or of the machine would choose the index.
    UV_NO_CONFIG: '1',
    PIP_CONFIG_FILE: devNull,
    ...(facts.epoch === null ? {} : { SOURCE_DATE_EPOCH: facts.epoch }),
  };
}

const passedThrough = (env: EnvFacts['env']): Record<string, string> =>
  Object.fromEntries(PASSED_THROUGH.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));

/** Our tools, then the worker's PATH without shims that would pick a Python by folder, then what a user's PATH leaves out. What
 * is not on the worker's PATH is not there: it measures what it can do by the same PATH. */
function searchPath({ toolsBin, env }: EnvFacts): readonly string[] {
  const own = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '' && !isShim(folder));
  return [...new Set([toolsBin, ...(own.length > 0 ? own : STANDARD_PATH), ...FOR_ADMINISTRATORS])];
}

const isShim = (folder: string): boolean => /(^|\/)(shims|node_modules\/\.bin|node-gyp-bin)\/?$/.test(folder);

/** The JDK whose javac is first on PATH. */
function javaHomeOn(path: readonly string[]): string | null {
  const javac = path.map((folder) => join(folder, 'javac')).find((file) => existsSync(file));
  return javac === undefined ? null : dirname(dirname(realpathSync.native(javac)));
}

/** Toolchains of the worker's user: cargo and rustc of rustup look for them below HOME, which is the step's own. */
function rustupHomeOf({ RUSTUP_HOME, HOME }: EnvFacts['env']): string | null {
  if (RUSTUP_HOME) return RUSTUP_HOME;
  const folder = join(HOME ?? '/', '.rustup');
  return existsSync(join(folder, 'settings.toml')) ? folder : null;
}
