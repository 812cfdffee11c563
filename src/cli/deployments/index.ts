import type { Build, DeploymentView } from '../../client/index.js';
import { fail } from '../../model/failure.js';
import { WORKFLOWS } from '../../model/ids.js';
import type { ExitCode, Input, Io } from '../command.js';
import { noSuchAction } from '../errors.js';
import { requireClient } from '../find-run.js';
import type { Ports } from '../ports.js';
import { colours } from '../render/paint.js';
import { deploymentLines } from '../screens/deployments.js';
import * as errors from './errors.js';

const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,62}$/;
const ACTIONS = ['list', 'current', 'ramp'];

/** `slipway worker deployments`. */
export async function deployments({ args, options }: Input, io: Io, ports: Ports): Promise<ExitCode> {
  const action = args['name'] ?? 'list';
  if (!ACTIONS.includes(action)) throw fail(noSuchAction(`deployments ${action}`));
  const percent = percentIn(action, options['percent']);
  await using client = await requireClient(ports);
  let view = await client.deployments.read();
  if (action !== 'list') {
    const build = await admitted({ args, options }, percent, view, ports);
    const other = view.builds.find(
      ({ deployment, build: id, state }) =>
        deployment === build.deployment && id !== build.build && state === 'ramping',
    );
    // The server leaves the ramp of another build as it is.
    if (percent === null && other !== undefined) await client.deployments.ramp(other, 0);
    await (percent === null ? client.deployments.current(build) : client.deployments.ramp(build, percent));
    io.err(done(build, percent));
    view = await client.deployments.read();
  }
  io.out(
    options['json'] === true ? JSON.stringify(view) : deploymentLines(view, colours(io.terminal.colour)).join('\n'),
  );
  return 0;
}

/** Throws DEPLOYMENT_INVALID. */
export function assertDeployment(name: string, queues: readonly string[]): void {
  if (!NAME.test(name)) throw fail(errors.notADeployment(name, 'this is no name of a deployment'));
  if (!queues.includes(WORKFLOWS))
    throw fail(errors.notADeployment(name, `only the queue ${WORKFLOWS} has builds, and --queues does not name it`));
}

function percentIn(action: string, said: unknown): number | null {
  if (action !== 'ramp' && said === undefined) return null;
  if (action !== 'ramp') throw fail(errors.notAPercentage(`\`deployments ${action}\` takes no --percent`));
  if (said === undefined) throw fail(errors.notAPercentage('--percent does not say the share of new runs'));
  const percent = /^\d+(\.\d+)?$/.test(String(said)) ? Number(said) : 101;
  if (percent > 100) throw fail(errors.notAPercentage(`--percent ${JSON.stringify(said)} is no number from 0 to 100`));
  return percent;
}

/** Returns the build that is meant, once it is known that it carries open workflows on. Throws DEPLOYMENT_… and UPGRADE_DIVERGES. */
async function admitted(
  { args, options }: Input,
  percent: number | null,
  { builds }: DeploymentView,
  ports: Ports,
): Promise<Build> {
  const services = await ports.services();
  const here = await services.workflowBuild();
  const asked = args['build'] ?? here;
  const inside = builds.filter(({ deployment }) => (options['deployment'] ?? deployment) === deployment);
  const [build, ...more] = inside.filter((one) => one.build.startsWith(asked));
  if (build === undefined || more.length > 0) throw fail(errors.buildUnknown(asked, inside));
  if (percent === 0) {
    if (build.state !== 'ramping')
      throw fail(errors.notAPercentage(`${build.build} is ${build.state}, and has no ramp to end`));
    return build;
  }
  if (build.workers === 0) throw fail(errors.buildNotServed(build));
  if (build.build !== here) throw fail(errors.buildElsewhere(build, here));
  await services.assertUpgradeReplays();
  return build;
}

function done({ deployment, build }: Build, percent: number | null): string {
  if (percent === null)
    return `${build} is the current build of ${deployment}: it takes new runs. Pinned runs end where they began.`;
  return percent === 0
    ? `${build} takes no new runs`
    : `${build} takes ${percent} % of new runs of ${deployment}; \`slipway worker deployments current ${build}\` gives it all`;
}
