import { problem } from '../model/problem.js';
import type { Problem } from '../model/failure.js';
import { LABEL_RULE } from '../model/label.js';

export const noRuns = problem.config(() => [
  'NO_RUNS',
  'there is no run yet, neither on the Temporal server nor in the store',
  'Type `slipway run <file>` to start one.',
]);
export const unknownRun = problem.config((asked: string) => [
  'UNKNOWN_RUN',
  `no run is called "${asked}"`,
  'Name a release or a pipeline, a workflow (`rehearsal/NAME/VERSION`) or the first digits of a run id; `slipway runs` lists all.',
]);
export const runIsClosed = problem.config((workflowId: string) => [
  'RUN_IS_CLOSED',
  `${workflowId} has ended: there is nothing to cancel`,
  'Type `slipway runs` for those that are open, and name one: `slipway cancel --run rehearsal/NAME/VERSION`.',
]);
export const noArtifact = problem.config((name: string, run: string) => [
  'NO_ARTIFACT',
  `run ${run} made no artifact called "${name}"`,
  'Type `slipway artifacts` for the names; a digest or its first digits do as well. This is the newest run of all; `--run rehearsal/NAME/VERSION` means another.',
]);
export const manyArtifacts = problem.config((name: string, digests: readonly string[]) => [
  'MANY_ARTIFACTS',
  `${digests.length} artifacts of different bytes are called "${name}"`,
  `Name one by its digest: ${digests.join(', ')}.`,
]);
export const folderTaken = problem.config((folder: string) => [
  'EXPORT_FOLDER_TAKEN',
  `${JSON.stringify(folder)} is no new or empty folder`,
  'Nothing was written. Name a folder that does not exist yet: `slipway artifacts export -o run-1`.',
]);
export const imageIsStaged = problem.config((name: string, digest: string) => [
  'IMAGE_IS_STAGED',
  `${name} is an image: it lives in the staging registry, not in the store`,
  `Pull it by digest: \`docker pull <staging registry>/<repository>@${digest}\`; \`slipway doctor\` tells the address.`,
]);
export const notAPrevious = problem.config((path: string, why: string) => [
  'NOT_A_PREVIOUS_RELEASE',
  `${path} is neither a plan nor a manifest: ${why}`,
  'Name the output of `slipway plan --json`, or the manifest of a release (`slipway artifacts`).',
]);
export const unexpected = problem.bug((error: unknown) => [
  'UNEXPECTED',
  error instanceof Error ? `${error.name}: ${error.message}` : String(error),
  'This is a defect of Slipway. Run the command again with SLIPWAY_DEBUG=1 and report what it prints.',
]);
export const diskFullHere = problem.infra((message: string) => [
  'DISK_FULL',
  `the disk is full: ${message}`,
  'Free space on that disk, or move the home (`SLIPWAY_HOME`); then type the same command again.',
]);
export const notPermitted = problem.infra((message: string) => [
  'NOT_PERMITTED',
  `the system does not permit it: ${message}`,
  'Make the file system writable and give your user the right, or move the home (`SLIPWAY_HOME`); then type the same command again.',
]);
/** @param planned whether a step of the plan is meant */
export const noLog = problem.config((asked: string, run: string, known: readonly string[], planned = false) => [
  'NO_LOG',
  `no step of run ${run} that is called "${asked}" has begun`,
  planned
    ? `Type \`slipway why ${asked}\` for what it waits for; its log begins with it.`
    : known.length === 0
      ? 'No step of this run has printed anything yet; `slipway status` shows where it stands.'
      : 'Type `slipway logs` for the steps that have a log.',
]);
export const manySteps = problem.config((asked: string, steps: readonly string[]) => [
  'MANY_STEPS',
  `"${asked}" is part of the ids of ${steps.length} steps`,
  `Name one: ${steps.slice(0, 6).join(', ')}${steps.length > 6 ? ' …' : ''}.`,
]);
export const noAttempt = problem.config((step: string, attempt: string, attempts: readonly number[]) => [
  'NO_ATTEMPT',
  `${step} has no log of ${attempt === 'any' ? 'any attempt' : `attempt ${attempt}`}`,
  attempts.length === 0 ? 'Its log is in another store, or was removed.' : `It has attempts ${attempts.join(', ')}.`,
]);

export const notForATag =
  (option: string) =>
  (value: string): Problem => ({
    code: 'NOT_FOR_A_TAG',
    class: 'config',
    message: `--${option} ${JSON.stringify(value.slice(0, 80))} cannot be part of an image's tag`,
    next:
      option === 'pull' ? 'A pull request is a number: --pull 77.' : 'Letters, digits, ".", "_" and "-", at most 60.',
  });

export const notAnId =
  (option: 'skip' | 'only') =>
  (value: string): Problem => ({
    code: 'ENTRY_ID_INVALID',
    class: 'config',
    message: `--${option} ${JSON.stringify(value.slice(0, 80))} is no id of an entry`,
    next: 'Write its section and name: steps/prepare.',
  });

export const notAPreset = problem.config((value: string) => [
  'PRESET_INVALID',
  `--preset ${JSON.stringify(value.slice(0, 80))} is no name of a preset`,
  'Write names with commas between them: --preset small,nightly.',
]);
export const notAReference = problem.config((value: string) => [
  'SINCE_INVALID',
  `--since ${JSON.stringify(value.slice(0, 80))} is no name of a branch, a tag or a commit`,
  'Write one that `git branch --all` or `git log --oneline` lists: --since origin/main.',
]);
export const notASetting = problem.config((value: string) => [
  'SETTING_INVALID',
  `--set ${JSON.stringify(value.slice(0, 80))} is no path and value`,
  "Write --set service.port=8080, and quote what the shell would read: --set 'list=[1, 2]'.",
]);
export const notALabel = problem.config((value: string) => [
  'LABEL_INVALID',
  `--label ${JSON.stringify(value.slice(0, 80))} is no label: ${LABEL_RULE}`,
  'Give a text such as `--label nightly-2`, or one of the words commit, date and minute.',
]);
export const notForAWheel = problem.config((said: string) => [
  'WHEELS_OPTION_WRONG',
  `--wheels ${JSON.stringify(said.slice(0, 80))} is not NAME=WHAT`,
  'Name a wheel of the release file and what to take: --wheels ray=master, --wheels ray=owner:branch.',
]);
export const noSuchAction = problem.config((asked: string) => [
  'WORKER_ACTION_UNKNOWN',
  `"${asked}" is nothing that a worker is told`,
  'Type `slipway worker start --queues NAME`, `slipway worker drain NAME`, `slipway worker quarantine NAME`, `slipway worker release NAME`, `slipway worker deployments list`, `slipway worker deployments current BUILD` or `slipway worker deployments ramp BUILD --percent 10`.',
]);
export const wordNotForAction = problem.config((action: string, words: readonly string[]) => [
  'WORKER_OPTION',
  `\`slipway worker ${action}\` takes no ${words.join(', ')}`,
  'Take it away, then the same command again. docs/reference/cli.md says which action each option is of.',
]);
export const noQueues = problem.config((strange: readonly string[], known: readonly string[]) => [
  'WORKER_QUEUES',
  strange.length > 0 ? `there is no queue ${strange.join(', ')}` : 'no queue is named that the worker is to serve',
  `Name some of config/queues.yaml: \`slipway worker start --queues linux-x86_64\`. There are ${known.join(', ')}.`,
]);
export const unknownWorker = problem.config((asked: string, known: readonly string[]) => [
  'UNKNOWN_WORKER',
  asked === '' ? 'no worker is named' : `no worker called "${asked}" has announced itself in this store`,
  known.length === 0
    ? 'Type `slipway workers`.'
    : `Name one: ${known.slice(0, 6).join(', ')}${known.length > 6 ? ' …' : ''}.`,
]);
export const stepOrAll = problem.config(() => [
  'STEP_OR_ALL',
  'retry takes one of these: the id of a step, --all-failed, --from STEP',
  '`slipway status` shows which steps are held.',
]);
export const reasonMissing = problem.config((action: string) => [
  'REASON_MISSING',
  `${action} needs a reason: it is kept in the manifest and in the audit`,
  `Type it again with --reason 'why'.`,
]);
export const notAnAnswer = problem.config((given: string, answers: readonly string[]) => [
  'NOT_AN_ANSWER',
  `--on-hold ${given}: it is ${answers.join(' or ')}`,
  '`wait` watches on, `exit` leaves the run held and ends with 4, `fail` of `slipway run` lets a failed step end the run.',
]);
export const notAnExitList = problem.config((given: string, known: readonly string[]) => [
  'NOT_AN_EXIT_LIST',
  `--exit-as ${given}: it is ${known.join(' or ')}`,
  'Write `--exit-as ray` for the number of the worst failure, or `--exit-as buildkite` for 79 where another start is worth it.',
]);
export const waitsForNothing = problem.config(() => [
  'EXIT_AS_NOTHING',
  '--exit-as says how the run ended, and --no-wait does not wait for its end',
  'Take one of the two away.',
]);
export const notAPriority = problem.config((given: string) => [
  'NOT_A_PRIORITY',
  `--priority ${given}: it is a whole number from 1 to 5`,
  '1 goes before all others (a hotfix), 3 is ordinary, 5 is for what can wait (a nightly).',
]);
export const nothingInLedger = problem.config((asked: readonly (string | undefined)[], targets: readonly string[]) => [
  'NOTHING_IN_LEDGER',
  `the ledger has no line for ${asked.filter((word) => word !== undefined).join(' ')}`,
  targets.length > 0 ? `It knows ${targets.join(', ')}; \`slipway ledger\` lists all.` : 'It is empty.',
]);
export const noSigningKey = problem.config((gate: string, approvers: readonly string[]) => [
  'NO_SIGNING_KEY',
  `your SSH agent holds no key that may approve gate ${gate}`,
  `Name your private key with --key, or \`ssh-add\` it. May approve: ${approvers.join('; ') || 'anybody, with --unsigned'}.`,
]);
export const planNotStored = problem.config((run: string) => [
  'PLAN_NOT_STORED',
  `the plan of ${run} is not in this store`,
  'Say it where the run keeps its store: SLIPWAY_STORE names it.',
]);
export const noSuchHistoryAction = problem.config((action: string) => [
  'NO_SUCH_HISTORY_ACTION',
  `${JSON.stringify(action)} is not an action of \`slipway history\``,
  'Type `slipway history`, `slipway history --sql "select …"` or `slipway history rebuild`.',
]);
export const noSuchCodecAction = problem.config((action: string) => [
  'NO_SUCH_CODEC_ACTION',
  `codec does not know "${action}"`,
  'Type `slipway codec key`, or `slipway codec serve`.',
]);
export const noSuchPolicyAction = problem.config((action: string) => [
  'NO_SUCH_POLICY_ACTION',
  `policy does not know "${action}"`,
  'Type `slipway policy check`, `slipway policy explain FILE` or `slipway policy init FILE`.',
]);
export const notAPort = problem.config((said: string) => [
  'NOT_A_PORT',
  `"${said}" is no port`,
  'A port is a number from 0 to 65535; 0 is any that is free.',
]);
export const oneWay = problem.config(() => [
  'ONE_WAY',
  '--command and --exec say two different things to run',
  'Leave one of them out; without both a shell opens.',
]);
export const fleetMissing = problem.config(() => [
  'FLEET_MISSING',
  'nothing says how many workers there are',
  'Add --fleet fleet.yaml (config/fleet.yaml says what stands in one), or --workers 4 for every queue of the plan.',
]);
export const notACount = problem.config((option: string, given: string, example: string) => [
  'NOT_A_COUNT',
  `--${option} ${JSON.stringify(given.slice(0, 80))} is not what it takes`,
  `Write it as in ${example}.`,
]);
export const subjectMissing = problem.config(() => [
  'SUBJECT_MISSING',
  'why was asked about nothing',
  'Name a step, a part of its id, or what an import took or left out: `slipway why wheels/skiff`. `slipway status` shows the steps of a run; `slipway why SUBJECT FILE` asks before a run, and `slipway why config.PATH` where a setting is from.',
]);
export const whyRunAndFile = problem.config((run: string, file: string) => [
  'WHY_RUN_AND_FILE',
  `--run ${run} names a run, and ${file} names a release file`,
  'Take the file away to ask about the run, or --run to ask about a plan of the file.',
]);
export const noSettings = problem.config((where: string) => [
  'NO_SETTINGS',
  `${where} has no settings`,
  'Add the section `config` to the release file, or name another file or --run.',
]);
export const noSuchStep = problem.config((asked: string, where: string) => [
  'NO_SUCH_STEP',
  `${where} has no step and no imported thing that is called "${asked}", and left none out`,
  '`slipway plan` lists the steps; a part of an id does as well. Name the release file behind it to ask about a plan of the file: `slipway why SUBJECT FILE`.',
]);
