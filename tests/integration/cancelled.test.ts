/** @long @needs services */
import { Drill, isRoot, type Release } from '../drills/drill.js';
import { atGate, head, imageProject } from '../drills/project.js';

/** A test that waits at the gate, and puts its things in order when it is told to stop. */
const test = (gate: string, port: number): string =>
  `bash -c 'trap "echo in order; exit 0" TERM; ${atGate(gate, port)}; echo passed'`;

const file = (port: number): string => `${head('dory')}images:
  dory: { files: [Dockerfile, rootfs.tar], network: true }
tests:
  inside: { needs: [images/dory], in: image, network: true, run: ${JSON.stringify(test('inside', port))}, expect: passed }
  outside: { needs: [images/dory], in: host, network: true, run: ${JSON.stringify(test('outside', port))}, expect: passed }
steps:
  down: { after: [images/dory, tests/inside, tests/outside], network: true, run: ${JSON.stringify(`bash -c '${atGate('down', port)}'; echo tidied`)} }
publish:
  hub: { kind: oci, files: [images/dory], repository: drills/dory }
point:
  - { target: hub, name: latest, to: images/dory }
`;

// Why it may be skipped: only root starts an engine of our own, in which we can look for what is left.
(isRoot ? describe : describe.skip)('a release that is cancelled', () => {
  const drill = new Drill();
  let release: string;
  beforeAll(async () => {
    await drill.begin();
    release = await imageProject(drill.folder('dory'), 'dory', drill.gate.port, file(drill.gate.port));
  });
  afterAll(() => drill.end());

  const said = async (...args: readonly string[]): Promise<string> => {
    const child = drill.slipway(...args);
    await child.ended;
    return child.stdout() + child.stderr();
  };
  /** Nothing of it runs, what tidies up has run, and no pointer has moved. */
  const isOver = async (run: Release): Promise<void> => {
    drill.gate.open('down');
    expect(await run.ended).toBe(3);
    expect(await said('logs', 'steps/down')).toContain('tidied');
    expect(await drill.leftBehind()).toEqual([]);
    const tags = await fetch(`http://${drill.address('registry')}/v2/drills/dory/tags/list`);
    expect([tags.status, await tags.text()]).toEqual([404, expect.stringContaining('NAME_UNKNOWN')]);
  };

  it('given an image build, when it is cancelled, then the engine stops; a second cancel leaves cleanup steps alone', async () => {
    const run = drill.run(release);
    await drill.gate.holds('dory', 1);
    expect(await said('cancel', '--reason', 'wrong tag')).toContain('Asked');
    await Promise.all([drill.gate.holds('dory', 0), drill.gate.holds('down', 1)]);
    await said('cancel', '--reason', 'I said so');
    await drill.gate.holds('down', 1);
    expect(await said('status')).toMatch(/steps\/down\/?.*running|cancelling/);
    await isOver(run);
  });

  it('given tests in a container and outside, when it is cancelled, then both get TERM first and then end', async () => {
    drill.gate.open('dory');
    const run = drill.run(release);
    await Promise.all([drill.gate.holds('inside', 1), drill.gate.holds('outside', 1)]);
    await said('cancel');
    await Promise.all([drill.gate.holds('inside', 0), drill.gate.holds('outside', 0)]);
    await isOver(run);
    for (const place of ['inside', 'outside']) expect(await said('logs', `tests/${place}`)).toContain('in order');
  });
});
