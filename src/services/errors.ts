import { problem } from '../model/problem.js';

/** @param debian package that has the program, if `npm start` is not the way to get it */
export const toolsMissing = problem.config((program: string, debian?: string) => [
  'TOOLS_MISSING',
  `${program} is not installed`,
  debian === undefined
    ? 'Type `npm start` once: it installs the tools that the services need.'
    : `Install it by the package manager of this machine (Debian: \`apt-get install ${debian}\` as root), then \`slipway up\`.`,
]);
export const homeUnfit = problem.config((home: string) => [
  'HOME_UNFIT',
  `the path of the home has a character that nginx's configuration cannot hold (a dollar sign, a quotation mark, a backslash or a control character): ${JSON.stringify(home)}`,
  'Name another folder in SLIPWAY_HOME, then `slipway up`.',
]);
export const needsCheckout = problem.config((command: string, root: string) => [
  'NEEDS_CHECKOUT',
  `the command ${command} needs the checkout of Slipway, and ${root} is the package, which speaks to a home that is up`,
  'Type the same command in the checkout; here SLIPWAY_HOME names a home that is up, and `slipway status` asks it.',
]);
export const remakingDied = problem.infra((code: number | null) => [
  'REMAKING_DIED',
  `the process that builds lost wheels again ended with ${code ?? 'a signal'}`,
  'Read its lines above, fix what they name, then the same command again: what it built is stored.',
]);
export const s3ServerMissing = problem.config((program: string) => [
  'S3_SERVER_MISSING',
  `${program} is not installed: the S3 server is built only on request`,
  'Type `npm run s3`: it builds the server (Go, some minutes) and starts it; or `slipway up --store directory`.',
]);
export const storeKindUnknown = problem.config((kind: string) => [
  'STORE_KIND_UNKNOWN',
  `${JSON.stringify(kind)} is not a kind of store`,
  'Type `slipway up --store s3` or `slipway up --store directory`; for a bucket elsewhere set SLIPWAY_STORE.',
]);
export const servicesUnknown = problem.config((strange: readonly string[], known: readonly string[]) => [
  'SERVICES_UNKNOWN',
  strange.length > 0 ? `there is no service ${strange.join(', ')}` : '--only names no service',
  `Name some of ${known.join(', ')}: \`slipway up --only ${known[0]}\`.`,
]);
export const otherServicesUp = problem.config((asked: string, there: string) => [
  'OTHER_SERVICES_UP',
  `this home is up with ${there}, and \`slipway up\` asks for ${asked}`,
  'Type `slipway down` first, then the same command again.',
]);
export const serviceNotReady = problem.infra((name: string, because: string, log: string, tail: readonly string[]) => [
  'SERVICE_NOT_READY',
  `${name} does not answer: ${because}`,
  `Read ${log}, fix what it names, then \`slipway up\` again; \`slipway doctor\` shows all services.`,
  { evidence: tail },
]);
export const supervisorDied = problem.infra((log: string, tail: readonly string[]) => [
  'SUPERVISOR_DIED',
  'the supervisor of the services ended while it was starting them',
  `Read ${log}, fix what it names, then \`slipway up\` again.`,
  { evidence: tail },
]);
export const openRunsInOldDatabase = problem.config((file: string, open: number) => [
  'OPEN_RUNS_IN_OLD_DATABASE',
  `${file} was written by another version of Temporal and holds ${open} open run${open === 1 ? '' : 's'}`,
  'Finish or cancel them with that version, or move the file away if they do not matter, then `slipway up`.',
]);

const MOST_NAMED = 5;
const first = (runs: readonly { readonly workflowId: string }[]): string =>
  `${runs
    .slice(0, MOST_NAMED)
    .map(({ workflowId }) => workflowId)
    .join(', ')}${runs.length > MOST_NAMED ? ` and ${runs.length - MOST_NAMED} more` : ''}`;
export const runsDiverge = problem.config((runs: readonly { readonly workflowId: string; readonly why: string }[]) => [
  'OPEN_RUNS_DIVERGE',
  `open runs were started by another build, and their histories do not replay on this one: ${first(runs)}`,
  'Let them end with the build that started them (check it out, `npm run build`, `slipway up`), or end them with `temporal workflow terminate --workflow-id RUN` and type `slipway up` again; a release that is started again reuses finished work.',
  { evidence: runs.slice(0, MOST_NAMED).map(({ workflowId, why }) => `${workflowId}: ${why}`) },
]);
export const upgradeDiverges: typeof runsDiverge = problem.config((runs) => [
  'UPGRADE_DIVERGES',
  `open workflows that move to the current build do not replay on this one: ${first(runs)}`,
  'Let them end under the build that serves them, or end them with `temporal workflow terminate --workflow-id ID`; then type the command again. Pinned runs stay with their build and need nothing.',
  { evidence: runs.slice(0, MOST_NAMED).map(({ workflowId, why }) => `${workflowId}: ${why}`) },
]);
export const runsNotReplayed = problem.infra((why: string) => [
  'OPEN_RUNS_NOT_READ',
  `the open runs could not be replayed on this build: ${why}`,
  'Slipway retries. If it stays so, check every service with `slipway doctor`, and read the log of Temporal under .slipway/log.',
]);
export const notRootForDocker = problem.config(() => [
  'DOCKER_NEEDS_ROOT',
  'no Docker engine answers, and only root may start one',
  'Start Docker or set DOCKER_HOST to an engine that answers, then `slipway up`.',
]);
export const searchAttributesMissing = problem.infra((names: readonly string[]) => [
  'SEARCH_ATTRIBUTES_MISSING',
  `Temporal did not register the search attributes ${names.join(', ')}`,
  'Read the log of temporal under .slipway/log; the usual cause is a database of another program in its place.',
]);
export const indexRefused = problem.infra((what: string, status: number) => [
  'INDEX_NOT_SET_UP',
  `the Python index answered ${status} to ${what}`,
  'Read the log of devpi in .slipway/log, then type `slipway down` and `slipway up`.',
]);
export const postgresRefused = problem.infra((said: string) => [
  'POSTGRES_NOT_SET_UP',
  `the database for history could not be made: ${said}`,
  'Read the log of postgres under .slipway/log, then `slipway down` and `slipway up`. Releases run without it.',
]);
export const postgresOlder = problem.config((file: string) => [
  'POSTGRES_OLDER',
  `an older version set up the database of this home: ${file} is missing`,
  'Type `slipway up`: it changes the database and keeps its rows.',
]);
export const engineFolderTaken = problem.config((folder: string) => [
  'ENGINE_FOLDER_TAKEN',
  `${folder}, a folder for sockets of this home, belongs to another user or is open to others`,
  'Remove docker/folder.json and sockets/folder.json below SLIPWAY_HOME, then `slipway up`: it takes another folder. A shorter SLIPWAY_HOME needs none.',
]);
export const tooSlow = problem.infra((name: string, limitMs: number) => [
  'SERVICE_TOO_SLOW',
  `${name} did not answer within ${limitMs / 1000} s`,
  'The supervisor starts it again. If it stays so, read its log under .slipway/log.',
]);
export const engineGone = problem.infra(() => [
  'DOCKER_GONE',
  'the Docker engine that answered before is gone',
  'Start it again, or type `slipway down` and `slipway up` to start a separate one.',
]);
export const drillAbsent = problem.config((main: string) => [
  'DRILL_ABSENT',
  `the crash drill is no part of this installation: ${main} is missing`,
  'Run `npm run build` in a clone of the repository, which has tools/drill, and drill there.',
]);
export const doorPortTaken = problem.config((port: number, name: string) => [
  'DOOR_PORT_TAKEN',
  `another program listens on 127.0.0.1:${port}, which is the port of ${name}`,
  `End that program, then \`slipway up\`; or \`slipway down\` and \`slipway up\`: that takes another port.`,
]);
