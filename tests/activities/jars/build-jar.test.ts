/** @long @needs java */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { makeBodies } from '../../../src/activities/kind-bodies.js';
import { createArchives } from '../../../src/adapters/archive/index.js';
import { createPrograms } from '../../../src/adapters/process/programs.js';
import type { Params } from '../../../src/model/params.js';
import { QUICK_MAVEN } from '../../support/quick-maven.js';
import { aResult, aStep, anArtifact, runBody, type RunBody } from '../../support/run-body.js';
import { A_JAR } from './a-jar.js';

const home = mkdtempSync(join(tmpdir(), 'slipway-jars-'));
// Maven's plugins are fetched once per machine, not once per test.
const cache = join(tmpdir(), 'slipway-test-cache');
mkdirSync(cache, { recursive: true });
symlinkSync(cache, join(home, 'cache'));

const programs = createPrograms({ running: join(home, 'running') });
const { buildJar } = makeBodies(['buildJar'], { programs, archives: createArchives(), containers: null });

const JAVA =
  'package skiff;\n/** A small boat. */\npublic class Skiff {\n  /** @return oars */ public int oars() { return 2; }\n}\n';
const pom = (inner = '', artifact = 'skiff', version = '1.2.3'): string => `<project>
  <modelVersion>4.0.0</modelVersion><groupId>org.skiff</groupId><artifactId>${artifact}</artifactId><version>${version}</version>
  <properties><maven.compiler.source>1.8</maven.compiler.source><maven.compiler.target>1.8</maven.compiler.target><project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties>
  ${inner}</project>`;

async function build(files: Record<string, string>, params: Partial<Params['buildJar']> = {}, options: RunBody = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-source-'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const tar = join(folder, '..', `${process.pid}-source.tar`);
  // The same files are the same source.
  execFileSync('tar', ['--sort=name', '--mtime=@1700000000', '-cf', tar, '-C', folder, '.']);
  const source = await anArtifact(home, 'source.tar', readFileSync(tar), { kind: 'source' });
  const all = { ...A_JAR, env: QUICK_MAVEN };
  const inputs = [aResult({ id: 'source', kind: 'fetchSource' }, { artifacts: [source] })];
  return runBody(buildJar, aStep('buildJar', { ...all, ...params }, { id: 'jars/skiff' }), {
    home,
    inputs,
    epoch: '1735689600',
    ...options,
  });
}
const names = (run: Awaited<ReturnType<typeof build>>): readonly string[] => run.made.artifacts.map(({ name }) => name);

describe('a JAR for an old Java', () => {
  const plain = pom().replace(/<maven.compiler.(source|target)>.*?<[/].*?>/g, '');
  const files = { 'pom.xml': plain, 'src/main/java/skiff/Skiff.java': JAVA };

  test('given `java: 8`, then its classes are of version 52, on a newer JDK too', async () => {
    const { made } = await build(files, { java: 8 });
    expect(made.artifacts.map(({ name }) => name)).toEqual(['skiff-1.2.3.jar', 'skiff-1.2.3.pom']);
  });

  test('given a POM that compiles for a newer Java, then the class is named', async () => {
    const own =
      '<build><plugins><plugin><artifactId>maven-compiler-plugin</artifactId><configuration><release>11</release></configuration></plugin></plugins></build>';
    await expect(build({ ...files, 'pom.xml': pom(own) }, { java: 8 })).rejects.toThrow(
      'skiff-1.2.3.jar: skiff/Skiff.class is compiled for Java 11, and `java: 8` promises Java 8',
    );
  });
});

describe('a JAR with classes of several Javas', () => {
  test('given `java: 8` and a class of Java 21 among those of Java 8, then that class is named', async () => {
    const line =
      "mkdir -p src/main/resources/late; printf '\\312\\376\\272\\276\\0\\0\\0\\101' > src/main/resources/late/Late.class";
    const plain = pom().replace(/<maven.compiler.(source|target)>.*?<[/].*?>/g, '');
    const files = { 'pom.xml': plain, 'src/main/java/skiff/Skiff.java': JAVA };
    await expect(build(files, { java: 8, prepare: { run: line, env: {} } })).rejects.toMatchObject({
      first: {
        ...{ code: 'CLASS_TOO_NEW', next: expect.stringContaining('maven.compiler.release') as string },
        message: 'skiff-1.2.3.jar: late/Late.class is compiled for Java 21, and `java: 8` promises Java 8',
      },
    });
  });
});

describe('a line before Maven', () => {
  const source = {
    'poms/pom.in': pom('', 'skiff', '@VERSION@').replace(/<maven.compiler.(source|target)>.*?<[/].*?>/g, ''),
  };
  const run =
    'echo "echo a script of Maven" > ~/.mavenrc; sed "s/@VERSION@/$RELEASED/" poms/pom.in > pom.xml; mkdir -p src/main/java/skiff; cp "$WORD" src/main/java/skiff/Skiff.java';
  const prepare = { run, env: { RELEASED: '1.2.3', WORD: '{files}/Skiff.java' } };
  const bundle = { 'Skiff.java': JAVA };

  test('given `prepare`, then Maven builds the POM and the sources that it wrote, the same bytes twice, for Java 8', async () => {
    const made = [
      await build(source, { prepare, java: 8 }, { files: bundle }),
      await build(source, { prepare, java: 8 }, { files: bundle }),
    ];
    const [first, second] = made.map((run) => run.made.artifacts.map(({ name, digest }) => [name, digest]));
    expect(first!.map(([name]) => name)).toEqual(['skiff-1.2.3.jar', 'skiff-1.2.3.pom']);
    expect(second).toEqual(first);
    expect(made[0]!.log).not.toContain('a script of Maven');
    const jar = join(home, 'prepared.jar');
    await made[0]!.around.store.fetch(made[0]!.made.artifacts[0]!.digest, jar);
    expect(execFileSync('javap', ['-v', '-cp', jar, 'skiff.Skiff'], { encoding: 'utf8' })).toContain(
      'major version: 52',
    );
  });

  test('given `prepare` that ends with another status, then Maven does not start', async () => {
    const failing = build({ 'pom.xml': pom() }, { prepare: { run: 'echo no protoc; exit 7', env: {} } });
    await expect(failing).rejects.toThrow('the line `prepare` of jars/skiff ended with status 7');
  });

  test('given `prepare` in a missing folder, then the folder is named', async () => {
    const nowhere = build({ 'pom.xml': pom() }, { folder: 'jav', prepare: { run: 'true', env: {} } });
    await expect(nowhere).rejects.toThrow('FOLDER_ABSENT');
  });

  test('given `prepare` that leaves a link out of the step, then nothing is read through it', async () => {
    const leading = build({}, { prepare: { run: 'ln -s /etc/hostname pom.xml', env: {} } });
    await expect(leading).rejects.toThrow('ARCHIVE_UNSAFE');
  });
});

describe('a plain Maven module', () => {
  const sources = { 'pom.xml': pom(), 'src/main/java/skiff/Skiff.java': JAVA };

  test('given sources, then it becomes POM, JAR, sources and javadoc, with the same bytes each time', async () => {
    const first = await build(sources, { with: ['sources', 'javadoc'] });
    expect(names(first)).toEqual([
      'skiff-1.2.3-javadoc.jar',
      'skiff-1.2.3-sources.jar',
      'skiff-1.2.3.jar',
      'skiff-1.2.3.pom',
    ]);
    expect(first.made.artifacts[0]!.labels).toEqual({
      groupId: 'org.skiff',
      artifactId: 'skiff',
      version: '1.2.3',
      extension: 'jar',
      classifier: 'javadoc',
    });
    const second = await build(sources, { with: ['sources', 'javadoc'] });
    expect(second.made.artifacts).toEqual(first.made.artifacts);
  });

  test('given a compile error, then it fails with the lines of the compiler', async () => {
    const failed = build({ ...sources, 'src/main/java/skiff/Skiff.java': 'package skiff; class Skiff { Oar oar; }' });
    await expect(failed).rejects.toMatchObject({
      problems: [
        {
          code: 'MAVEN_FAILED',
          class: 'product',
          evidence: expect.arrayContaining([expect.stringContaining('cannot find symbol')]),
        },
      ],
    });
  });

  test('given sources and an empty JAR, then it is refused', async () => {
    const failed = build(sources, { properties: { 'maven.main.skip': 'true', 'maven.jar.forceCreation': 'true' } });
    await expect(failed).rejects.toThrow('JAR_EMPTY');
  });

  test('given no source file, then it is refused, unless a reason accepts it', async () => {
    const properties = { 'maven.jar.forceCreation': 'true' };
    await expect(build({ 'pom.xml': pom() }, { properties })).rejects.toMatchObject({
      problems: [{ code: 'JAR_EMPTY', message: expect.stringContaining('only META-INF') }],
    });
    const { made } = await build(
      { 'pom.xml': pom() },
      { properties, accept: { JAR_EMPTY: 'a marker for users of 1.x' } },
    );
    expect(made.artifacts.map(({ name }) => name)).toEqual(['skiff-1.2.3.jar', 'skiff-1.2.3.pom']);
    expect(made.findings).toMatchObject([{ level: 'note', code: 'JAR_EMPTY', subject: 'skiff-1.2.3.jar' }]);
  });

  test('given a later acceptance, then it is judged again and not rebuilt', async () => {
    const properties = { 'maven.jar.forceCreation': 'true', again: 'yes' };
    const files = { 'pom.xml': pom() };
    await expect(build(files, { properties }, { reuse: true })).rejects.toThrow('JAR_EMPTY');
    const accept = { JAR_EMPTY: 'a marker for users of 1.x' };
    const { made, log } = await build(files, { properties, accept }, { reuse: true, run: '0123456789abcde0' });
    expect(made.note).toBe('org.skiff:skiff: 2 files, built before');
    expect(log).not.toContain('mvn');
  });

  test('given only a resource, then it is a valid JAR', async () => {
    const { made } = await build({ 'pom.xml': pom(), 'src/main/resources/words.properties': 'boat=skiff\n' });
    expect(made.findings).toEqual([]);
  });

  test('given variables that name files of the release, then Maven gets their paths', async () => {
    const env = { MAVEN_OPTS: '@{files}/jvm.args' };
    const { log } = await build(sources, { env }, { files: { 'jvm.args': '-showversion\n' } });
    expect(log).toMatch(/openjdk version/i);
  });

  test('given another version, then it is refused before it is built', async () => {
    await expect(build({ 'pom.xml': pom('', 'skiff', '1.2.4') })).rejects.toThrow('POM_VERSION_DIFFERS');
  });
});

test('given modules, then each is built by its own lifecycle, in order', async () => {
  const child = (artifact: string, needs = ''): string => `<project><modelVersion>4.0.0</modelVersion>
    <parent><groupId>org.skiff</groupId><artifactId>skiff</artifactId><version>1.2.3</version></parent><artifactId>${artifact}</artifactId>${needs}</project>`;
  const needsApi =
    '<dependencies><dependency><groupId>org.skiff</groupId><artifactId>api</artifactId><version>1.2.3</version></dependency></dependencies>';
  const run = await build({
    'pom.xml': pom('<packaging>pom</packaging><modules><module>run</module><module>api</module></modules>'),
    'api/pom.xml': child('api'),
    'api/src/main/java/skiff/Skiff.java': JAVA,
    'run/pom.xml': child('run', needsApi),
    'run/src/main/java/skiff/Run.java': 'package skiff; public class Run { public Skiff boat = new Skiff(); }',
  });
  expect(names(run)).toEqual(['api-1.2.3.jar', 'api-1.2.3.pom', 'run-1.2.3.jar', 'run-1.2.3.pom', 'skiff-1.2.3.pom']);
});

describe('a command', () => {
  const command =
    'mkdir -p classes; javac -d classes src/main/java/skiff/*.java; jar cf $SLIPWAY_OUT/skiff-1.2.3.jar -C classes .; cp pom.xml $SLIPWAY_OUT/skiff-1.2.3.pom';
  const sources = { 'pom.xml': pom(), 'src/main/java/skiff/Skiff.java': JAVA };

  test('given JARs with POMs beside them, then each has the coordinates of its POM', async () => {
    const run = await build(sources, { builder: 'command', run: command, outputs: ['{out}/*'] });
    expect(
      run.made.artifacts.map(
        ({ name, labels }) => `${name} ${labels['groupId']}:${labels['artifactId']} ${labels['extension']}`,
      ),
    ).toEqual(['skiff-1.2.3.jar org.skiff:skiff jar', 'skiff-1.2.3.pom org.skiff:skiff pom']);
  });

  test('given a JAR without a POM, then it is refused', async () => {
    await expect(build(sources, { builder: 'command', run: command, outputs: ['{out}/*.jar'] })).rejects.toThrow(
      'JAR_COORDINATES_UNKNOWN',
    );
  });
});
