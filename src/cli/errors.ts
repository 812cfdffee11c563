import type { Problem } from '../model/failure.js';
import { LABEL_RULE } from '../model/label.js';

export const servicesDown = (): Problem => ({
  code: 'SERVICES_DOWN',
  class: 'infra',
  message: 'no Temporal server: nothing is up on this machine and TEMPORAL_ADDRESS is not set',
  next: 'Type `slipway up`, then the same command again; `slipway doctor` tells what is missing.',
});

export const noRuns = (): Problem => ({
  code: 'NO_RUNS',
  class: 'config',
  message: 'there is no run yet, neither on the Temporal server nor in the store',
  next: 'Type `slipway run <file>` to start one.',
});

export const unknownRun = (asked: string): Problem => ({
  code: 'UNKNOWN_RUN',
  class: 'config',
  message: `no run is called "${asked}"`,
  next: 'Name a workflow (`rehearsal/NAME/VERSION`), a pipeline (`pipeline/NAME`) or the first digits of a run id; `slipway status` shows the newest.',
});

export const runIsClosed = (workflowId: string): Problem => ({
  code: 'RUN_IS_CLOSED',
  class: 'config',
  message: `${workflowId} has ended: there is nothing to cancel`,
  next: 'Type `slipway status` to see how it ended. This is the newest run of all; `--run rehearsal/NAME/VERSION` means another.',
});

export const noArtifact = (name: string, run: string): Problem => ({
  code: 'NO_ARTIFACT',
  class: 'config',
  message: `run ${run} made no artifact called "${name}"`,
  next: 'Type `slipway artifacts` for the names; a digest or its first digits do as well. This is the newest run of all; `--run rehearsal/NAME/VERSION` means another.',
});

export const manyArtifacts = (name: string, digests: readonly string[]): Problem => ({
  code: 'MANY_ARTIFACTS',
  class: 'config',
  message: `${digests.length} artifacts of different bytes are called "${name}"`,
  next: `Name one by its digest: ${digests.join(', ')}.`,
});

export const folderTaken = (folder: string): Problem => ({
  code: 'EXPORT_FOLDER_TAKEN',
  class: 'config',
  message: `${JSON.stringify(folder)} is no new or empty folder`,
  next: 'Nothing was written. Name a folder that does not exist yet: `slipway artifacts export -o run-1`.',
});

export const imageIsStaged = (name: string, digest: string): Problem => ({
  code: 'IMAGE_IS_STAGED',
  class: 'config',
  message: `${name} is an image: it lives in the staging registry, not in the store`,
  next: `Pull it by digest: \`docker pull <staging registry>/<repository>@${digest}\`; \`slipway doctor\` tells the address.`,
});

export const notAPrevious = (path: string, why: string): Problem => ({
  code: 'NOT_A_PREVIOUS_RELEASE',
  class: 'config',
  message: `${path} is neither a plan nor a manifest: ${why}`,
  next: 'Name the output of `slipway plan --json`, or the manifest of a release (`slipway artifacts`).',
});

export const unexpected = (error: unknown): Problem => ({
  code: 'UNEXPECTED',
  class: 'bug',
  message: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
  next: 'This is a defect of Slipway. Run the command again with SLIPWAY_DEBUG=1 and report what it prints.',
});

export const diskFullHere = (message: string): Problem => ({
  code: 'DISK_FULL',
  class: 'infra',
  message: `the disk is full: ${message}`,
  next: 'Free space on that disk, or move the home (`SLIPWAY_HOME`); then type the same command again.',
});

export const notPermitted = (message: string): Problem => ({
  code: 'NOT_PERMITTED',
  class: 'infra',
  message: `the system does not permit it: ${message}`,
  next: 'Make the file system writable and give your user the right, or move the home (`SLIPWAY_HOME`); then type the same command again.',
});

export const noLog = (asked: string, run: string, known: readonly string[]): Problem => ({
  code: 'NO_LOG',
  class: 'config',
  message: `no step of run ${run} that is called "${asked}" has begun`,
  next:
    known.length === 0
      ? 'No step of this run has printed anything yet; `slipway status` shows where it stands.'
      : 'Type `slipway logs` for the steps that have a log.',
});

export const manySteps = (asked: string, steps: readonly string[]): Problem => ({
  code: 'MANY_STEPS',
  class: 'config',
  message: `"${asked}" is part of the ids of ${steps.length} steps`,
  next: `Name one: ${steps.slice(0, 6).join(', ')}${steps.length > 6 ? ' …' : ''}.`,
});

export const noAttempt = (step: string, attempt: string, attempts: readonly number[]): Problem => ({
  code: 'NO_ATTEMPT',
  class: 'config',
  message: `${step} has no log of ${attempt === 'any' ? 'any attempt' : `attempt ${attempt}`}`,
  next:
    attempts.length === 0 ? 'Its log is in another store, or was removed.' : `It has attempts ${attempts.join(', ')}.`,
});

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

export const notAPreset = (value: string): Problem => ({
  code: 'PRESET_INVALID',
  class: 'config',
  message: `--preset ${JSON.stringify(value.slice(0, 80))} is no name of a preset`,
  next: 'Write names with commas between them: --preset small,nightly.',
});

export const notASetting = (value: string): Problem => ({
  code: 'SETTING_INVALID',
  class: 'config',
  message: `--set ${JSON.stringify(value.slice(0, 80))} is no path and value`,
  next: "Write --set service.port=8080, and quote what the shell would read: --set 'list=[1, 2]'.",
});

export const notALabel = (value: string): Problem => ({
  code: 'LABEL_INVALID',
  class: 'config',
  message: `--label ${JSON.stringify(value.slice(0, 80))} is no label: ${LABEL_RULE}`,
  next: 'Give a text such as `--label nightly-2`, or one of the words commit, date and minute.',
});

export const notForAWheel = (said: string): Problem => ({
  code: 'WHEELS_OPTION_WRONG',
  class: 'config',
  message: `--wheels ${JSON.stringify(said.slice(0, 80))} is not NAME=WHAT`,
  next: 'Name a wheel of the release file and what to take: --wheels ray=master, --wheels ray=owner:branch.',
});

export const noSuchAction = (asked: string): Problem => ({
  code: 'WORKER_ACTION_UNKNOWN',
  class: 'config',
  message: `"${asked}" is nothing that a worker is told`,
  next: 'Type `slipway worker start --queues NAME`, `slipway worker drain NAME`, `slipway worker quarantine NAME` or `slipway worker release NAME`.',
});

export const noQueues = (strange: readonly string[], known: readonly string[]): Problem => ({
  code: 'WORKER_QUEUES',
  class: 'config',
  message:
    strange.length > 0 ? `there is no queue ${strange.join(', ')}` : 'no queue is named that the worker is to serve',
  next: `Name some of config/queues.yaml: \`slipway worker start --queues linux-x86_64\`. There are ${known.join(', ')}.`,
});

export const unknownWorker = (asked: string, known: readonly string[]): Problem => ({
  code: 'UNKNOWN_WORKER',
  class: 'config',
  message: asked === '' ? 'no worker is named' : `no worker called "${asked}" has announced itself in this store`,
  next:
    known.length === 0
      ? 'Type `slipway workers`.'
      : `Name one: ${known.slice(0, 6).join(', ')}${known.length > 6 ? ' …' : ''}.`,
});

export const stepOrAll = (): Problem => ({
  code: 'STEP_OR_ALL',
  class: 'config',
  message: 'retry takes one of these: the id of a step, --all-failed, --from STEP',
  next: '`slipway status` shows which steps are held.',
});

export const reasonMissing = (action: string): Problem => ({
  code: 'REASON_MISSING',
  class: 'config',
  message: `${action} needs a reason: it is kept in the manifest and in the audit`,
  next: `Type it again with --reason 'why'.`,
});

export const notAnAnswer = (given: string): Problem => ({
  code: 'NOT_AN_ANSWER',
  class: 'config',
  message: `--on-hold ${given}: it is wait, exit or fail`,
  next: '`wait` watches on, `exit` leaves the run held and ends with 4, `fail` lets a failed step end the run.',
});

export const notAnExitList = (given: string, known: readonly string[]): Problem => ({
  code: 'NOT_AN_EXIT_LIST',
  class: 'config',
  message: `--exit-as ${given}: it is ${known.join(' or ')}`,
  next: 'Write `--exit-as ray` for the number of the worst failure, or `--exit-as buildkite` for 79 where another start is worth it.',
});

export const waitsForNothing = (): Problem => ({
  code: 'EXIT_AS_NOTHING',
  class: 'config',
  message: '--exit-as says how the run ended, and --no-wait does not wait for its end',
  next: 'Take one of the two away.',
});

export const notAPriority = (given: string): Problem => ({
  code: 'NOT_A_PRIORITY',
  class: 'config',
  message: `--priority ${given}: it is a whole number from 1 to 5`,
  next: '1 goes before all others (a hotfix), 3 is ordinary, 5 is for what can wait (a nightly).',
});

export const nothingInLedger = (asked: readonly (string | undefined)[], targets: readonly string[]): Problem => ({
  code: 'NOTHING_IN_LEDGER',
  class: 'config',
  message: `the ledger has no line for ${asked.filter((word) => word !== undefined).join(' ')}`,
  next: targets.length > 0 ? `It knows ${targets.join(', ')}; \`slipway ledger\` lists all.` : 'It is empty.',
});

export const noSigningKey = (gate: string, approvers: readonly string[]): Problem => ({
  code: 'NO_SIGNING_KEY',
  class: 'config',
  message: `your SSH agent holds no key that may approve gate ${gate}`,
  next: `Name your private key with --key, or \`ssh-add\` it. May approve: ${approvers.join('; ') || 'anybody, with --unsigned'}.`,
});

export const planNotStored = (run: string): Problem => ({
  code: 'PLAN_NOT_STORED',
  class: 'config',
  message: `the plan of ${run} is not in this store`,
  next: 'Say it where the run keeps its store: SLIPWAY_STORE names it.',
});

export const noSuchHistoryAction = (action: string): Problem => ({
  code: 'NO_SUCH_HISTORY_ACTION',
  class: 'config',
  message: `${JSON.stringify(action)} is not an action of \`slipway history\``,
  next: 'Type `slipway history`, `slipway history --sql "select …"` or `slipway history rebuild`.',
});

export const noSuchCodecAction = (action: string): Problem => ({
  code: 'NO_SUCH_CODEC_ACTION',
  class: 'config',
  message: `codec does not know "${action}"`,
  next: 'Type `slipway codec key`, or `slipway codec serve`.',
});

export const noSuchPolicyAction = (action: string): Problem => ({
  code: 'NO_SUCH_POLICY_ACTION',
  class: 'config',
  message: `policy does not know "${action}"`,
  next: 'Type `slipway policy check`, `slipway policy explain FILE` or `slipway policy init FILE`.',
});

export const notAPort = (said: string): Problem => ({
  code: 'NOT_A_PORT',
  class: 'config',
  message: `"${said}" is no port`,
  next: 'A port is a number from 0 to 65535; 0 is any that is free.',
});

export const oneWay = (): Problem => ({
  code: 'ONE_WAY',
  class: 'config',
  message: '--command and --exec say two different things to run',
  next: 'Leave one of them out; without both a shell opens.',
});

export const fleetMissing = (): Problem => ({
  code: 'FLEET_MISSING',
  class: 'config',
  message: 'nothing says how many workers there are',
  next: 'Add --fleet fleet.yaml (config/fleet.yaml says what stands in one), or --workers 4 for every queue of the plan.',
});

export const notACount = (option: string, given: string, example: string): Problem => ({
  code: 'NOT_A_COUNT',
  class: 'config',
  message: `--${option} ${JSON.stringify(given.slice(0, 80))} is not what it takes`,
  next: `Write it as in ${example}.`,
});

export const whyRunAndFile = (run: string, file: string): Problem => ({
  code: 'WHY_RUN_AND_FILE',
  class: 'config',
  message: `--run ${run} names a run, and ${file} names a release file`,
  next: 'Take the file away to ask about the run, or --run to ask about a plan of the file.',
});

export const noSettings = (where: string): Problem => ({
  code: 'NO_SETTINGS',
  class: 'config',
  message: `${where} has no settings`,
  next: 'Add the section `config` to the release file, or name another file or --run.',
});

export const noSuchStep = (asked: string, where: string): Problem => ({
  code: 'NO_SUCH_STEP',
  class: 'config',
  message: `${where} has no step and no imported thing that is called "${asked}", and left none out`,
  next: '`slipway plan` lists the steps; a part of an id does as well. Name the release file behind it to ask about a plan of the file: `slipway why SUBJECT FILE`.',
});
