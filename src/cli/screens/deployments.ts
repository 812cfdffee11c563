import type { Build, DeploymentView } from '../../client/index.js';
import { standsStill } from '../deployments/checks.js';
import { plain, table, type Colours } from '../render/paint.js';

/** Returns the lines of builds, then of workers without a deployment. */
export function deploymentLines({ builds, unversioned }: DeploymentView, paint: Colours): string[] {
  const head = ['DEPLOYMENT', 'BUILD', 'STATE', 'SINCE', 'WORKERS', 'OPEN', 'NEXT'];
  const none =
    'No worker serves as a build of a deployment: docs/operating/upgrades-and-long-runs.md says when to start one so.';
  return [
    ...(builds.length === 0 ? [none] : table([head, ...builds.map(row)])),
    ...(unversioned.length === 0 ? [] : ['', paint.bold('Without a deployment')]),
    ...unversioned.map((identity) => `  ${plain(identity)}`),
  ];
}

const row = (one: Build): string[] =>
  [
    ...[one.deployment, one.build, one.percent === undefined ? one.state : `${one.state} ${one.percent} %`],
    ...[new Date(one.sinceMs).toISOString().slice(0, 16).replace('T', ' '), String(one.workers), String(one.open)],
    next(one),
  ].map(plain);

function next(one: Build): string {
  const { state, workers, build, deployment } = one;
  if (standsStill(one)) return 'start its worker: what it serves stands still';
  switch (state) {
    case 'drained':
      return workers > 0 ? 'its workers may be ended' : 'nothing';
    case 'draining':
      return 'keep its workers until it is drained';
    case 'new':
      return `\`slipway worker deployments current ${build} --deployment ${deployment}\``;
    default:
      return '';
  }
}
