import type { Build, DeploymentView } from '../../client/index.js';
import { closing } from '../closing.js';
import type { Io } from '../command.js';
import { hasServer } from '../find-run.js';
import type { Check, Ports } from '../ports.js';

/** Whether workflows wait for a build that no worker serves. */
export const standsStill = ({ state, workers, open }: Build): boolean =>
  workers === 0 && (open > 0 || state === 'current');

const START = 'slipway worker start --queues workflows --deployment';

/** Returns what serves. Nothing if the server has no deployments or does not answer, which another row of the doctor tells. */
export async function deploymentsNow(ports: Ports): Promise<DeploymentView> {
  const none = { builds: [], unversioned: [] };
  if (!(await hasServer(ports))) return none;
  try {
    await using client = closing(await ports.client());
    return await client.deployments.read();
  } catch {
    return none;
  }
}

/** Says that workers without a deployment get no workflow here, if that is so. */
export async function warnIdle(io: Io, ports: Ports): Promise<void> {
  const { builds } = await deploymentsNow(ports);
  for (const [detail, mend] of idleFaults(builds, ['a worker without a deployment'])) io.err(`${detail}; ${mend}`);
}

type Fault = readonly [detail: string, mend: string];

const idleFaults = (builds: readonly Build[], unversioned: readonly string[]): readonly Fault[] => {
  const current = builds.find(({ state }) => state === 'current');
  if (current === undefined || unversioned.length === 0) return [];
  const { deployment, build } = current;
  return [
    [
      `${unversioned.join(', ')} gets no workflow: the current build of ${deployment} is ${build}`,
      `end it, or start it with \`--deployment ${deployment}\``,
    ],
  ];
};

const unservedFaults = (builds: readonly Build[]): readonly Fault[] =>
  builds
    .filter(standsStill)
    .map(({ deployment, build, open }) => [
      `no worker serves build ${build} of ${deployment}, and ${open} open runs wait for it`,
      `\`${START} ${deployment}\` where that build is installed`,
    ]);

/** Returns a row for each fault of the builds that serve workflows. */
export const buildChecks = ({ builds, unversioned }: DeploymentView): readonly Check[] =>
  [...idleFaults(builds, unversioned), ...unservedFaults(builds)].map(([detail, mend]) => ({
    name: 'workflow builds',
    ok: false,
    detail,
    mend,
  }));
