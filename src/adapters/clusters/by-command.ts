import type { Cluster, ClusterLine, ClusterRequest, Clusters, NodeSeen } from '../../activities/clusters/ports.js';
import type { Exit, Programs } from '../../activities/ports.js';
import { fail, type Problem } from '../../model/failure.js';
import type { ClusterLines } from '../../model/tests/cluster.js';
import { clusterFailed, clusterNotUp, filesNotPut } from './errors.js';
import { ClusterFault } from './fault.js';
import { isHeadFolder, newHeadFolder } from './head-folder.js';
import { LONGEST_MS } from './limits.js';

/** Limit of every line but `up` and `run`. */
const LINE_LIMIT_MS = 5 * 60_000;
const EVIDENCE_LINES = 20;
const LONGEST_ANSWER = 100_000;
const LONGEST_REASON = 1_000;
const MOST_NODES = 100_000;

type LineName = keyof ClusterLines;

interface Answer extends Exit {
  /** The end of its standard output. */
  readonly text: string;
  /** The end of all output. */
  readonly said: string;
}

/** A cluster that six shell lines of the release file make and use. */
export const createCommandClusters = (programs: Programs): Required<Clusters> => ({
  up: async (request) => {
    const { spec, signal } = request;
    const at = newHeadFolder();
    const { own, call, down } = linesOf(programs, request, at);
    const made = await call('up', own, spec.upMs, signal).catch(async (error: unknown) => {
      const left = await down('');
      throw left === null ? error : fail(leaving(clusterFailed(spec.name, (error as Error).message, []), left), error);
    });
    const handle = handleIn(made);
    if (handle === null) throw fail(await notUp(request, made, down));
    return clusterOf(call, { ...own, HANDLE: handle }, request, at, () => down(handle));
  },
  find: (request, stored) => {
    const [at, handle] = placeIn(stored);
    const { own, call, down } = linesOf(programs, request, at ?? '');
    const place = at ?? `/tmp/slipway/${request.id}`;
    return Promise.resolve(clusterOf(call, { ...own, HANDLE: handle }, request, place, () => down(handle)));
  },
});

/** Returns folder and handle of a cluster. An older version stored the handle alone. */
function placeIn(stored: string): readonly [at: string | null, handle: string] {
  const at = stored.slice(0, stored.indexOf(' '));
  return isHeadFolder(at) ? [at, stored.slice(at.length + 1)] : [null, stored];
}

function linesOf(programs: Programs, request: ClusterRequest, at: string) {
  const { id, spec } = request;
  const own = { CLUSTER: JSON.stringify({ id, name: spec.name, nodes: spec.nodes, cpus: spec.cpus }) };
  const call = createCall(programs, request);
  const down: Down = async (handle) => {
    try {
      const end = await call('down', { ...own, HANDLE: handle, TO: at }, LINE_LIMIT_MS, new AbortController().signal);
      if (end.timedOut) return `the line \`down\` was still running after ${LINE_LIMIT_MS / 60_000} min`;
      return end.code === 0 ? null : reasonOf('down', end);
    } catch (error) {
      return `the line \`down\` did not start: ${(error as Error).message}`;
    }
  };
  return { own, call, down };
}

type Down = (handle: string) => Promise<string | null>;

/** Runs `down` after a failed start. Returns why the start failed, and why something is left. */
async function notUp({ spec }: ClusterRequest, made: Answer, down: Down): Promise<Problem> {
  const lines = made.text.split('\n').slice(-EVIDENCE_LINES);
  const left = await down('');
  if (made.timedOut) return leaving(clusterNotUp(spec.name, spec.upMs, lines), left);
  return leaving(clusterFailed(spec.name, whyNot(made), lines), left);
}

const leaving = (problem: Problem, left: string | null): Problem =>
  left === null ? problem : { ...problem, details: { ...problem.details, left } };

/** The last line of output, where it is JSON. */
function handleIn({ code, timedOut, text }: Answer): string | null {
  const last = text.trimEnd().split('\n').at(-1) ?? '';
  if (code !== 0 || timedOut) return null;
  try {
    JSON.parse(last);
    return last;
  } catch {
    return null;
  }
}

const whyNot = ({ code }: Answer): string =>
  code === 0 ? 'the last line of output of `up` is no JSON' : `the line \`up\` ended with status ${code}`;

/** Says how a line ended, with its last line of output. */
function reasonOf(name: LineName, { code, said }: Answer): string {
  const last = said.trim().split('\n').at(-1) ?? '';
  return `the line \`${name}\` ended with status ${code}${last === '' ? '' : `: ${last}`}`;
}

type Call = (
  name: LineName,
  env: Readonly<Record<string, string>>,
  limitMs: number,
  signal: AbortSignal,
  onOutput?: (text: string) => void | Promise<void>,
) => Promise<Answer>;

function createCall(programs: Programs, { spec, env, folder, confine, log }: ClusterRequest): Call {
  const lines = (spec.manager as { readonly lines: ClusterLines }).lines;
  return async (name, own, limitMs, signal, onOutput = log) => {
    let [text, said] = ['', ''];
    const exit = await programs.run(
      confine(
        {
          argv: lines[name] ?? lines.run,
          cwd: folder,
          env: { ...env, ...own },
          limitMs,
          signal,
          onOutput: (piece, stream) => {
            if (stream === 'stdout') text = (text + piece).slice(-LONGEST_ANSWER);
            said = (said + piece).slice(-LONGEST_REASON);
            return onOutput(piece);
          },
        },
        'line',
      ),
    );
    signal.throwIfAborted();
    return { ...exit, text, said };
  };
}

function clusterOf(
  call: Call,
  own: Readonly<Record<string, string>> & { readonly HANDLE: string },
  { spec, folder, signal }: ClusterRequest,
  at: string,
  down: Cluster['down'],
): Cluster {
  const must = async (name: LineName, more: Readonly<Record<string, string>> = {}): Promise<Answer> => {
    const answer = await call(
      name,
      { ...own, ...more },
      LINE_LIMIT_MS,
      signal,
      name === 'nodes' ? () => undefined : undefined,
    );
    if (answer.code !== 0) throw new ClusterFault(reasonOf(name, answer));
    return answer;
  };
  const nodesIn = nodeCounter();
  return {
    at,
    shared: false,
    handle: `${at} ${own.HANDLE}`,
    nodes: async () => nodesIn((await must('nodes')).text),
    put: async () => {
      await must('put', { FROM: folder, TO: at }).catch((error: unknown) => {
        throw error instanceof ClusterFault ? fail(filesNotPut(spec.name, error.message)) : error;
      });
    },
    get: async () => void (await must('get', { FROM: `${at}/out`, TO: `${folder}/out` })),
    run: async (line) =>
      (await call(line.again ? 'attach' : 'run', { ...own, ...jobOf(line) }, LONGEST_MS, line.signal, line.onOutput))
        .code,
    down,
  };
}

const jobOf = ({ id, script, by }: ClusterLine) => ({ JOB: id, SCRIPT: script, BY: by });

/** Reads the number of nodes. No more is known: when there are fewer than before, the last ones count as lost. */
function nodeCounter(): (text: string) => readonly NodeSeen[] {
  let most = 0;
  return (text) => {
    const count = Number(text.trim().split('\n').at(-1));
    if (!Number.isSafeInteger(count) || count < 0 || count > MOST_NODES)
      throw new ClusterFault('the line `nodes` printed no number of nodes');
    most = Math.max(most, count);
    return Array.from({ length: most }, (_, at) => ({ id: `${at}`, address: `node ${at + 1}`, alive: at < count }));
  };
}
