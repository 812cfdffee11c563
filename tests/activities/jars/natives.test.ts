/** @long @needs java compiler */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { makeBodies } from '../../../src/activities/kind-bodies.js';
import { createArchives } from '../../../src/adapters/archive/index.js';
import { createPrograms } from '../../../src/adapters/process/programs.js';
import type { NativeRef, Params } from '../../../src/model/params.js';
import type { Result } from '../../../src/model/result.js';
import { aPlatform } from '../../support/a-platform.js';
import { QUICK_MAVEN } from '../../support/quick-maven.js';
import { aResult, aStep, anArtifact, runBody } from '../../support/run-body.js';
import { homeWithCache } from '../../support/shared-cache.js';

let home: string;
let source: Result;
beforeAll(async () => {
  home = await homeWithCache();
  source = await sourceOf(SOURCES);
});
const bodies = () =>
  makeBodies(['buildNative', 'buildJar'], {
    programs: createPrograms({ running: join(home, 'running') }),
    archives: createArchives(),
    containers: null,
  });

const C = '#include <jni.h>\nJNIEXPORT jint JNICALL Java_skiff_Skiff_oars(JNIEnv *e, jclass c) { return 2; }\n';
const JAVA = `package skiff;
import java.io.*;
import java.nio.file.*;
/** A small boat. */
public class Skiff {
  /** @return oars */
  public static native int oars();
  /** @param a nothing @throws IOException never */
  public static void main(String[] a) throws IOException {
    Path file = Files.createTempFile("skiff", ".so");
    try (InputStream in = Skiff.class.getResourceAsStream("/native/linux-x86_64/libskiff.so")) {
      Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
    }
    System.load(file.toString());
    Files.delete(file);
    System.out.println("oars: " + oars());
  }
}
`;
const POM = `<project>
  <modelVersion>4.0.0</modelVersion><groupId>org.skiff</groupId><artifactId>skiff-java</artifactId><version>1.2.3</version>
  <properties><maven.compiler.source>1.8</maven.compiler.source><maven.compiler.target>1.8</maven.compiler.target><project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties>
</project>`;
const SOURCES = {
  'src/where.c': 'const char *where(void) { return WHERE; }\n',
  'pom.xml': POM,
  'src/main/java/skiff/Skiff.java': JAVA,
  'src/main/c/skiff.c': C,
};
const EPOCH = '1735689600';
const BUILD = '$CC $JNI_CFLAGS -shared -fPIC -o "$SLIPWAY_OUT"/libskiff.so src/main/c/skiff.c';
const COMMAND =
  'mkdir -p c; javac -d c src/main/java/skiff/*.java; jar cf $SLIPWAY_OUT/skiff-java-1.2.3.jar -C c .; cp pom.xml $SLIPWAY_OUT/skiff-java-1.2.3.pom';
const TAKEN = 'mkdir c; cp -r $NATIVES/. c; ';
const WHERE = { folder: '.', env: QUICK_MAVEN, where: { in: 'host' } } as const;

async function sourceOf(files: Readonly<Record<string, string>>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-source-'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const tar = execFileSync('tar', ['-c', '-C', folder, '.']);
  return aResult(
    { id: 'source', kind: 'fetchSource' },
    { artifacts: [await anArtifact(home, 'source.tar', tar, { kind: 'source' })] },
  );
}

const placeOf = (platform: string): string => `main/abc/jars/${platform}/skiff-1.2.3-${platform}.jar`;

function native(name: string, more: Partial<Params['buildNative']> = {}) {
  const platform = aPlatform(name, { libc: { name: 'glibc', floor: '2.17' } });
  const params: Params['buildNative'] = {
    ...WHERE,
    run: BUILD,
    project: 'native',
    version: '1.2.3',
    for: platform,
    cross: 'zig',
    libraries: ['{out}/libskiff.*'],
    inside: `native/${platform.native}`,
    place: placeOf(name),
    coordinates: null,
    ...more,
  };
  const step = aStep('buildNative', params, { id: `jars/native/${name}`, axes: { platform: name } });
  return runBody(bodies().buildNative, step, { home, inputs: [source], epoch: EPOCH });
}

const refOf = (name: string, more: Partial<NativeRef> = {}): NativeRef => {
  const platform = aPlatform(name, { libc: { name: 'glibc', floor: '2.17' } });
  const step = `jars/native/${name}`;
  return { for: platform, folder: `native/${platform.native}`, path: placeOf(name), step, ...more };
};

type Natives = NonNullable<Params['buildJar']['natives']>;
function jar(
  natives: Partial<Natives>,
  inputs: readonly Result[],
  more: Partial<Params['buildJar']> = {},
  from = source,
) {
  const params: Params['buildJar'] = {
    ...WHERE,
    run: null,
    project: 'skiff',
    version: '1.2.3',
    builder: 'maven',
    modules: [],
    properties: {},
    with: ['sources'],
    outputs: [],
    natives: { as: 'resources', module: null, waitMs: 0, from: [], ...natives },
    accept: {},
    ...more,
  };
  const step = aStep('buildJar', params, { id: 'jars/skiff' });
  return runBody(bodies().buildJar, step, { home, inputs: [from, ...inputs], epoch: EPOCH });
}
type Jar = Awaited<ReturnType<typeof jar>>;

async function bytesOf(run: Pick<Jar, 'made' | 'around'>, name: string): Promise<string> {
  const artifact = run.made.artifacts.find((one) => one.name === name)!;
  const path = join(mkdtempSync(join(tmpdir(), 'slipway-jar-')), name);
  await run.around.store.fetch(artifact.digest, path);
  return path;
}
const members = (path: string): readonly string[] =>
  execFileSync('unzip', ['-Z1', path], { encoding: 'utf8' }).trim().split('\n');

describe('the libraries of two platforms', () => {
  let x86: Awaited<ReturnType<typeof native>>;
  let arm: Awaited<ReturnType<typeof native>>;
  beforeAll(async () => {
    x86 = await native('linux-x86_64');
    arm = await native('linux-aarch64');
  });

  test('given a build for each, then each is in its own JAR, with the same bytes each time', async () => {
    const [artifact] = arm.made.artifacts;
    expect(artifact).toMatchObject({
      name: 'skiff-1.2.3-linux-aarch64.jar',
      kind: 'jar',
      labels: { platform: 'linux-aarch64' },
    });
    expect(members(await bytesOf(arm, artifact!.name))).toEqual([
      'native/',
      'native/linux-aarch_64/',
      'native/linux-aarch_64/libskiff.so',
    ]);
    expect((await native('linux-aarch64')).made.artifacts).toEqual(arm.made.artifacts);
  });

  test('given one JAR with both, then Java loads the one of this machine', async () => {
    const from = [refOf('linux-aarch64'), refOf('linux-x86_64')];
    const run = await jar({ from }, [x86.result, arm.result]);
    expect(run.made.artifacts.map(({ name }) => name)).toEqual([
      'skiff-java-1.2.3-sources.jar',
      'skiff-java-1.2.3.jar',
      'skiff-java-1.2.3.pom',
    ]);
    const path = await bytesOf(run, 'skiff-java-1.2.3.jar');
    expect(members(path).filter((name) => name.endsWith('.so'))).toEqual([
      'native/linux-aarch_64/libskiff.so',
      'native/linux-x86_64/libskiff.so',
    ]);
    const said = execFileSync('java', ['-cp', path, 'skiff.Skiff'], { encoding: 'utf8' });
    expect(said).toBe('oars: 2\n');
    expect(members(await bytesOf(run, 'skiff-java-1.2.3-sources.jar')).join()).not.toContain('native');
    expect(readFileSync(await bytesOf(run, 'skiff-java-1.2.3.pom'), 'utf8')).toBe(POM);
    expect(run.log).toContain('libraries of linux-aarch64: built by jars/native/linux-aarch64, at main/abc/jars/');
    const again = await jar({ from }, [x86.result, arm.result]);
    expect(again.made.artifacts).toEqual(run.made.artifacts);
  });

  test('given classifiers, then they are JARs beside the main one', async () => {
    const from = [refOf('linux-aarch64'), refOf('linux-x86_64')];
    const run = await jar({ from, as: 'classifier' }, [x86.result, arm.result], { builder: 'command', run: COMMAND });
    expect(run.made.artifacts.map(({ name, labels }) => [name, labels['classifier'] ?? null])).toEqual([
      ['skiff-java-1.2.3.jar', null],
      ['skiff-java-1.2.3.pom', null],
      ['skiff-java-1.2.3-linux-aarch_64.jar', 'linux-aarch_64'],
      ['skiff-java-1.2.3-linux-x86_64.jar', 'linux-x86_64'],
    ]);
    expect(members(await bytesOf(run, 'skiff-java-1.2.3.jar')).join()).not.toContain('native');
    expect(run.made.artifacts[2]!.digest).toBe(arm.made.artifacts[0]!.digest);
  });

  test('given libraries of another pipeline, then they are taken from the store', async () => {
    const path = 'main/abc/jars/linux-aarch64/other-1.2.3-linux-aarch64.jar';
    await arm.around.layout('skiff').place(path, arm.made.artifacts[0]!.digest);
    const from = [refOf('linux-aarch64', { step: null, path })];
    const run = await jar({ from }, [], { builder: 'command', run: `${TAKEN}${COMMAND}` });
    expect(run.log).toContain(`libraries of linux-aarch64: found at ${path}`);
    expect(run.made.findings).toMatchObject([{ level: 'note', code: 'NATIVE_FROM_ELSEWHERE', subject: path }]);
    expect(members(await bytesOf(run, 'skiff-java-1.2.3.jar'))).toContain('native/linux-aarch_64/libskiff.so');
    const without = jar({ from }, [], { builder: 'command', run: COMMAND });
    await expect(without).rejects.toMatchObject({ problems: [{ code: 'NATIVE_LOST' }] });
  });

  test('given a named module, then they go into it, by its own lifecycle', async () => {
    const child = (artifact: string): string => `<project><modelVersion>4.0.0</modelVersion>
      <parent><groupId>org.skiff</groupId><artifactId>skiff-all</artifactId><version>1.2.3</version></parent><artifactId>${artifact}</artifactId></project>`;
    const parent = POM.replace('skiff-java', 'skiff-all').replace(
      '</project>',
      '<packaging>pom</packaging><modules><module>api</module><module>runtime</module></modules></project>',
    );
    const many = await sourceOf({
      'pom.xml': parent,
      'api/pom.xml': child('skiff-api'),
      'api/src/main/java/skiff/Boat.java': 'package skiff; public interface Boat {}',
      'runtime/pom.xml': child('skiff-runtime'),
      'runtime/src/main/java/skiff/Skiff.java': JAVA,
    });
    const from = [refOf('linux-x86_64')];
    const run = await jar({ from, module: 'runtime' }, [x86.result], { with: [] }, many);
    expect(members(await bytesOf(run, 'skiff-runtime-1.2.3.jar'))).toContain('native/linux-x86_64/libskiff.so');
    expect(members(await bytesOf(run, 'skiff-api-1.2.3.jar')).join()).not.toContain('native');
    const codeOf = (natives: Partial<Natives>) =>
      jar({ from, ...natives }, [x86.result], {}, many).catch((error: unknown) => error);
    expect(await codeOf({})).toMatchObject({ problems: [{ code: 'NATIVE_MODULE_UNNAMED' }] });
    expect(await codeOf({ module: 'run' })).toMatchObject({ problems: [{ code: 'NATIVE_MODULE_ABSENT' }] });
  });

  test('given `prepare` that leaves a link for the libraries, then the worker writes nothing through it', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'slipway-outside-'));
    const run = `rm pom.xml; ln -s ${outside} ../natives`;
    const natives = { from: [refOf('linux-x86_64')], as: 'classifier' } as const;
    const without = jar(natives, [x86.result], { prepare: { run, env: {} } });
    await expect(without).rejects.toThrow('POM_MISSING');
    expect(readdirSync(outside)).toEqual([]);
  });

  test('given a missing library, then no JAR is made', async () => {
    const path = 'main/abc/jars/macos-arm64/skiff-1.2.3-macos-arm64.jar';
    const failed = jar({ from: [refOf('macos-arm64', { step: null, path }), refOf('linux-x86_64')] }, [x86.result]);
    await expect(failed).rejects.toMatchObject({
      problems: [
        {
          code: 'NATIVE_MISSING',
          class: 'config',
          message: expect.stringContaining('macos-arm64'),
          evidence: [`macos-arm64: looked for ${path}`],
        },
      ],
    });
  });

  test('given a wrong machine, a shared folder or an unreachable folder, then they are refused', async () => {
    const one = 'native/linux-x86_64';
    const two = await native('linux-aarch64', { inside: one, place: 'main/abc/jars/linux-aarch64/two.jar' });
    const from = (more: Partial<NativeRef>) => [refOf('linux-x86_64'), refOf('linux-aarch64', more)];
    const codes = async (refs: readonly NativeRef[], other = two): Promise<unknown> =>
      jar({ from: refs }, [x86.result, other.result]).then(
        () => [],
        (error: { problems: { code: string }[] }) => error.problems.map(({ code }) => code),
      );
    const path = 'main/abc/jars/linux-aarch64/two.jar';
    expect(await codes(from({ folder: one, path }))).toEqual(['NATIVE_COLLISION']);
    expect(await codes(from({ path }))).toEqual(['NATIVE_MISPLACED', 'NATIVE_COLLISION']);
    const wrong = refOf('linux-x86_64', {
      step: 'jars/native/linux-aarch64',
      folder: 'native/linux-aarch_64',
      path: placeOf('linux-aarch64'),
    });
    expect(await codes([wrong], arm)).toEqual(['NATIVE_ARCH_DIFFERS']);
  });
});

describe('a command that should build libraries', () => {
  test.each([
    ['leaves no library', { run: 'true' }, 'NATIVE_ABSENT'],
    ['leaves a text file', { run: 'echo library > $SLIPWAY_OUT/libskiff.so' }, 'NOT_NATIVE'],
    ['fails', { run: 'exit 3' }, 'JAR_COMMAND_FAILED'],
    ['ignores $CC', { run: BUILD.replace('$CC', 'gcc'), for: aPlatform('macos-arm64') }, 'NATIVE_OS_DIFFERS'],
    [
      'names the folder it was built in',
      {
        run: BUILD.replace('$CC', '$CC -DWHERE="\\"$SLIPWAY_OUT\\"" -include stdio.h').replace(
          'src/main/c/skiff.c',
          'src/main/c/skiff.c -x c - < src/where.c',
        ),
      },
      'NATIVE_NAMES_BUILDER',
    ],
  ])('when it %s, then it is refused', async (_, more, code) => {
    await expect(native('linux-aarch64', more)).rejects.toMatchObject({ problems: [{ code, class: 'product' }] });
  });
});
