import { fail } from '../../model/failure.js';
import type { KindName } from '../../model/kinds.js';
import type { Where } from '../../model/params.js';
import type { Exit } from '../ports.js';
import { noEngineHere } from '../tests/errors.js';
import type { TestPorts } from '../tests/ports.js';
import type { Work } from '../work.js';
import { containerBaseUnknown } from './errors.js';

export interface Line {
  /** For `sh -eu -c`. */
  readonly line: string;
  readonly cwd: string;
  /** Laid over the step's own environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly onOutput: (text: string) => void | Promise<void>;
}

type Ports = Pick<TestPorts, 'programs' | 'containers'>;

/** Runs a shell line on the worker's host, or in a container in which the step's folders stand at the same paths. */
export async function runAt<K extends KindName>(work: Work<K>, ports: Ports, where: Where, line: Line): Promise<Exit> {
  const { limitMs } = work.step;
  const { signal } = work;
  if (where.in === 'container') return inContainer(work, ports, where.base, line);
  const exit = await ports.programs.run({ ...line, argv: line.line, env: work.env(line.env), limitMs, signal });
  signal.throwIfAborted();
  return exit;
}

function inContainer<K extends KindName>(
  work: Work<K>,
  { containers }: Ports,
  base: string,
  line: Line,
): Promise<Exit> {
  if (containers === null) throw fail(noEngineHere(work.step.id));
  const image = work.inputs.find(({ step }) => step === base)?.artifacts.find(({ kind }) => kind === 'image');
  if (image === undefined) throw fail(containerBaseUnknown(work.step.id, base));
  return containers.run({
    image: `${work.address('service:staging')}/${image.labels['repository']}@${image.digest}`,
    argv: ['sh', '-eu', '-c', line.line],
    cwd: line.cwd,
    env: containerEnv(work.env(), line.env),
    mounts: [work.folder, work.files].map((path) => ({ host: path, path, writable: path === work.folder })),
    labels: { 'slipway.run': work.run, 'slipway.step': work.step.id },
    limitMs: work.step.limitMs,
    signal: work.signal,
    onOutput: line.onOutput,
  });
}

/** What of the host's environment also holds in a container: its tools and caches do not. */
const HOLDS = ['LANG', 'LC_ALL', 'TZ', 'SOURCE_DATE_EPOCH', 'http_proxy', 'https_proxy', 'no_proxy'];
const containerEnv = (
  host: Readonly<Record<string, string>>,
  own: Readonly<Record<string, string>>,
): Record<string, string> => ({
  ...Object.fromEntries(HOLDS.flatMap((name) => (host[name] === undefined ? [] : [[name, host[name]]]))),
  ...own,
});
