import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { makeBodies } from '../../src/activities/kind-bodies.js';
import type { Command, Programs } from '../../src/activities/ports.js';
import { createArchives } from '../../src/adapters/archive/index.js';
import { createPrograms } from '../../src/adapters/process/programs.js';
import { A_JAR } from '../activities/jars/a-jar.js';
import { anArtifact, aResult, aStep, newHome, runBody } from '../support/run-body.js';

const POM =
  '<project><modelVersion>4.0.0</modelVersion><groupId>skiff</groupId><artifactId>skiff</artifactId><version>1.2.3</version></project>';

interface Started extends Pick<Command, 'argv' | 'limitMs' | 'env'> {
  /** Whether the folder that it runs in is no link. */
  readonly own: boolean;
  /** Whether a file of the line `prepare` is in its HOME. */
  readonly led: boolean;
}

interface Ended {
  readonly started: readonly Started[];
  readonly failure: string;
}

/** Builds a JAR after a line of the project. Maven is replaced: filling fails, and the build does what `maven` does. */
async function built(home: string, run: string, maven: (stage: string) => void = () => undefined): Promise<Ended> {
  const tree = join(home, 'tree');
  mkdirSync(tree);
  writeFileSync(join(tree, 'pom.xml'), POM);
  execFileSync('tar', ['-cf', join(home, 'source.tar'), '-C', tree, '.']);
  const source = await anArtifact(home, 'source.tar', readFileSync(join(home, 'source.tar')), { kind: 'source' });
  const real = createPrograms({ running: join(home, 'running') });
  const started: Started[] = [];
  const programs: Programs = {
    // No sandbox: the paths of the programs are those of the worker.
    run(command) {
      const { argv, cwd, env, limitMs } = command;
      const own = lstatSync(cwd).isDirectory();
      started.push({ argv, env, limitMs, own, led: existsSync(join(env['HOME']!, '.mavenrc')) });
      if (argv[0] !== 'mvn') return real.run(command);
      if (cwd.endsWith('/plugins')) return Promise.resolve({ code: 1, timedOut: false });
      const option = '-DaltDeploymentRepository=stage::file://';
      maven((argv as readonly string[]).find((one) => one.startsWith(option))!.slice(option.length));
      return Promise.resolve({ code: 0, timedOut: false });
    },
  };
  const { buildJar } = makeBodies(['buildJar'], { programs, archives: createArchives(), containers: null });
  const inputs = [aResult({ id: 'source', kind: 'fetchSource' }, { artifacts: [source] })];
  const step = aStep('buildJar', { ...A_JAR, prepare: { run, env: {} } }, { id: 'jars/skiff' });
  const failure = await runBody(buildJar, step, { home, inputs, surroundings: { programs } }).then(
    () => '',
    (error: Error) => error.message,
  );
  return { started, failure };
}

const LEAVES = (outside: string): string =>
  `echo stolen > ~/.mavenrc; for name in plugins prepared stage; do rm -rf ../$name; ln -s ${outside} ../$name; done`;

test('given a line that leaves ~/.mavenrc and links, then Maven fills the shared repository before it, and runs no script', async () => {
  const home = await newHome();
  const outside = join(home, 'outside');
  mkdirSync(outside);

  const { started, failure } = await built(home, LEAVES(outside), (stage) =>
    expect(lstatSync(stage).isDirectory()).toBe(true),
  );

  expect(started.map(({ argv, own, led }) => [argv[0] === 'mvn', own, led])).toEqual([
    [true, true, false],
    [false, true, false],
    [true, true, true],
  ]);
  expect(started.filter(({ argv }) => argv[0] === 'mvn').map(({ env }) => env['MAVEN_SKIP_RC'])).toEqual(['1', '1']);
  expect(readdirSync(outside)).toEqual([]);
  expect(failure).toContain('NO_JAR_BUILT');
});

test('given a line before Maven, then Maven gets what that line left of the limit', async () => {
  const { started } = await built(await newHome(), 'true');
  const [, prepare, maven] = started.map(({ limitMs }) => limitMs);
  expect(maven).toBeLessThan(prepare!);
});

test('given a build that leaves a link in place of the folder of its JARs, then the worker lists nothing behind it', async () => {
  const home = await newHome();

  // No file there has coordinates of Maven: nothing would be kept, which is refused as well.
  const { failure } = await built(home, 'true', (stage) => {
    rmSync(stage, { recursive: true });
    symlinkSync(join(home, 'tree'), stage);
  });

  expect(failure).toContain('LINK_LEADS_OUT');
});
