import type { Build } from '../../client/index.js';
import { problem } from '../../model/problem.js';

const list = (builds: readonly Build[]): string =>
  builds.map(({ deployment, build, state }) => `${deployment} ${build} (${state})`).join(', ');

export const notADeployment = problem.config((said: string, why: string) => [
  'DEPLOYMENT_INVALID',
  `--deployment ${JSON.stringify(said.slice(0, 80))}: ${why}`,
  'Type `slipway worker start --queues workflows --deployment releases`: a letter first, then at most 62 letters, digits, - and _.',
]);
export const notAPercentage = problem.config((why: string) => [
  'DEPLOYMENT_PERCENT',
  why,
  'Write a number from 0, which ends the ramp, to 100: `slipway worker deployments ramp BUILD --percent 10`.',
]);
export const buildUnknown = problem.config((asked: string, builds: readonly Build[]) => [
  'DEPLOYMENT_BUILD_UNKNOWN',
  builds.length === 0
    ? `no worker has served as a build of a deployment here, so there is no build ${asked}`
    : `${asked} names no single build; there are ${list(builds)}`,
  builds.length === 0
    ? 'Start one first: `slipway worker start --queues workflows --deployment releases`.'
    : 'Name one of them, with `--deployment NAME` if two deployments have it. A build is known once its worker has started.',
]);
export const buildNotServed = problem.config(({ deployment, build }: Build) => [
  'DEPLOYMENT_NOT_SERVED',
  `no live worker serves build ${build} of ${deployment}: runs that it gets would stand still`,
  `Start one where that build is installed: \`slipway worker start --queues workflows --deployment ${deployment}\`.`,
]);
export const buildElsewhere = problem.config(({ build }: Build, here: string) => [
  'DEPLOYMENT_BUILD_ELSEWHERE',
  `this checkout is build ${here}, so it cannot replay open workflows on build ${build}`,
  `Type the command in the checkout of ${build}; after \`npm run build\` if the checkout has changed.`,
]);
