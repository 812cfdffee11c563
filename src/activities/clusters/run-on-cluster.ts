import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { counted } from '../../model/counted.js';
import { fail, isOutage, type Problem, SlipwayFailure } from '../../model/failure.js';
import type { JsonObject } from '../../model/json.js';
import { type ClusterSpec, isForeign } from '../../model/tests/cluster.js';
import type { Archives } from '../source/ports.js';
import { imageOf, toLog } from '../steps/where.js';
import { type FilledVenv, fillVenv, pythonOf } from '../tests/in-venv.js';
import type { Body, Work } from '../work.js';
import { rayAbsent } from './errors.js';
import { layOutTest } from './lay-out.js';
import { NodeWatch } from './node-watch.js';
import { type AttemptEnd, recordOutcome } from './outcome.js';
import type { ClusterContainers, ClusterRequest, Clusters } from './ports.js';
import { carriedOut } from './phases.js';
import { keepAll } from './results.js';
import { takeCluster, type TakenCluster } from './taken-cluster.js';
import type { Trial } from './trial.js';

export interface ClusterPorts {
  readonly archives: Archives;
  readonly clusters: Clusters;
}

/** A test on a cluster of its own: the cluster comes up, its nodes are there, the line `prepare`, the test, its results, alerts.
 * Its files are kept and its outcome is recorded, passed or not. */
export const createRunOnCluster = (ports: ClusterPorts): Body<'runOnCluster'> =>
  async function runOnCluster(work) {
    const end = await attempted(work, ports);
    work.signal.throwIfAborted();
    await recordOutcome(work, end);
    const { problem, seen, kept } = end;
    const facts: JsonObject = { nodes: seen, lost: end.lost.map(({ node, atMs }) => ({ node, atMs })) };
    const files = kept.map(({ name, digest }) => ({ name, digest }));
    if (problem !== null) throw fail({ ...problem, details: { ...problem.details, ...facts, kept: files } });
    const note = `passed on ${counted(seen, 'node')}, ${counted(kept.length, 'file')} kept`;
    return { artifacts: kept, facts, note };
  };

/** Returns how the attempt ended. Throws if it was cancelled. */
async function attempted(work: Work<'runOnCluster'>, ports: ClusterPorts): Promise<AttemptEnd> {
  const beganMs = performance.now();
  const tookMs = (): number => Math.round(performance.now() - beganMs);
  const none = { kept: [], job: null, out: join(work.folder, 'test', 'out') };
  let nodes: NodeWatch | null = null;
  try {
    const folders = await layOutTest(work, ports.archives);
    const taken = await takeCluster(work, ports.clusters, await requestOf(work, folders.all));
    nodes = new NodeWatch(taken.cluster, tookMs, (text) => work.log.note(text));
    const problem = await onCluster({ ...taken, work, folders, nodes, onOutput: toLog(work) }, taken);
    const kept = await keepAll(work, folders.out);
    return {
      problem,
      kept,
      seen: nodes.seen(),
      lost: nodes.lost(),
      job: jobOf(work, taken),
      out: folders.out,
      ms: tookMs(),
    };
  } catch (error) {
    if (work.signal.aborted) throw error;
    const problem = error instanceof SlipwayFailure ? error.first : work.judged(error);
    return { ...none, problem, seen: nodes?.seen() ?? 0, lost: nodes?.lost() ?? [], ms: tookMs() };
  }
}

/** A manager with a page for each job runs every test as a job. */
function jobOf({ step }: Work<'runOnCluster'>, { id, cluster }: TakenCluster): AttemptEnd['job'] {
  const job = `${id}-run`;
  if (cluster.pageOf !== undefined) return { id: job, url: cluster.pageOf(job) };
  return step.params.by === 'job' ? { id: job, url: '' } : null;
}

async function onCluster(trial: Trial, { close }: TakenCluster): Promise<Problem | null> {
  let stays = false;
  try {
    return await carriedOut(trial);
  } catch (error) {
    stays = trial.leaves() || (trial.cluster.handle !== null && isOutage(error));
    throw error;
  } finally {
    trial.nodes.stop();
    if (stays) trial.work.log.note(`${trial.id} goes on without this worker`);
    else await close();
  }
}

async function requestOf(work: Work<'runOnCluster'>, folder: string): Promise<Omit<ClusterRequest, 'id'>> {
  const { cluster: spec } = work.step.params;
  const inside = rayInside(spec);
  const own = isForeign(spec.manager) || inside !== null ? null : await venvWithRay(work);
  return {
    ...{ spec, folder, venv: own?.venv ?? inside, env: work.env(), confine: work.confine, signal: work.signal },
    containers: containersOf(work, own),
    takesTurn: (because) => work.takesTurn(because),
    log: (text) => work.log.write(text),
  };
}

/** Folder of Python and Ray in the image of the nodes. Null: the image has none, or the cluster has no images. */
const rayInside = ({ manager }: ClusterSpec): string | null => (manager.by === 'docker' ? (manager.ray ?? null) : null);

/** Image and read-only folders of nodes that are containers. */
function containersOf(work: Work<'runOnCluster'>, own: FilledVenv | null): ClusterContainers | null {
  const { manager } = work.step.params.cluster;
  if (manager.by !== 'docker') return null;
  work.reached('container', false);
  return {
    image: imageOf(work, manager.base).name,
    readOnly: [...(own === null ? [] : [own.venv, own.prefix]), work.files],
  };
}

/** Makes the environment of nodes and test from locks and wheels among the inputs. Throws CLUSTER_REFUSED where it has no Ray. */
async function venvWithRay(work: Work<'runOnCluster'>): Promise<FilledVenv> {
  const filled = await fillVenv(work, pythonOf(work));
  if (!existsSync(join(filled.venv, 'bin', 'ray'))) throw fail(rayAbsent(work.step.id));
  return filled;
}
