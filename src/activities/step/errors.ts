import { problem } from '../../model/problem.js';
import type { Problem } from '../../model/failure.js';
import type { Queue, StepId } from '../../model/ids.js';
import type { FailedTry } from '../../model/run-folder.js';
import { secretName } from '../../model/secret.js';

const minutes = (ms: number): string => (ms < 60_000 ? `${ms / 1000} s` : `${Math.round(ms / 6_000) / 10} min`);

export const commandFailed = problem.product((command: string, code: number, lines: readonly string[]) => [
  'COMMAND_FAILED',
  `${command} ended with status ${code}`,
  'Read its last lines here, or all of them with `slipway logs STEP`; fix the cause and start the release again: finished steps are kept.',
  { evidence: lines, details: { exitCode: code } },
]);
export const limitReached = problem.product((command: string, limitMs: number, lines: readonly string[]) => [
  'LIMIT_REACHED',
  `${command} was ended after the step's limit of ${minutes(limitMs)}`,
  'See in the last lines where it hung; where it is only slow, raise `timeout` of this step in the release file.',
  { evidence: lines },
]);
export const cancelled = problem.cancelled((what: string) => [
  'CANCELLED',
  `${what} was ended because the run was asked to stop`,
  'Start the release again to go on: finished steps are kept.',
]);
/** @param path of the link, or of a file behind it, relative to the step's folder */
export const linkLeadsOut = problem.denied((path: string) => [
  'LINK_LEADS_OUT',
  `a program of this step left a link at ${JSON.stringify(path.slice(0, 200))} that leads out of the step's folder`,
  'Nothing behind it was read or written. Find the program that makes the link, let it copy files instead, then `slipway retry`.',
]);
export const noPlainFile = problem.denied((path: string) => [
  'NO_PLAIN_FILE',
  `a program of this step left something at ${JSON.stringify(path.slice(0, 200))} that is no file, or one over 64 MB`,
  'Nothing of it was read. Find the program that makes it, then `slipway retry`.',
]);
export const outputTooLong = problem.bug((command: string, limitBytes: number) => [
  'OUTPUT_TOO_LONG',
  `${command} answered with more than ${limitBytes} bytes`,
  'Please report this with the log of the step: an answer of this size should go through a file.',
]);
export const roundMissing = problem.infra((run: string, round: number) => [
  'ROUND_MISSING',
  `the store has no record of round ${round} of run ${run}`,
  'The store did not answer at the time of `slipway retry --from STEP`. Repeat that command once `slipway doctor` finds the store.',
]);
export const planMissing = problem.config((digest: string) => [
  'PLAN_MISSING',
  `the plan ${digest} is not in this worker's store`,
  'All workers of a run and the program that started it use one store: give them the same SLIPWAY_HOME.',
]);
export const planUnsigned = problem.config((digest: string) => [
  'PLAN_NOT_SIGNED',
  `no planner of this worker's home signed the plan ${digest}: another program scheduled this step`,
  "Where the run is yours, type `slipway run FILE` in the home of this worker: it signs the plan. Then `slipway retry`. A worker elsewhere needs that home's keys (SLIPWAY_KEYS).",
]);
export const askedWrongly = problem.config((field: string, value: unknown) => [
  'STEP_INPUT_INVALID',
  `another program scheduled this activity: ${field} is ${(JSON.stringify(value) ?? 'missing').slice(0, 100)}`,
  'Start releases with `slipway run`, and let `slipway workers` show who is connected.',
]);
export const stepUnknown = problem.bug((step: StepId, plan: string) => [
  'STEP_UNKNOWN',
  `the plan ${plan} has no step ${step}`,
  'Please report this with the plan (`slipway plan --json`).',
]);
export const inputMissing = problem.config((step: StepId, input: StepId) => [
  'INPUT_MISSING',
  `${step} needs the result of ${input}, which is not in this worker's store`,
  'All workers of a run use one store: give them the same SLIPWAY_HOME, then start the release again.',
]);
export const secretMissing = problem.config((reference: string) => [
  'SECRET_MISSING',
  `${reference} is not set in the environment of this worker`,
  `Set ${reference.slice(1)}, then type \`slipway down\` and \`slipway up\`: a worker keeps the environment of its start. Then type \`slipway retry\`, or start the release again.`,
]);
export const secretNotListed = problem.config((reference: string, on: Queue, name: string | null) => [
  'SECRET_NOT_LISTED',
  `${secretName(reference)} is looked up on the queue ${on}, and SLIPWAY_BUILD_ENV of this worker does not list it`,
  `Set SLIPWAY_BUILD_ENV=${name ?? 'NAME'} (more names by comma) if steps there may see it, then type \`slipway down\`, \`slipway up\` and \`slipway retry\`. For the text itself write $$${name ?? 'NAME'}.`,
]);
export const secretFileUnreadable = problem.config((reference: string, why: string) => [
  'SECRET_MISSING',
  `${reference} cannot be read on this worker: ${why}`,
  'Create the file on the machine of the worker, readable for its user, then start the release again.',
]);
export const secretCommandFailed = problem.config((reference: string, why: string) => [
  'SECRET_MISSING',
  `the command of ${reference} returned no secret: ${why}`,
  'Run the command as the user of the worker. It must print the secret and nothing else to stdout. Its output is never logged.',
]);

export const serviceDown = (name: string): Problem => ({
  code: 'SERVICE_DOWN',
  class: 'infra',
  service: name,
  message: `the service ${name} is not up on this machine`,
  next: 'Type `slipway up`; `slipway doctor` says what each service answers.',
});

export const diskFullHere = problem.infra((message: string) => [
  'DISK_FULL',
  `the disk is full: ${message}`,
  'Free space on that disk; `slipway doctor` shows each disk. The step tries again for a while: once it is held, type `slipway retry --all-failed`.',
]);
export const notPermitted = problem.infra((message: string) => [
  'NOT_PERMITTED',
  `the system does not permit it: ${message}`,
  'Make the file system writable and give the user of this worker the right, or move the home (`SLIPWAY_HOME`); then `slipway retry`.',
]);
export const machineShort = problem.infra((message: string) => [
  'MACHINE_SHORT',
  `the machine is short of memory, processes or open files: ${message}`,
  'The step tries again by itself for a while. Where it stays so: fewer steps at once (`window` in config/queues.yaml), or a larger machine.',
]);
export const heapFull = problem.product((message: string) => [
  'HEAP_FULL',
  `a program filled the memory that it allows itself: ${message}`,
  'Give it more in the release file, `env: { MAVEN_OPTS: -Xmx4g }` or `env: { NODE_OPTIONS: --max-old-space-size=4096 }`; trying again fills the same.',
]);
export const killedByOthers = problem.infra((message: string) => [
  'PROGRAM_KILLED',
  `a program was killed by SIGKILL, and not by us: ${message}`,
  'Most often the system had no memory left (`dmesg | grep -i oom`). The step tries again by itself for a while; where it is always killed, `retry: { exit: { 137: product } }` says so.',
]);
export const networkDown = problem.infra((message: string) => [
  'NETWORK_DOWN',
  `something that is fetched or asked over the network did not answer: ${message}`,
  'The step tries again by itself for a while. The last lines name who did not answer; `slipway doctor` asks the services of this machine.',
]);
export const engineGone = problem.infra((message: string) => [
  'ENGINE_GONE',
  `a program found no Docker engine: ${message}`,
  '`slipway doctor` asks the engine; `slipway up` starts one. The step tries again by itself for a while.',
]);
export const fetchDenied = problem.denied((message: string) => [
  'FETCH_DENIED',
  `something that the step fetches was refused: ${message}`,
  'The last lines name what was refused. Correct the credential or that name; then `slipway retry STEP`.',
]);
export const unexpected = problem.bug((message: string, stack: readonly string[]) => [
  'UNEXPECTED',
  `Slipway did not expect this: ${message}`,
  'Please report it with the lines below and the log of the step (`slipway logs STEP`).',
  { evidence: stack },
]);
export const toolchainDiffers = problem.infra((worker: string, found: readonly string[]) => [
  'TOOLCHAIN_DIFFERS',
  `the worker ${worker} has other versions of tools that the step uses: ${found.join(', ')}`,
  'It is tried again, on another worker where one is free. Give all workers of the queue the same tools, or take this one out: `slipway worker drain NAME`.',
]);
export const sandboxAbsent = problem.config((worker: string, why: string) => [
  'SANDBOX_ABSENT',
  `the worker ${worker} has no sandbox for programs of the project: ${why}`,
  "Type `apt-get install bubblewrap` there as root, take SLIPWAY_SANDBOX out of the worker's environment, and start it again. To build and test without a sandbox, write `isolation: none` at the top of the release file.",
]);
export const projectCodeOnControl = problem.config((step: StepId, worker: string) => [
  'PROJECT_CODE_ON_CONTROL',
  `${step} runs code of the project, and the worker ${worker} serves control: it holds the credentials of the release`,
  'Take `on: control` out of the entry, or name a queue of machines there.',
]);
/** Replaces NETWORK_DOWN if the program ran without network. */
export const networkRefused = problem.config((step: StepId) => [
  'NETWORK_REFUSED',
  `a program of ${step} asked for the network, and the step has none`,
  'Let an entry of `deps:` fetch what it needs, by hash. Else write `network: true` under the entry in the release file.',
]);
/** @param until end of the time for which it is remembered */
export const failedBefore = problem.product((step: StepId, { at, run, problem }: FailedTry, until: Date) => [
  'FAILED_BEFORE',
  `the same build failed on ${at.slice(0, 10)} and is not tried again before ${until.toISOString().slice(0, 10)}: ${problem.message}`,
  `Read it with \`slipway logs ${step} --run ${run}\`. A change of its entry makes it another build; \`slipway retry\` tries this one now.`,
  { evidence: problem.evidence ?? [], details: { code: problem.code, run, at } },
]);
