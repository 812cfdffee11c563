import type { Problem } from '../model/failure.js';

/** @param debian package that has the program, if `npm start` is not the way to get it */
export const toolsMissing = (program: string, debian?: string): Problem => ({
  code: 'TOOLS_MISSING',
  class: 'config',
  message: `${program} is not installed`,
  next:
    debian === undefined
      ? 'Type `npm start` once: it installs the tools that the services need.'
      : `Install it by the package manager of this machine (Debian: \`apt-get install ${debian}\` as root), then \`slipway up\`.`,
});

export const remakingDied = (code: number | null): Problem => ({
  code: 'REMAKING_DIED',
  class: 'infra',
  message: `the process that builds lost wheels again ended with ${code ?? 'a signal'}`,
  next: 'Read its lines above, fix what they name, then the same command again: what it built is stored.',
});

export const s3ServerMissing = (program: string): Problem => ({
  code: 'S3_SERVER_MISSING',
  class: 'config',
  message: `${program} is not installed: the S3 server is built only on request`,
  next: 'Type `npm run s3`: it builds the server (Go, some minutes) and starts it; or `slipway up --store directory`.',
});

export const storeKindUnknown = (kind: string): Problem => ({
  code: 'STORE_KIND_UNKNOWN',
  class: 'config',
  message: `${JSON.stringify(kind)} is not a kind of store`,
  next: 'Type `slipway up --store s3` or `slipway up --store directory`; for a bucket elsewhere set SLIPWAY_STORE.',
});

export const serviceNotReady = (name: string, because: string, log: string, tail: readonly string[]): Problem => ({
  code: 'SERVICE_NOT_READY',
  class: 'infra',
  message: `${name} does not answer: ${because}`,
  next: `Read ${log}, fix what it names, then \`slipway up\` again; \`slipway doctor\` shows all services.`,
  evidence: tail,
});

export const supervisorDied = (log: string, tail: readonly string[]): Problem => ({
  code: 'SUPERVISOR_DIED',
  class: 'infra',
  message: 'the supervisor of the services ended while it was starting them',
  next: `Read ${log}, fix what it names, then \`slipway up\` again.`,
  evidence: tail,
});

export const openRunsInOldDatabase = (file: string, open: number): Problem => ({
  code: 'OPEN_RUNS_IN_OLD_DATABASE',
  class: 'config',
  message: `${file} was written by another version of Temporal and holds ${open} open run${open === 1 ? '' : 's'}`,
  next: 'Finish or cancel them with that version, or move the file away if they do not matter, then `slipway up`.',
});

const MOST_NAMED = 5;
export const runsDiverge = (runs: readonly { readonly workflowId: string; readonly why: string }[]): Problem => ({
  code: 'OPEN_RUNS_DIVERGE',
  class: 'config',
  message: `open runs were started by another build, and their histories do not replay on this one: ${runs
    .slice(0, MOST_NAMED)
    .map(({ workflowId }) => workflowId)
    .join(', ')}${runs.length > MOST_NAMED ? ` and ${runs.length - MOST_NAMED} more` : ''}`,
  next: 'Let them end with the build that started them (check it out, `npm run build`, `slipway up`), or end them with `temporal workflow terminate --workflow-id RUN` and type `slipway up` again; a release that is started again reuses finished work.',
  evidence: runs.slice(0, MOST_NAMED).map(({ workflowId, why }) => `${workflowId}: ${why}`),
});

export const runsNotReplayed = (why: string): Problem => ({
  code: 'OPEN_RUNS_NOT_READ',
  class: 'infra',
  message: `the open runs could not be replayed on this build: ${why}`,
  next: 'Slipway retries. If it stays so, check every service with `slipway doctor`, and read the log of Temporal under .slipway/log.',
});

export const notRootForDocker = (): Problem => ({
  code: 'DOCKER_NEEDS_ROOT',
  class: 'config',
  message: 'no Docker engine answers, and only root may start one',
  next: 'Start Docker or set DOCKER_HOST to an engine that answers, then `slipway up`.',
});

export const searchAttributesMissing = (names: readonly string[]): Problem => ({
  code: 'SEARCH_ATTRIBUTES_MISSING',
  class: 'infra',
  message: `Temporal did not register the search attributes ${names.join(', ')}`,
  next: 'Read the log of temporal under .slipway/log; the usual cause is a database of another program in its place.',
});

export const indexRefused = (what: string, status: number): Problem => ({
  code: 'INDEX_NOT_SET_UP',
  class: 'infra',
  message: `the Python index answered ${status} to ${what}`,
  next: 'Read the log of devpi in .slipway/log, then type `slipway down` and `slipway up`.',
});

export const postgresRefused = (said: string): Problem => ({
  code: 'POSTGRES_NOT_SET_UP',
  class: 'infra',
  message: `the database for history could not be made: ${said}`,
  next: 'Read the log of postgres under .slipway/log, then `slipway down` and `slipway up`. Releases run without it.',
});

export const postgresOlder = (file: string): Problem => ({
  code: 'POSTGRES_OLDER',
  class: 'config',
  message: `an older version set up the database of this home: ${file} is missing`,
  next: 'Type `slipway up`: it changes the database and keeps its rows.',
});

export const engineFolderTaken = (folder: string): Problem => ({
  code: 'ENGINE_FOLDER_TAKEN',
  class: 'config',
  message: `${folder}, a folder for sockets of this home, belongs to another user or is open to others`,
  next: 'Remove docker/folder.json and sockets/folder.json below SLIPWAY_HOME, then `slipway up`: it takes another folder. A shorter SLIPWAY_HOME needs none.',
});

export const tooSlow = (name: string, limitMs: number): Problem => ({
  code: 'SERVICE_TOO_SLOW',
  class: 'infra',
  message: `${name} did not answer within ${limitMs / 1000} s`,
  next: 'The supervisor starts it again. If it stays so, read its log under .slipway/log.',
});

export const engineGone = (): Problem => ({
  code: 'DOCKER_GONE',
  class: 'infra',
  message: 'the Docker engine that answered before is gone',
  next: 'Start it again, or type `slipway down` and `slipway up` to start a separate one.',
});

export const drillAbsent = (main: string): Problem => ({
  code: 'DRILL_ABSENT',
  class: 'config',
  message: `the crash drill is no part of this installation: ${main} is missing`,
  next: 'Run `npm run build` in a clone of the repository, which has tools/drill, and drill there.',
});

export const doorPortTaken = (port: number, name: string): Problem => ({
  code: 'DOOR_PORT_TAKEN',
  class: 'config',
  message: `another program listens on 127.0.0.1:${port}, which is the port of ${name}`,
  next: `End that program, then \`slipway up\`; or \`slipway down\` and \`slipway up\`: that takes another port.`,
});
