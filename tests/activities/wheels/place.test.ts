import { placeOf } from '../../../src/activities/wheels/builders.js';
import type { ImageContainer } from '../../../src/activities/tests/ports.js';
import type { Body, Work } from '../../../src/activities/work.js';
import { aResult, aStep, newHome, runBody } from '../../support/run-body.js';

const where = { in: 'container', base: 'bases/x' } as const;
const image = {
  kind: 'image',
  digest: `sha256:${'0'.repeat(64)}`,
  name: 'x',
  size: 1,
  labels: { repository: 'bases/x' },
} as const;
const base = aResult({ id: 'bases/x', kind: 'makeBase' }, { artifacts: [image] });

/** Runs a line in a container that ends like this, and answers what the engine was asked for. */
async function inFakeContainer(exit: { code: number; timedOut: boolean }, line: string | readonly string[]) {
  const asked: ImageContainer[] = [];
  const containers = { run: async (one: ImageContainer) => (asked.push(one), await one.onOutput('said\n'), exit) };
  const body: Body<'takeSdist'> = async (work) => {
    const env = work.env({ JAVA_HOME: '/opt/jdk', CC: 'gcc' });
    const code = await placeOf(work as unknown as Work, where, containers, []).run(line, { cwd: work.folder, env });
    return { artifacts: [], note: String(code) };
  };
  const step = aStep('takeSdist', { project: 'skiff' });
  const surroundings = { service: () => '127.0.0.1:1' };
  const run = await runBody(body, step, { home: await newHome(), inputs: [base], surroundings });
  return { ...run, asked: asked[0]! };
}

test("given a container, then commands run by image digest, with the step's folders and without the host's JDK", async () => {
  const { made, asked, log } = await inFakeContainer({ code: 3, timedOut: false }, 'make');
  expect(made.note).toBe('3');
  expect(log).toContain('said');
  expect(asked).toMatchObject({ image: `127.0.0.1:1/bases/x@${image.digest}`, argv: ['sh', '-eu', '-c', 'make'] });
  expect(asked.env).toMatchObject({ CC: 'gcc' });
  expect(asked.env).not.toHaveProperty('JAVA_HOME');
  expect(asked.mounts.some(({ path, writable }) => writable && asked.cwd.startsWith(path))).toBe(true);
  expect((await inFakeContainer({ code: 0, timedOut: false }, ['auditwheel', 'repair'])).asked.argv).toEqual([
    'auditwheel',
    'repair',
  ]);
});

test('given a container ended at its limit, then the problem is LIMIT_REACHED', async () => {
  await expect(inFakeContainer({ code: 137, timedOut: true }, 'make')).rejects.toMatchObject({
    problems: [{ code: 'LIMIT_REACHED' }],
  });
});
