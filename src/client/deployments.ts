import type { WorkflowService } from '@temporalio/client';
import { fail } from '../model/failure.js';
import { CONTROL } from '../model/ids.js';
import { isOfType } from '../model/workflow-types.js';
import { ask } from './ask.js';
import { listBuildBeats, msOf, type BuildBeat } from './beats.js';
import type { ClientContext } from './client-context.js';
import { deploymentsUnsupported } from './errors.js';
import type { Build, Deployments } from './index.js';
import { workersOf } from './workers.js';

type Described = Awaited<ReturnType<WorkflowService['describeWorkerDeployment']>>['workerDeploymentInfo'];
type Live = readonly { readonly deployment: string; readonly build: string }[];

/** The server refuses more deployments of a namespace by default. */
const MOST = 100;
const PINNED = `ExecutionStatus = 'Running' AND TemporalWorkflowVersioningBehavior = 'Pinned' AND ${isOfType()}`;
/** Number of temporal.api.enums.v1.TaskQueueType. */
const WORKFLOW = 1;
/** Numbers of temporal.api.enums.v1.WorkerDeploymentVersionStatus. */
const STATES: readonly Build['state'][] = ['unknown', 'new', 'current', 'ramping', 'draining', 'drained', 'new'];

export function deploymentsOf(context: ClientContext): Deployments {
  const { client } = context;
  const { namespace } = client.options;
  const asked = <T>(what: string, request: () => Promise<T>): Promise<T> =>
    ask(context, what, { workflowId: '' }, request);
  const targetOf = ({ deployment, build }: Build) => ({ namespace, deploymentName: deployment, buildId: build });
  return {
    read: () =>
      asked('list worker deployments', async () => {
        const { workflowService } = client;
        const listed = await namesOf(workflowService, namespace);
        const isNamed = ({ deployment }: BuildBeat): boolean => deployment !== '';
        // A home without deployments does without the second look at beats, which takes seconds.
        if (listed.length === 0 && !(await listBuildBeats(workflowService, namespace)).some(isNamed))
          return { builds: [], unversioned: [] };
        const beats = await workersOf(workflowService, namespace, listBuildBeats);
        const live = beats.filter(({ queue, running, silent }) => queue === CONTROL && running && !silent);
        // The list lacks a deployment for some milliseconds after a change of it.
        const names = new Set([...listed, ...live.filter(isNamed).map(({ deployment }) => deployment)]);
        const builds = await Promise.all([...names].sort().map((name) => buildsOf(context, name, live)));
        const without = live.filter((beat) => !isNamed(beat));
        return { builds: builds.flat(), unversioned: without.map(({ identity }) => identity) };
      }),
    current: (build) =>
      asked(`make ${build.build} current`, async () => {
        await client.workflowService.setWorkerDeploymentCurrentVersion(targetOf(build));
      }),
    // A ramp of 0 % would keep the build from draining, so it ends the ramp.
    ramp: (build, percentage) =>
      asked(`ramp ${build.build}`, async () => {
        const target = percentage === 0 ? { buildId: '' } : { percentage };
        await client.workflowService.setWorkerDeploymentRampingVersion({ ...targetOf(build), ...target });
      }),
  };
}

/** Throws DEPLOYMENTS_UNSUPPORTED: the namespace has them disabled, or the server is too old. */
async function namesOf(service: WorkflowService, namespace: string): Promise<readonly string[]> {
  const list = service.listWorkerDeployments({ namespace, pageSize: MOST });
  const { workerDeployments } = await list.catch((error: unknown) => {
    throw DISABLED.test(String(error)) || codeOf(error) === UNIMPLEMENTED
      ? fail(deploymentsUnsupported(String(error)), error)
      : error;
  });
  return workerDeployments.map(({ name }) => name ?? '');
}

const [NOT_FOUND, UNIMPLEMENTED] = [5, 12];
const DISABLED = /Worker Deployment Versions are disabled on this namespace/;
const codeOf = (error: unknown): unknown => (error as { readonly code?: unknown }).code;

/** Returns null for what the server does not know. */
const known = <T>(answer: Promise<T>): Promise<T | null> =>
  answer.catch((error: unknown) => {
    if (codeOf(error) !== NOT_FOUND) throw error;
    return null;
  });

/** Returns builds of workflow code of ours: other programs may have deployments in the namespace. */
async function buildsOf({ client }: ClientContext, deploymentName: string, live: Live): Promise<readonly Build[]> {
  const { workflowService, options } = client;
  const { namespace } = options;
  const answer = await known(workflowService.describeWorkerDeployment({ namespace, deploymentName }));
  const info = answer?.workerDeploymentInfo;
  const versions = [...(info?.versionSummaries ?? [])].sort((a, b) => msOf(b.createTime) - msOf(a.createTime));
  const builds = versions.map(async ({ deploymentVersion, status, ...times }): Promise<readonly Build[]> => {
    const build = deploymentVersion?.buildId ?? '';
    const asked = { namespace, deploymentVersion: { deploymentName, buildId: build } };
    const version = await known(workflowService.describeWorkerDeploymentVersion(asked));
    if (!version?.versionTaskQueues.some(({ name, type }) => name === CONTROL && type === WORKFLOW)) return [];
    const query = `${PINNED} AND TemporalWorkerDeploymentVersion = '${deploymentName}:${build}'`;
    const workers = live.filter((one) => one.deployment === deploymentName && one.build === build).length;
    const sinceMs = msOf(times.routingUpdateTime ?? times.createTime);
    const { count: open } = await client.workflow.count(query);
    return [{ deployment: deploymentName, build, ...stateOf(status ?? 0, info), sinceMs, workers, open }];
  });
  return (await Promise.all(builds)).flat();
}

function stateOf(status: number, info: Described | undefined): Pick<Build, 'state' | 'percent'> {
  const state = STATES[status] ?? 'unknown';
  return state === 'ramping' ? { state, percent: info?.routingConfig?.rampingVersionPercentage ?? 0 } : { state };
}
