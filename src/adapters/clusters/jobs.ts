import type { Cluster, ClusterLine, ClusterRequest, Clusters } from '../../activities/clusters/ports.js';
import { fail, SlipwayFailure } from '../../model/failure.js';
import { quoted } from '../../model/quoted.js';
import type { ClusterManager } from '../../model/tests/cluster.js';
import { createRemoteDashboard, type Dashboard } from './dashboard.js';
import { clusterSilent, notRay } from './errors.js';
import { isHeadFolder, newHeadFolder } from './head-folder.js';
import { getFiles, type JobPlace, putFiles } from './job-files.js';
import { followJob } from './job-output.js';
import { isTaken, runJob, stopJob } from './ray-jobs.js';
import { nodesSeen } from './ray-nodes.js';

/** A Ray that runs already, by the address of its dashboard. All that runs there is a job with an id of ours, so the next worker finds
 * it again. */
export const createJobsClusters = (): Required<Clusters> => ({
  up: (request) => find(request, newHeadFolder()),
  find,
});

/** @param at the folder of the test on the head, which is the handle */
async function find(request: ClusterRequest, at: string): Promise<Cluster> {
  const { spec, id, folder } = request;
  const { address } = spec.manager as Extract<ClusterManager, { by: 'jobs' }>;
  const dashboard = toldByName(createRemoteDashboard(address), spec.name, address);
  await mustBeRay(dashboard, spec.name, address);
  const place: JobPlace = { dashboard, id, folder, at, cluster: spec.name, signal: request.signal };
  return {
    ...{ at, shared: false, handle: at },
    pageOf: (job) => `${pageAt(address)}/#/jobs/${encodeURIComponent(job)}`,
    nodes: () => nodesSeen(dashboard),
    put: () => putFiles(place),
    get: () => getFiles(place),
    run: async (line) => ((await isNew(place)) ? null : run(dashboard, line)),
    down: () => down(place),
  };
}

/** The address without what stands before its host: reports show the page. */
function pageAt(address: string): string {
  const { origin, pathname } = new URL(address);
  return `${origin}${pathname.replace(/\/+$/, '')}`;
}

/** True for a Ray that restarted after `put`: it does not know that job, and a new job would find no files. */
const isNew = async ({ dashboard, id }: JobPlace): Promise<boolean> =>
  (await dashboard.ask('GET', `/api/jobs/${encodeURIComponent(`${id}-put`)}`)).status === 404;

async function run(dashboard: Dashboard, line: ClusterLine): Promise<number | null> {
  // A job that nobody follows any more ends by itself.
  const entrypoint = `exec timeout -k 10 ${Math.ceil(line.endMs / 1000)} sh ${quoted(line.script)}`;
  const end = await runJob(dashboard, { ...line, entrypoint }, (over) => followJob(dashboard, line, over));
  // Throws where Ray does not answer: the job may go on.
  if (end === null) await dashboard.ask('GET', '/api/version');
  return end;
}

/** Stops what still runs, and removes the files from the head. Returns why something may be left. Null if nothing is. */
async function down({ dashboard, id, at, signal: _ }: JobPlace): Promise<string | null> {
  const going: string[] = [];
  for (const name of ['run', 'prepare', 'keep'])
    if (!(await stopJob(dashboard, `${id}-${name}`))) going.push(`the job ${id}-${name} did not stop`);
  // A test that goes on would write its files again.
  if (going.length > 0) return going.join(', ');
  // An older build had no name of its own: another user may own the folder above.
  if (!isHeadFolder(at)) return null;
  const body = { submission_id: `${id}-down`, entrypoint: `rm -rf -- ${quoted(at)}` };
  try {
    const { status, text } = await dashboard.ask('POST', '/api/jobs/', body);
    return isTaken(status, text) ? null : `the job ${id}-down was refused with HTTP status ${status}`;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Makes an outage of the cluster of each request without an answer. */
const toldByName = (dashboard: Dashboard, cluster: string, address: string): Dashboard => {
  const told = (error: unknown): never => {
    throw error instanceof SlipwayFailure ? error : fail(clusterSilent(cluster, address, reasonOf(error)), error);
  };
  return {
    ask: (...asked) => dashboard.ask(...asked).catch(told),
    upload: (path, file, signal) =>
      dashboard.upload(path, file, signal).catch((error: unknown) => {
        signal.throwIfAborted();
        return told(error);
      }),
    stream: (...asked) => dashboard.stream(...asked),
  };
};

const reasonOf = (error: unknown): string => {
  const { code, message } = error as NodeJS.ErrnoException;
  return code ?? message;
};

/** Throws CLUSTER_REFUSED if another server answers there. */
async function mustBeRay(dashboard: Dashboard, cluster: string, address: string): Promise<void> {
  const { status, text } = await dashboard.ask('GET', '/api/version');
  if (status >= 500) throw fail(clusterSilent(cluster, address, `HTTP ${status}`));
  if (status !== 200 || !text.includes('"ray_version"')) throw fail(notRay(cluster, address, status));
}
