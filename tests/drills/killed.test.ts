/** @long @needs services */
import { Drill, isRoot, type Release } from './drill.js';
import { holdWrites } from './hold-writes.js';
import { imageProject, wheelProject } from './project.js';

/** All services under a real supervisor. What is killed gets KILL, and nothing is told to recover: it must. */
const drill = new Drill();
beforeAll(() => drill.begin());
afterAll(() => drill.end());
afterEach(async () => {
  expect(await drill.leftBehind()).toEqual([]);
  expect(drill.sentTwice(wheels)).toEqual([]);
});

let wheels = 0;
const aWheel = (name: string): Release => {
  wheels += 1;
  return drill.run(wheelProject(drill.folder(name), name, drill.gate.port));
};
const anImage = async (name: string): Promise<Release> =>
  drill.run(await imageProject(drill.folder(name), name, drill.gate.port));

test('when the worker dies during a wheel and an image build, and then Temporal, then the release ends well', async () => {
  const wheel = aWheel('skiff');
  const image = await anImage('barge');
  await Promise.all([drill.gate.holds('skiff', 1), drill.gate.holds('barge', 1)]);

  const again = drill.kill('worker-linux-x86_64');
  // Both builds go with the worker: programs by their runner, the engine's work by the closed connection.
  await Promise.all([drill.gate.holds('skiff', 0), drill.gate.holds('barge', 0)]);
  await again;
  await Promise.all([drill.gate.holds('skiff', 1), drill.gate.holds('barge', 1)]);
  drill.gate.open('skiff');

  await drill.kill('temporal');
  drill.gate.open('barge');
  drill.gate.open('barge-test');
  await Promise.all([wheel.endsWell(), image.endsWell()]);
  // Deliveries of the same attempt: nothing failed that the file would have to allow for.
  expect([...wheel.attempts(), ...image.attempts()].filter((attempt) => attempt > 1)).toEqual([]);
});

/** Only root starts an engine of our own, which may be killed. */
const whereOurs = (name: string, body: () => Promise<void>): void => {
  if (isRoot) test(name, body);
};

whereOurs(
  'when the Docker engine dies during an image build and a test in the image, then the release ends well',
  async () => {
    const image = await anImage('yawl');
    await drill.gate.holds('yawl', 1);
    const again = drill.kill('docker');
    await image.triesAgain('images/', { code: 'DOCKER_UNREACHABLE' });
    await again;
    await drill.gate.holds('yawl', 1);
    drill.gate.open('yawl');

    await drill.gate.holds('yawl-test', 1);
    // The container of the dead engine goes before the next one comes, which this gate would hold too.
    const gone = drill.gate.holds('yawl-test', 0);
    const onceMore = drill.kill('docker');
    await image.triesAgain('tests/', { code: 'DOCKER_UNREACHABLE' });
    await Promise.all([gone, onceMore]);
    drill.gate.open('yawl-test');
    await image.endsWell();
  },
);

test('when the Python index dies during a watched upload, then the release ends well', async () => {
  const wheel = aWheel('punt');
  // Its database takes no writes from right before the upload on: one that has begun cannot end before the kill.
  let writes: Awaited<ReturnType<typeof holdWrites>> | undefined;
  drill.points.ask(async ({ step, phase }) => {
    if (step.startsWith('publish/') && phase === 'before') writes ??= await holdWrites(drill.home);
  });
  drill.gate.open('punt');
  await wheel.reaches('publish/', 'running');
  const log = drill.slipway('logs', 'publish/index', '--follow');
  await drill.until('an upload', () => log.stdout().includes('Uploading punt'));
  const again = drill.kill('devpi');
  await wheel.triesAgain('publish/');
  await writes!.release();
  await again;
  await wheel.endsWell();
  await drill.until('both attempts in one log', () => /attempt 1 [^]*attempt 2 /.test(log.stdout()));
});

test('when the supervisor and then a worker die, then `slipway up` restarts them and the release ends well', async () => {
  const wheel = aWheel('canoe');
  await drill.gate.holds('canoe', 1);
  await drill.killSupervisor();
  await drill.killForGood('worker-linux-x86_64');
  await drill.gate.holds('canoe', 0);
  await drill.up();
  await drill.gate.holds('canoe', 1);
  drill.gate.open('canoe');
  await wheel.endsWell();
});
