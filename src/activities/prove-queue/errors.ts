import { problem } from '../../model/problem.js';
import type { Problem } from '../../model/failure.js';
import type { Finding } from '../../model/finding.js';
import type { WorkerName } from '../../model/worker.js';
import { DOCKER } from '../../model/outage.js';

const PACKAGES: Readonly<Record<string, string>> = {
  javac: 'openjdk-17-jdk-headless',
  java: 'openjdk-17-jre-headless',
  mvn: 'maven',
  docker: 'docker.io',
  'docker-registry': 'docker-registry',
  nginx: 'nginx-light',
  diff: 'diffutils',
  'aarch64-linux-gnu-gcc': 'gcc-aarch64-linux-gnu libc6-dev-arm64-cross',
};
const OURS = [
  'uv',
  'auditwheel',
  'patchelf',
  'twine',
  'pyproject-build',
  'check-wheel-contents',
  'zig',
  'pip-compile',
  'cibuildwheel',
  'temporal',
  'devpi-server',
];

export const toolAbsent = problem.config((tool: string, queue: string) => [
  'TOOL_ABSENT',
  `workers of ${queue} have no ${tool}`,
  OURS.includes(tool)
    ? 'Type `npm start`: its set-up installs it into .tools.'
    : `Install it: \`apt-get install ${PACKAGES[tool] ?? tool}\`; or build in a container that has it (\`packages\`).`,
]);
export const headersAbsent = problem.config((tag: string, version: string) => [
  'PYTHON_HEADERS_ABSENT',
  `Python ${version} for ${tag} is here without its headers (Python.h): no extension can be compiled with it`,
  `Install them (Debian: \`apt-get install python${version.split('.').slice(0, 2).join('.')}-dev\`), or another one by pyenv.`,
]);
export const diskLow = problem.infra((queue: string, freeMiB: number, wantedMiB: number) => [
  'DISK_LOW',
  `workers of ${queue} have ${freeMiB} MiB of disk left, the release asks for ${wantedMiB} MiB`,
  'Free some space, or move the state to another disk (`SLIPWAY_HOME`).',
]);

export const engineSilent = (queue: string, why: string): Problem => ({
  code: 'ENGINE_SILENT',
  class: 'infra',
  service: DOCKER,
  message: `workers of ${queue} reach no Docker engine: ${why}`,
  next: 'Type `slipway up` (as root it starts an engine where none answers) or set DOCKER_HOST before it; `slipway doctor` asks the engine.',
});

export const machineDiffers = problem.config((queue: string, machine: string) => [
  'MACHINE_DIFFERS',
  `this worker serves ${queue} and runs on ${machine}`,
  `Start the worker on a machine of that kind, or serve another queue: \`slipway worker start --queues ${machine}\`.`,
]);
export const workerLacks = problem.config((worker: WorkerName, lacking: readonly string[]) => [
  'WORKER_LACKS',
  `the worker ${worker} would take steps of this release and lacks ${lacking.join(', ')}`,
  `Put it in there and start that worker again, or take the worker out: \`slipway worker drain ${worker}\`; then start the release again.`,
]);
export const workerUnannounced = problem.config((worker: WorkerName, queue: string) => [
  'WORKER_HAS_OTHER_STORE',
  `the worker ${worker} serves ${queue}, and this store does not know what it can do: it uses another one`,
  'Start it with the same SLIPWAY_STORE as the others, or end it; then start the release again.',
]);
export const workerStranger = problem.denied((worker: WorkerName, queue: string) => [
  'WORKER_IS_STRANGER',
  `the worker ${worker} serves ${queue}, and the home's key has not signed what it announced`,
  'End it if you do not know it. Else copy the keys to its home, as docs/workers.md says, and start it again; then start the release again.',
]);

/** A finding only: the release continues with the workers that agree. */
export const workerDiffers = (worker: WorkerName, why: string): Finding => ({
  level: 'warning',
  code: 'WORKER_DIFFERS',
  subject: worker,
  why: `${why}; steps that use these tools are refused there and go to other workers`,
  next: `Give all workers of a queue the same tools, or take this one out: \`slipway worker drain ${worker}\`.`,
});

export const optionUnknown = problem.config((tool: string, option: string, of: readonly string[], why: string) => [
  'LOCK_OPTION_UNKNOWN',
  `${tool} refuses ${option} of ${of.map((name) => `deps.${name}`).join(', ')}: ${why}`,
  'Correct `options:` there; `uv pip compile --help` and `pip-compile --help` list what they know.',
  { path: `deps.${of[0]}.options` },
]);
