import { listedNames, secretReference } from '../../model/secret.js';

type Env = Readonly<Record<string, string | undefined>>;

/** Variables that a worker itself needs: paths of programs, network, server, store, engine. */
const OWN = /^(SLIPWAY_|TEMPORAL_|DOCKER_|LC_|https?_proxy$|no_proxy$|HTTPS?_PROXY$|NO_PROXY$)/;
const NAMED = new Set([
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'TZ', 'TMPDIR', 'NODE_OPTIONS', 'XDG_RUNTIME_DIR'],
  ...['JAVA_HOME', 'RUSTUP_HOME', 'GOROOT', 'PYENV_ROOT', 'PIP_INDEX_URL', 'UV_DEFAULT_INDEX'],
  ...['SSL_CERT_FILE', 'SSL_CERT_DIR', 'PIP_CERT', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE', 'NODE_EXTRA_CA_CERTS'],
  'GIT_SSL_CAINFO',
]);
/** Credentials of releases whose names match a worker's settings. */
const CREDENTIALS = new Set(['SLIPWAY_INDEX_PASSWORD']);

/** Returns the environment of a worker that runs projects' code: only variables that a worker needs, and those in
 * SLIPWAY_BUILD_ENV. */
export function buildEnv(env: Env): Record<string, string> {
  const asked = new Set(listedNames(env));
  namedByCodec(env).forEach((name) => asked.add(name));
  const onS3 = env['SLIPWAY_STORE']?.startsWith('s3:') === true;
  const passes = (name: string): boolean =>
    asked.has(name) ||
    ((OWN.test(name) || NAMED.has(name) || (onS3 && name.startsWith('AWS_'))) && !CREDENTIALS.has(name));
  return filtered(env, passes);
}

/** Returns the environment of the codec server: what finds the keys and nothing else. */
export const codecEnv = (env: Env): Record<string, string> =>
  filtered(env, (name) => ['PATH', 'HOME', 'LANG', 'SLIPWAY_CODEC_KEYS', ...namedByCodec(env)].includes(name));

const filtered = (env: Env, passes: (name: string) => boolean): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value !== undefined && passes(name) ? [[name, value]] : [])),
  );

/** The variable with the codec's keys, if the setting names one. */
function namedByCodec(env: Env): readonly string[] {
  const keys = secretReference(env['SLIPWAY_CODEC_KEYS']?.trim() ?? '');
  return keys?.by === 'environment' ? [keys.name] : [];
}
