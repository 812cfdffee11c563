/** @needs tools */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expanded } from '../../../src/adapters/facts/expanded.js';
import { gatherFacts, planWithRows } from '../../../src/adapters/facts/index.js';
import type { Plan } from '../../../src/model/plan.js';
import { aWheelList, sdist, type WheelListWorld } from '../../support/a-wheel-list.js';

const FILE = `
slipway: 1
pipeline: { name: boats, label: X1 }
platforms:
  debian-12: { like: linux-x86_64, libc: '2.36', base: debian-12 }
  debian-13: { like: linux-x86_64, libc: '2.41', base: debian-13 }
bases:
  debian-12: { debian: bookworm, python: own, packages: [libown-dev], bindep: [constraints, asked] }
  debian-13: { debian: trixie, python: own, bindep: [constraints] }
wheels:
  constraints:
    import: wheel-list
    git: requirements
    file: uc.txt
    bindep: bindep.txt
    rows: [{ branch: master, for: { debian-12: [cp311], debian-13: [cp313] } }]
    with: { oars: { packages: [libwood-dev] } }
  asked:
    import: wheel-list
    git: requirements
    file: uc.txt
    bindep: more.txt
    rows: [{ branch: master, for: { debian-12: [cp311], debian-13: [cp313] } }]
    only: [none]
`;
const LIST = 'skiff==1.0\noars==2\n';
const BINDEP = `libsea-dev [platform:dpkg compile]
libmast-dev [platform:debian-13]
sea-devel [platform:rpm compile]
seaserver [platform:dpkg test]
`;

let world: WheelListWorld;
beforeEach(async () => {
  world = await aWheelList(FILE);
  world.commit(LIST, { 'bindep.txt': BINDEP, 'more.txt': 'libasked-dev\n' });
  world.index.project('skiff', [sdist('skiff-1.0.tar.gz')]);
  world.index.project('oars', [sdist('oars-2.tar.gz')]);
});
afterEach(() => world.end());

/** Libraries among the packages of each base. */
const librariesOf = ({ steps }: Plan) =>
  Object.fromEntries(
    steps.flatMap(({ id, kind, params }) => {
      if (kind !== 'makeBase' || !('debian' in params.from)) return [];
      return [[id, params.from.packages.filter((name) => name.startsWith('lib'))]];
    }),
  );

test('given bindep files, each base has the packages of its distribution, and a recipe adds its own for one wheel', async () => {
  const { plan } = await planWithRows(world.file, 'local');
  expect(librariesOf(plan)).toEqual({
    'bases/of-platform/debian-12': ['libasked-dev', 'libown-dev', 'libsea-dev'],
    'bases/of-platform/debian-13': ['libmast-dev', 'libsea-dev'],
    'bases/wheels-oars-2/debian-12': ['libasked-dev', 'libown-dev', 'libsea-dev', 'libwood-dev'],
    'bases/wheels-oars-2/debian-13': ['libmast-dev', 'libsea-dev', 'libwood-dev'],
  });
  const base = (id: string): unknown => plan.steps.find((step) => step.id === id)!.needs;
  expect(base('wheels/skiff-1.0/cp311/debian-12')).toContain('bases/of-platform/debian-12');
  expect(base('wheels/oars-2/cp311/debian-12')).toContain('bases/wheels-oars-2/debian-12');
});

test('given another line in a bindep file, the base differs, and the wheels built in it are tried anew', async () => {
  const { plan } = await planWithRows(world.file, 'local');
  world.commit(LIST, { 'bindep.txt': `${BINDEP}libkeel-dev [platform:debian-12 compile]\n` });
  const { plan: after } = await planWithRows(world.file, 'local');
  const changed = after.steps.flatMap(({ id, params }) => {
    const before = plan.steps.find((step) => step.id === id)!;
    return JSON.stringify(before.params) === JSON.stringify(params) ? [] : [id];
  });
  expect(changed).toEqual(['bases/of-platform/debian-12', 'bases/wheels-oars-2/debian-12']);
});

test('given the facts of a plan, or its expanded text, then the bases are the same without the repository', async () => {
  const { source } = await gatherFacts(world.file, 'local');
  const { plan } = await planWithRows(world.file, 'local');
  const text = await expanded(world.file, 'local', undefined, null);
  rmSync(join(world.folder, 'requirements'), { recursive: true });
  rmSync(join(world.folder, 'home'), { recursive: true });
  expect((await planWithRows(world.file, 'local', undefined, undefined, source)).plan.steps).toEqual(plan.steps);
  expect(text).not.toContain('bindep');
  writeFileSync(world.file, text);
  expect((await planWithRows(world.file, 'local')).plan.steps).toEqual(plan.steps);
});
