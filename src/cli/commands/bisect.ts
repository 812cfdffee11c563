import {
  bisectIdOf,
  DEFAULT_WAYS,
  givenFor,
  MOST_WAYS,
  type BisectInput,
  type BisectStatus,
} from '../../model/bisect.js';
import { NEWEST_ENGINE } from '../../model/engines.js';
import { fail } from '../../model/failure.js';
import { assertTriable, assertVariant } from '../../plan/probe.js';
import type { ReleaseClient, Started } from '../../client/index.js';
import { meantTest } from '../bisect/meant-test.js';
import { notWays } from '../bisect/errors.js';
import type { CommandSpec, ExitCode, Input, Io } from '../command.js';
import { hasNoWorker, requireClient } from '../find-run.js';
import type { Ports } from '../ports.js';
import { answerLines, LEGEND, triedLines } from '../screens/bisect.js';
import { sender } from '../send-action.js';

export const bisect: CommandSpec<Ports> = {
  name: 'bisect',
  summary: 'find the commit since which a test fails: runs of a pipeline at commits between a good and a bad one',
  arguments: [
    {
      name: '<test>',
      help: 'name of the test, as in the section tests, or of one variant, as `slipway tests` prints it',
    },
    { name: '[file]', help: 'release file of a pipeline, or its folder (default: slipway.yaml)' },
  ],
  options: [
    { flags: '--good <commit>', help: 'a commit at which it passed (default: of its last pass, by its standing)' },
    { flags: '--bad <commit>', help: 'a later commit at which it fails (default: of the first failure after that)' },
    { flags: '--ways <number>', help: 'commits tried at once', default: String(DEFAULT_WAYS) },
    { flags: '--profile <name>', help: 'addresses and credentials', default: 'local' },
    { flags: '--by <name>', help: 'who starts it (default: $SLIPWAY_BY, else your login)' },
    { flags: '--no-wait', help: 'start it and leave' },
    { flags: '--json', help: 'the last status as JSON' },
  ],
  async run({ args, options }, io, ports): Promise<ExitCode> {
    const asked = await inputOf(args, options, ports);
    await using client = await requireClient(ports);
    const { pipeline, ...input } = asked;
    const started = await client.startBisect(bisectIdOf({ ...input, pipeline }), input);
    const json = options['json'] === true;
    if (!json) io.err(`${started.existing ? 'Already running' : 'Started'}: ${started.workflowId}`);
    if (options['wait'] === false) {
      if (json) io.out(JSON.stringify(started));
      return 0;
    }
    return await follow(client, started, io, ports, json);
  },
};

/** Refuses bad input before anything starts. */
async function inputOf(args: Input['args'], options: Input['options'], ports: Ports) {
  const file = args['file'] ?? 'slipway.yaml';
  const profile = String(options['profile'] ?? 'local');
  const ways = Number(options['ways'] ?? DEFAULT_WAYS);
  if (!Number.isInteger(ways) || ways < 1 || ways > MOST_WAYS) throw fail(notWays(String(options['ways'])));
  const asked = args['test']!.replace(/^tests\//, '');
  const { test, ends } = await meantTest(asked, { file, profile }, options, ports);
  const { pipeline, commits, file: path } = await ports.bisectSpan(file, ends);
  const [good, bad] = [commits[0]!, commits.at(-1)!];
  // Planning a try now reports an unknown test at once, and adds the file to those that the control worker may read.
  const probe = { test, commit: bad, label: `bisect-${bad.slice(0, 8)}` };
  const { plan } = await ports.submit(file, profile, givenFor(probe));
  assertTriable(plan);
  assertVariant(plan, test);
  const by = sender(options, ports);
  const who = by === undefined ? {} : { by };
  const input: BisectInput = { ...{ file: path, profile, test, good, bad, ways, engine: NEWEST_ENGINE }, ...who };
  return { ...input, pipeline };
}

const LOOK_AGAIN_MS = 2000;
const MOST_SILENT_LOOKS = 15;

/** Prints each commit whose tries have changed, then the answer. Ctrl-C leaves the bisect alone. */
async function follow(
  client: ReleaseClient,
  { workflowId, run }: Started,
  io: Io,
  ports: Ports,
  json: boolean,
): Promise<ExitCode> {
  const interrupted = ports.interrupt();
  const told = new Set<string>();
  let silentLooks = 0;
  for (;;) {
    const status = await client.bisectStatus(workflowId, run).catch((error: unknown) => {
      // A busy worker answers late. The bisect itself goes on.
      if (!hasNoWorker(error) || (silentLooks += 1) >= MOST_SILENT_LOOKS) throw error;
      return null;
    });
    if (status !== null) {
      silentLooks = 0;
      if (!json) tell(status, told, io);
      if (status.answer !== undefined) return end(status, io, json);
    }
    if (interrupted.aborted) break;
    await pause(interrupted);
  }
  io.err(
    `Detached: ${workflowId} goes on. The same command comes back to it; \`slipway cancel --run ${workflowId}\` ends it.`,
  );
  return 1;
}

function tell(status: BisectStatus, told: Set<string>, io: Io): void {
  if (told.size === 0 && status.tried.length > 0) io.err(LEGEND);
  for (const line of triedLines(status)) {
    if (told.has(line) || line.includes('…')) continue;
    told.add(line);
    io.err(line);
  }
}

function end(status: BisectStatus, io: Io, json: boolean): ExitCode {
  const answer = status.answer!;
  if (json) io.out(JSON.stringify(status));
  else io.out([...triedLines(status), ...answerLines(answer, status)].join('\n'));
  return answer.answer === 'blamed' || answer.answer === 'span' ? 0 : 1;
}

const pause = (interrupted: AbortSignal): Promise<void> =>
  new Promise((done) => {
    const timer = setTimeout(done, LOOK_AGAIN_MS);
    interrupted.addEventListener('abort', () => (clearTimeout(timer), done()), { once: true });
  });
