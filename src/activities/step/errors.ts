import type { Problem } from '../../model/failure.js';
import type { Queue, StepId } from '../../model/ids.js';
import { secretName } from '../../model/secret.js';

const minutes = (ms: number): string => (ms < 60_000 ? `${ms / 1000} s` : `${Math.round(ms / 6_000) / 10} min`);

export const commandFailed = (command: string, code: number, lines: readonly string[]): Problem => ({
  code: 'COMMAND_FAILED',
  class: 'product',
  message: `${command} ended with status ${code}`,
  next: 'Read its last lines here, or all of them with `slipway logs STEP`; fix the cause and start the release again: finished steps are kept.',
  evidence: lines,
  details: { exitCode: code },
});

export const limitReached = (command: string, limitMs: number, lines: readonly string[]): Problem => ({
  code: 'LIMIT_REACHED',
  class: 'product',
  message: `${command} was ended after the step's limit of ${minutes(limitMs)}`,
  next: 'See in the last lines where it hung; where it is only slow, raise `timeout` of this step in the release file.',
  evidence: lines,
});

export const cancelled = (what: string): Problem => ({
  code: 'CANCELLED',
  class: 'cancelled',
  message: `${what} was ended because the run was asked to stop`,
  next: 'Start the release again to go on: finished steps are kept.',
});

/** @param path of the link, or of a file behind it, relative to the step's folder */
export const linkLeadsOut = (path: string): Problem => ({
  code: 'LINK_LEADS_OUT',
  class: 'denied',
  message: `a program of this step left a link at ${JSON.stringify(path.slice(0, 200))} that leads out of the step's folder`,
  next: 'Nothing behind it was read or written. Find the program that makes the link, let it copy files instead, then `slipway retry`.',
});

export const noPlainFile = (path: string): Problem => ({
  code: 'NO_PLAIN_FILE',
  class: 'denied',
  message: `a program of this step left something at ${JSON.stringify(path.slice(0, 200))} that is no file, or one over 64 MB`,
  next: 'Nothing of it was read. Find the program that makes it, then `slipway retry`.',
});

export const outputTooLong = (command: string, limitBytes: number): Problem => ({
  code: 'OUTPUT_TOO_LONG',
  class: 'bug',
  message: `${command} answered with more than ${limitBytes} bytes`,
  next: 'Please report this with the log of the step: an answer of this size should go through a file.',
});

export const roundMissing = (run: string, round: number): Problem => ({
  code: 'ROUND_MISSING',
  class: 'infra',
  message: `the store has no record of round ${round} of run ${run}`,
  next: 'The store did not answer at the time of `slipway retry --from STEP`. Repeat that command once `slipway doctor` finds the store.',
});

export const planMissing = (digest: string): Problem => ({
  code: 'PLAN_MISSING',
  class: 'config',
  message: `the plan ${digest} is not in this worker's store`,
  next: 'All workers of a run and the program that started it use one store: give them the same SLIPWAY_HOME.',
});

export const planUnsigned = (digest: string): Problem => ({
  code: 'PLAN_NOT_SIGNED',
  class: 'config',
  message: `no planner of this worker's home signed the plan ${digest}: another program scheduled this step`,
  next: "Where the run is yours, type `slipway run FILE` in the home of this worker: it signs the plan. Then `slipway retry`. A worker elsewhere needs that home's keys (SLIPWAY_KEYS).",
});

export const askedWrongly = (field: string, value: unknown): Problem => ({
  code: 'STEP_INPUT_INVALID',
  class: 'config',
  message: `another program scheduled this activity: ${field} is ${(JSON.stringify(value) ?? 'missing').slice(0, 100)}`,
  next: 'Start releases with `slipway run`, and let `slipway workers` show who is connected.',
});

export const stepUnknown = (step: StepId, plan: string): Problem => ({
  code: 'STEP_UNKNOWN',
  class: 'bug',
  message: `the plan ${plan} has no step ${step}`,
  next: 'Please report this with the plan (`slipway plan --json`).',
});

export const inputMissing = (step: StepId, input: StepId): Problem => ({
  code: 'INPUT_MISSING',
  class: 'config',
  message: `${step} needs the result of ${input}, which is not in this worker's store`,
  next: 'All workers of a run use one store: give them the same SLIPWAY_HOME, then start the release again.',
});

export const secretMissing = (reference: string): Problem => ({
  code: 'SECRET_MISSING',
  class: 'config',
  message: `${reference} is not set in the environment of this worker`,
  next: `Set ${reference.slice(1)}, then type \`slipway down\` and \`slipway up\`: a worker keeps the environment of its start. Then type \`slipway retry\`, or start the release again.`,
});

export const secretNotListed = (reference: string, on: Queue, name: string | null): Problem => ({
  code: 'SECRET_NOT_LISTED',
  class: 'config',
  message: `${secretName(reference)} is looked up on the queue ${on}, and SLIPWAY_BUILD_ENV of this worker does not list it`,
  next: `Set SLIPWAY_BUILD_ENV=${name ?? 'NAME'} (more names by comma) if steps there may see it, then type \`slipway down\`, \`slipway up\` and \`slipway retry\`. For the text itself write $$${name ?? 'NAME'}.`,
});

export const secretFileUnreadable = (reference: string, why: string): Problem => ({
  code: 'SECRET_MISSING',
  class: 'config',
  message: `${reference} cannot be read on this worker: ${why}`,
  next: 'Create the file on the machine of the worker, readable for its user, then start the release again.',
});

export const secretCommandFailed = (reference: string, why: string): Problem => ({
  code: 'SECRET_MISSING',
  class: 'config',
  message: `the command of ${reference} returned no secret: ${why}`,
  next: 'Run the command as the user of the worker. It must print the secret and nothing else to stdout. Its output is never logged.',
});

export const serviceDown = (name: string): Problem => ({
  code: 'SERVICE_DOWN',
  class: 'infra',
  service: name,
  message: `the service ${name} is not up on this machine`,
  next: 'Type `slipway up`; `slipway doctor` says what each service answers.',
});

export const diskFullHere = (message: string): Problem => ({
  code: 'DISK_FULL',
  class: 'infra',
  message: `the disk is full: ${message}`,
  next: 'Free space on that disk. The step is retried for a while. Afterwards type the same command again: finished work is reused.',
});

export const notPermitted = (message: string): Problem => ({
  code: 'NOT_PERMITTED',
  class: 'infra',
  message: `the system does not permit it: ${message}`,
  next: 'Make the file system writable and give the user of this worker the right, or move the home (`SLIPWAY_HOME`); then `slipway retry`.',
});

export const machineShort = (message: string): Problem => ({
  code: 'MACHINE_SHORT',
  class: 'infra',
  message: `the machine is short of memory, processes or open files: ${message}`,
  next: 'The step tries again by itself for a while. Where it stays so: fewer steps at once (`window` in config/queues.yaml), or a larger machine.',
});

export const heapFull = (message: string): Problem => ({
  code: 'HEAP_FULL',
  class: 'product',
  message: `a program filled the memory that it allows itself: ${message}`,
  next: 'Give it more in the release file, `env: { MAVEN_OPTS: -Xmx4g }` or `env: { NODE_OPTIONS: --max-old-space-size=4096 }`; trying again fills the same.',
});

export const killedByOthers = (message: string): Problem => ({
  code: 'PROGRAM_KILLED',
  class: 'infra',
  message: `a program was killed by SIGKILL, and not by us: ${message}`,
  next: 'Most often the system had no memory left (`dmesg | grep -i oom`). The step tries again by itself for a while; where it is always killed, `retry: { exit: { 137: product } }` says so.',
});

export const networkDown = (message: string): Problem => ({
  code: 'NETWORK_DOWN',
  class: 'infra',
  message: `something that is fetched or asked over the network did not answer: ${message}`,
  next: 'The step tries again by itself for a while. The last lines name who did not answer; `slipway doctor` asks the services of this machine.',
});

export const engineGone = (message: string): Problem => ({
  code: 'ENGINE_GONE',
  class: 'infra',
  message: `a program found no Docker engine: ${message}`,
  next: '`slipway doctor` asks the engine; `slipway up` starts one. The step tries again by itself for a while.',
});

export const fetchDenied = (message: string): Problem => ({
  code: 'FETCH_DENIED',
  class: 'denied',
  message: `something that the step fetches was refused: ${message}`,
  next: 'The last lines name what was refused. Correct the credential or that name; then `slipway retry STEP`.',
});

export const unexpected = (message: string, stack: readonly string[]): Problem => ({
  code: 'UNEXPECTED',
  class: 'bug',
  message: `Slipway did not expect this: ${message}`,
  next: 'Please report it with the lines below and the log of the step (`slipway logs STEP`).',
  evidence: stack,
});

export const toolchainDiffers = (worker: string, found: readonly string[]): Problem => ({
  code: 'TOOLCHAIN_DIFFERS',
  class: 'infra',
  message: `the worker ${worker} has other tools than those that this run has pinned: ${found.join(', ')}`,
  next: 'It is tried again, on another worker where one is free. Give all workers of the queue the same tools, or take this one out: `slipway worker drain NAME`.',
});

export const sandboxAbsent = (worker: string, why: string): Problem => ({
  code: 'SANDBOX_ABSENT',
  class: 'config',
  message: `the worker ${worker} has no sandbox for programs of the project: ${why}`,
  next: "Type `apt-get install bubblewrap` there as root, take SLIPWAY_SANDBOX out of the worker's environment, and start it again. To build and test without a sandbox, write `isolation: none` at the top of the release file.",
});

export const projectCodeOnControl = (step: StepId, worker: string): Problem => ({
  code: 'PROJECT_CODE_ON_CONTROL',
  class: 'config',
  message: `${step} runs code of the project, and the worker ${worker} serves control: it holds the credentials of the release`,
  next: 'Take `on: control` out of the entry, or name a queue of machines there.',
});

/** Replaces NETWORK_DOWN if the program ran without network. */
export const networkRefused = (step: StepId): Problem => ({
  code: 'NETWORK_REFUSED',
  class: 'config',
  message: `a program of ${step} asked for the network, and the step has none`,
  next: 'Let an entry of `deps:` fetch what it needs, by hash. Else write `network: true` under the entry in the release file.',
});
