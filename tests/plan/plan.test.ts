/** @slow */
import { fc } from '../support/fixed-seed.js';
import { parse, stringify } from 'yaml';
import { digestOf } from '../../src/model/digest.js';
import { planFault } from '../../src/model/schema/plan.js';
import { topological, skeletonOf } from '../../src/plan/skeleton.js';
import { bundleOf, HEAD, idsOf, planOf, sha256, someFacts, stepOf } from './a-plan.js';

const FULL = `${HEAD}deps:
  build: { requires: ['setuptools>=61'], cutoff: 2026-11-01 }
sdists:
  skiff: { from: source }
wheels:
  skiff:
    needs: [sdists/skiff, deps/build]
    overlay: overlay
    prepare: { run: python setup.py build, normalise: ['*.jar'] }
    tools: [java]
jars:
  skiff: {}
bases:
  jre: { debian: bookworm, packages: [python3] }
images:
  skiff: { base: jre, needs: ['deps/build[python=cp311]', 'wheels/skiff[python=cp311]', jars/skiff], files: [Dockerfile] }
tests:
  venv: { needs: [deps/build, wheels/skiff], run: 'python {files}/smoke.py', expect: 'skiff {version}', timeout: 2m }
  image: { needs: [images/skiff], in: image, run: skiff, expect: 'skiff {version}' }
publish:
  index: { kind: python, files: ['wheels/*', sdists/skiff], verify: python -c 'import skiff' }
  maven: { kind: maven, files: [jars/skiff] }
  hub: { kind: oci, files: [images/skiff], repository: a/skiff }
point:
  - { target: hub, name: latest, to: images/skiff }
`;

const SHIPS = 'sdists: { skiff: { from: source } }\npublish: { index: { kind: python, files: [sdists/skiff] } }';

describe('axes and joins', () => {
  test('given deps and wheels, then each has a variant for each Python and platform, joined on equal axes', () => {
    const made = planOf(FULL);
    expect(idsOf(made, 'wheels')).toEqual(['wheels/skiff/cp311/linux-x86_64', 'wheels/skiff/cp312/linux-x86_64']);
    expect(stepOf(made, 'wheels/skiff/cp312/linux-x86_64').needs).toEqual([
      'sdists/skiff',
      'deps/build/cp312/linux-x86_64',
      'prepare/skiff',
    ]);
  });

  test('given a need that picks one variant, then the image inherits the platform and not the pick', () => {
    const { needs, axes } = stepOf(planOf(FULL), 'images/skiff/linux-x86_64');
    expect(axes).toEqual({ platform: 'linux-x86_64' });
    expect(needs).toEqual([
      'deps/build/cp311/linux-x86_64',
      'wheels/skiff/cp311/linux-x86_64',
      'jars/skiff',
      'bases/jre',
    ]);
  });

  test('given an image without built inputs, then it needs the source, which sets its time', () => {
    const made = planOf(`${HEAD}images: { skiff: {} }\n`);
    expect(stepOf(made, 'images/skiff/linux-x86_64').needs).toEqual(['source/skiff']);
  });

  test('given a build step, then it needs the source, unless it needs an sdist', () => {
    const made = planOf(
      `${HEAD}sdists: { skiff: {} }\nwheels: { a: { python: none }, b: { python: none, needs: [sdists/skiff] } }\n`,
    );
    expect(stepOf(made, 'wheels/a/linux-x86_64').needs).toEqual(['source/skiff']);
    expect(stepOf(made, 'wheels/b/linux-x86_64').needs).toEqual(['sdists/skiff']);
  });

  test('given a need with [*], then it needs every variant and inherits no axis', () => {
    const made = planOf(`${HEAD}wheels: { skiff: {} }\nsteps:\n  all: { run: ls, needs: ['wheels/skiff[*]'] }\n`);
    expect(stepOf(made, 'steps/all').needs).toEqual([
      'wheels/skiff/cp311/linux-x86_64',
      'wheels/skiff/cp312/linux-x86_64',
      'source/skiff',
    ]);
  });

  test('given `python: none`, then there is no Python axis', () => {
    expect(idsOf(planOf(`${HEAD}wheels:\n  skiff: { python: none }\n`), 'wheels')).toEqual([
      'wheels/skiff/linux-x86_64',
    ]);
  });

  test('given exclude and include, then exclude removes partial matches and include adds a variant', () => {
    const made = planOf(
      `${HEAD}steps:\n  x: { run: 'true', matrix: { a: [p, q], b: [r, s] }, exclude: [{ a: p }], include: [{ a: t, b: u }] }\n`,
    );
    expect(idsOf(made, 'steps')).toEqual(['steps/x/q/r', 'steps/x/q/s', 'steps/x/t/u']);
  });

  test('given a dropped variant, then steps that need it are dropped with its reason, and steps that want it stay', () => {
    const made = planOf(
      `${HEAD}deps:\n  build: { requires: [x], skip: { cp312: no wheels there } }\nwheels:\n  skiff: { needs: [deps/build] }\n`,
    );
    expect(made.dropped).toEqual([
      { id: 'deps/build/cp312/linux-x86_64', because: 'deps.build.skip: no wheels there' },
      {
        id: 'wheels/skiff/cp312/linux-x86_64',
        because: 'needs deps/build/cp312/linux-x86_64, which is left out: deps.build.skip: no wheels there',
      },
    ]);
    expect(stepOf(made, 'seal/manifest').wants).not.toContain('wheels/skiff/cp312/linux-x86_64');
  });

  test("given platforms, then each has its queue, and {native} is the platform's folder", () => {
    const made = planOf(
      `${HEAD.replace('[linux-x86_64]', '[linux-x86_64, linux-aarch64]')}steps:\n  x: { run: 'cp {native}', matrix: { platform: [linux-aarch64] } }\n`,
    );
    expect(stepOf(made, 'steps/x/linux-aarch64')).toMatchObject({
      on: 'linux-aarch64',
      params: { run: 'cp "${SLIPWAY_NATIVE}"', vars: { SLIPWAY_NATIVE: 'linux-aarch_64' } },
    });
  });
});

describe('edges', () => {
  const made = planOf(FULL);
  const proofs = idsOf(made, 'prove');

  test('given steps without needs, then they wait for every proof', () => {
    const first = made.steps.filter((step) => step.needs.length === 0 && !['prove', 'report'].includes(step.stage));
    expect(first.map((step) => step.id)).toContain('source/skiff');
    for (const step of first) expect(step.wants).toEqual(expect.arrayContaining([...proofs]));
  });

  test('given a step that uses tools, then it wants the toolchain of its queue', () => {
    const step = stepOf(made, 'wheels/skiff/cp311/linux-x86_64');
    expect(step.toolchain).toBe('prove/queue/linux-x86_64');
    expect(step.wants).toContain('prove/queue/linux-x86_64');
  });

  test('given a release, then the seal wants every build and test, and less reversible targets are published last', () => {
    const built = made.steps
      .filter((step) => ['source', 'deps', 'sdists', 'wheels', 'jars', 'images', 'tests'].includes(step.stage))
      .map((step) => step.id);
    expect(stepOf(made, 'seal/manifest').wants).toEqual(expect.arrayContaining(built));
    const last = stepOf(made, 'publish/index/sdists.skiff');
    expect(last.needs).toEqual(['sdists/skiff', 'seal/manifest', 'attest/release']);
    expect([...last.wants].sort()).toEqual(idsOf(made, 'publish').filter((id) => id !== last.id));
    expect(stepOf(made, 'publish/hub/images.skiff.linux-x86_64').wants).toEqual([]);
  });

  test('given publishing, then each Python has a verification, and pointers want all verifications', () => {
    expect(idsOf(made, 'verify')).toEqual([
      'verify/hub/all',
      'verify/index/cp311',
      'verify/index/cp312',
      'verify/maven/all',
    ]);
    expect(stepOf(made, 'verify/index/cp311')).toMatchObject({
      params: { python: 'cp311', of: ['sdists/skiff', 'wheels/skiff/cp311/linux-x86_64'].sort().reverse() },
    });
    const point = stepOf(made, 'point/hub/latest');
    expect(point.wants).toEqual(expect.arrayContaining([...idsOf(made, 'verify')]));
    expect(point.needs).toEqual(['images/skiff/linux-x86_64', 'publish/hub/images.skiff.linux-x86_64']);
  });

  test('given any plan, then the report runs after every other step', () => {
    expect([...stepOf(made, 'report/run').after].sort()).toEqual(
      made.steps
        .map((step) => step.id)
        .filter((id) => id !== 'report/run')
        .sort(),
    );
  });

  test("given a target that needs another target's verification, then it waits for it", () => {
    const text = `${HEAD}wheels: { skiff: {} }\npublish:\n  a-stage: { kind: python, files: [wheels/skiff] }\n  z-live: { kind: python, files: [wheels/skiff], needs: [verify/a-stage] }\n`;
    expect(stepOf(planOf(text), 'publish/z-live/wheels.skiff.cp311.linux-x86_64').needs).toEqual([
      'wheels/skiff/cp311/linux-x86_64',
      'seal/manifest',
      'attest/release',
      'verify/a-stage/cp311',
      'verify/a-stage/cp312',
    ]);
  });

  test('given any plan, then every edge names another step', () => {
    const ids = new Set(made.steps.map((step) => step.id));
    const edges = made.steps.flatMap((step) =>
      [...step.needs, ...step.wants, ...step.after].map((id) => [step.id, id]),
    );
    expect(edges.filter(([from, to]) => from === to || !ids.has(to!))).toEqual([]);
  });
});

describe('steps', () => {
  const made = planOf(FULL);

  test('given a step that reads files, then `files` lists exactly those of the bundle', () => {
    expect(stepOf(made, 'tests/venv/cp311/linux-x86_64').files).toEqual(['smoke.py']);
    expect(stepOf(made, 'wheels/skiff/cp311/linux-x86_64').files).toEqual(['overlay/']);
    expect(stepOf(made, 'images/skiff/linux-x86_64').files).toEqual(['Dockerfile']);
  });

  test('given placeholders, then texts are filled at plan time, and shell lines use variables', () => {
    expect(stepOf(made, 'tests/venv/cp312/linux-x86_64').params).toMatchObject({
      run: 'python "${SLIPWAY_FILES}"/smoke.py',
      expect: 'skiff 1.0',
      python: 'cp312',
    });
    const shell = planOf(`${HEAD}steps:\n  x: { run: 'echo \${HOME} {{version}} {version} {out}' }\n`);
    expect(stepOf(shell, 'steps/x').params).toMatchObject({
      run: 'echo ${HOME} {version} "${SLIPWAY_VERSION}" "${SLIPWAY_OUT}"',
      vars: { SLIPWAY_VERSION: '1.0' },
    });
  });

  test('given packages, then the step has its own base and runs in a container', () => {
    const housed = planOf(`${HEAD}wheels:\n  skiff: { packages: [libssl-dev] }\n`);
    const base = stepOf(housed, 'bases/wheels-skiff');
    expect(base.params).toMatchObject({
      name: 'wheels-skiff',
      from: { debian: 'bookworm', packages: expect.arrayContaining(['gcc', 'libssl-dev', 'libssl3']) },
    });
    const wheel = stepOf(housed, 'wheels/skiff/cp311/linux-x86_64');
    expect(wheel.params).toMatchObject({ where: { in: 'container', base: 'bases/wheels-skiff' } });
    expect(wheel.needs).toContain('bases/wheels-skiff');
  });

  test('given steps on several queues, then each proof asks for the tools and Pythons of its queue', () => {
    expect(stepOf(made, 'prove/queue/linux-x86_64').params).toMatchObject({
      tools: [
        ...['auditwheel', 'check-wheel-contents', 'docker', 'gcc', 'java', 'javac', 'mmdebstrap', 'mvn', 'patchelf'],
        ...['twine', 'uv'],
      ],
      pythons: ['cp311', 'cp312'],
    });
    expect(stepOf(made, 'prove/queue/control').params).toMatchObject({ tools: ['python', 'twine'], pythons: [] });
  });

  test('given retry budgets, then missing keys have defaults, and waits can be ranges', () => {
    const step = stepOf(
      planOf(`${HEAD}steps:\n  x: { run: 'true', retry: { infra: { times: 1, wait: 30m..90m } } }\n`),
      'steps/x',
    );
    expect(step.retry).toEqual({
      infra: { times: 1, waitMs: 1_800_000, waitToMs: 5_400_000, atMostMs: 5_400_000, togetherMs: 60_000 },
      lost: { times: 3, waitMs: 0, atMostMs: 0 },
    });
  });

  test('given a version from a file, then it is read from the commit', () => {
    const text = HEAD.replace("version: '1.0'", 'version: { file: v.py, match: \'version = "(.+)"\' }').replace(
      /sdist.*}/,
      'git: . }',
    );
    const git = {
      commit: 'c'.repeat(40),
      branch: 'main',
      epoch: 1735689600,
      files: { 'v.py': 'x = 1\nversion = "2.5"\n' },
    };
    expect(planOf(text, { git }).release.version).toBe('2.5');
  });

  test('given effects, then they are listed in publishing order with names and ways to undo them', () => {
    expect(made.effects.map(({ target, name, undo }) => `${target} ${name}: ${undo}`)).toEqual([
      'hub a/skiff:1.0: delete the tag; the digest stays',
      'maven jars/skiff (coordinates from its POM): delete',
      'index skiff-1.0-cp311-cp311-*_x86_64.whl: yank',
      'index skiff-1.0-cp312-cp312-*_x86_64.whl: yank',
      'index skiff-1.0.tar.gz: yank',
      'hub a/skiff:latest: move it back to the version before; only the newest stable version moves it',
    ]);
  });
});

test('given plans of every section, then each step matches the schema of its kind', () => {
  const housed = planOf(
    `${HEAD}tests:\n  t: { in: host, needs: [steps/x], run: x, expect: ok, packages: [file] }\nsteps: { x: { run: 'true' } }\nsdists: { skiff: {} }\n`,
  );
  expect([planFault(planOf(FULL)), planFault(housed)]).toEqual([null, null]);
});

describe('the same plan', () => {
  const shuffled = (value: unknown, order: () => number): unknown => {
    if (Array.isArray(value)) return value.map((one) => shuffled(one, order));
    if (value === null || typeof value !== 'object') return value;
    const entries = Object.entries(value).map(([key, member]) => [order(), key, shuffled(member, order)] as const);
    return Object.fromEntries(entries.sort(([a], [b]) => a - b).map(([, key, member]) => [key, member]));
  };

  test('given keys and bundle files in any order, then the digest is the same', () => {
    const wanted = digestOf(planOf(FULL), sha256);
    fc.assert(
      fc.property(fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })), (numbers) => {
        const order = (): number => numbers.next().value as number;
        const text = stringify(shuffled(parse(FULL), order), { aliasDuplicateObjects: false });
        const mixed = [...someFacts().bundle].sort(() => order() - 0.5);
        expect(digestOf(planOf(text, { bundle: mixed }), sha256)).toBe(wanted);
      }),
      { numRuns: 50 },
    );
  });

  const bundle = bundleOf(
    'slipway.yaml',
    'Dockerfile',
    'a/b.py',
    'a.pub',
    'notes.md',
    'profiles/live.yaml',
    'x.tar.gz',
  );
  const changed = (path: string) => ({
    bundle: bundle.map((file) => (file.path === path ? { ...file, digest: sha256('other') } : file)),
  });
  const isOther = (text: string, path: string): boolean =>
    digestOf(planOf(text, changed(path)), sha256) !== digestOf(planOf(text, { bundle }), sha256);

  test.each<[string, string, readonly string[]]>([
    ['no step reads a file', "steps: { x: { run: 'true' } }", []],
    ['a line names a file', "steps: { x: { run: 'python {files}/a/b.py' } }", ['a/b.py']],
    ['a line names all files', "steps: { x: { run: 'ls {files}' } }", bundle.map(({ path }) => path)],
    ['`files` names a folder', "steps: { x: { run: 'true', files: [a] } }", ['a/b.py']],
    ['an environment names a file', "wheels: { skiff: { env: { X: '{files}/a/b.py' } } }", ['a/b.py']],
    ['a wheel has an overlay', 'wheels: { skiff: { overlay: a, prepare: { run: make } } }', ['a/b.py']],
    ['an image takes one file', 'images: { skiff: { files: [a] } }', ['Dockerfile', 'a/b.py']],
    [
      'an image takes what there is',
      'images: { skiff: {} }',
      ['Dockerfile', 'a/b.py', 'a.pub', 'notes.md', 'x.tar.gz'],
    ],
    [
      'a source is a file',
      `sources: { own: { sdist: own==1, path: x.tar.gz } }\nwheels: { own: { source: own } }`,
      ['x.tar.gz'],
    ],
    ['a person approves', `gates: { go: { approvers: { crew: [a.pub] } } }\n${SHIPS}`, ['a.pub']],
    [
      'a message is sent by a line',
      "notify: { us: { command: 'sh {files}/a/b.py', on: [held] } }\nwheels: { skiff: {} }",
      ['a/b.py'],
    ],
    [
      'a target is verified by a line',
      SHIPS.replace('kind: python', "kind: python, verify: 'python {files}/a/b.py'"),
      ['a/b.py'],
    ],
  ])('given that %s, then the plan is another one exactly if such a file changes', (_, sections, read) => {
    const text = `${HEAD}${sections}\n`;
    const others = bundle.map(({ path }) => path).filter((path) => isOther(text, path));
    expect(others).toEqual(bundle.map(({ path }) => path).filter((path) => read.includes(path)));
  });
});

describe('the skeleton', () => {
  test('given a plan, then it has only edges to earlier steps, and a window for each queue', () => {
    const made = planOf(FULL);
    const { steps, windows } = skeletonOf(made, sha256('x'), someFacts().queues);
    for (const [at, step] of steps.entries()) {
      for (const edge of [...step.needs, ...step.wants, ...step.after]) expect(edge).toBeLessThan(at);
    }
    expect(windows).toEqual({ control: 8, 'linux-x86_64': 2 });
    expect(steps.map((step) => step.id).sort()).toEqual(made.steps.map((step) => step.id).sort());
  });

  test('given a chain of 5,000 steps, then it is ordered without a stack overflow', () => {
    const [first] = planOf(`${HEAD}steps:\n  x: { run: 'true' }\n`).steps;
    const chain = Array.from({ length: 5000 }, (_, at) => ({
      ...first!,
      id: `s/${at}`,
      needs: at < 4999 ? [`s/${at + 1}`] : [],
      wants: [],
    }));
    expect(topological(chain)[0]!.id).toBe('s/4999');
  });
});

test('given 1,000 steps, then each is planned with its needs', () => {
  const names = Array.from({ length: 170 }, (_, at) => at);
  const deps = names.map((at) => `  d${at}: { requires: [x] }\n`).join('');
  const wheels = names.map((at) => `  w${at}: { needs: [deps/d${at}] }\n`).join('');
  const tests = names.map((at) => `  t${at}: { needs: [wheels/w${at}], run: x, expect: ok }\n`).join('');
  const made = planOf(`${HEAD}deps:\n${deps}wheels:\n${wheels}tests:\n${tests}`);
  expect(made.steps).toHaveLength(1020 + 6);
  expect(stepOf(made, 'tests/t42/cp312/linux-x86_64').needs).toEqual(['wheels/w42/cp312/linux-x86_64']);
});
