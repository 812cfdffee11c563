/** @needs registries java */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startMavenRepository } from '../../support/registries.js';
import { anArtifact, newHome } from '../../support/run-body.js';
import { isFromTarget } from '../../../src/activities/verify/maven-files.js';
import { aTarget, built, codesOf, sealAndPublish, verify } from './release.js';

type Maven = Awaited<ReturnType<typeof startMavenRepository>>;
let maven: Maven;
beforeAll(async () => void (maven = await startMavenRepository(mkdtempSync(join(tmpdir(), 'slipway-maven-')))));
afterAll(() => maven.stop());

const POM = `<project><modelVersion>4.0.0</modelVersion><parent><groupId>org.apache</groupId><artifactId>apache</artifactId><version>23</version></parent><groupId>org.example</groupId><artifactId>skiff</artifactId><version>1.2.3</version></project>`;

/** A JAR whose main class prints a line, made by the JDK's own tools. */
function jarBytes(): Uint8Array {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-jar-'));
  writeFileSync(
    join(folder, 'Skiff.java'),
    'public class Skiff { public static void main(String[] a) { System.out.println("afloat"); } }',
  );
  execFileSync('javac', ['Skiff.java'], { cwd: folder });
  execFileSync('jar', ['--create', '--file', 'skiff.jar', 'Skiff.class'], { cwd: folder });
  return readFileSync(join(folder, 'skiff.jar'));
}

test('given a published release whose parent lies in Central, then Maven fetches it from the target, and the line runs with it', async () => {
  const home = await newHome();
  const target = aTarget({ kind: 'maven', address: maven.address });
  const labels = { groupId: 'org.example', artifactId: 'skiff', version: '1.2.3' };
  const artifacts = [
    await anArtifact(home, 'skiff-1.2.3.jar', jarBytes(), { kind: 'jar', labels }),
    await anArtifact(home, 'skiff-1.2.3.pom', POM, { kind: 'jar', labels: { ...labels, extension: 'pom' } }),
  ];
  const { result } = await sealAndPublish(home, target, built(artifacts, 'jars/skiff'));
  const { made, log } = await verify(home, target, result, { run: 'java Skiff' });
  expect(made.note).toBe('org.example:skiff:1.2.3 fetched by mvn');
  expect(log).toContain('afloat');
  expect(await maven.accessLog()).toMatch(/GET \/org\/example\/skiff\/1\.2\.3\/skiff-1\.2\.3\.jar .*Apache-Maven/);
  const error = await verify(home, target, result, { run: 'java NoSuch' }).catch((thrown: unknown) => thrown);
  expect(codesOf(error)).toEqual(['VERIFY_FAILED']);
});

test.each([
  ['skiff-1.2.3.jar>target=', true],
  ['skiff-1.2.3.jar>central=', false],
  ['skiff-1.2.3.jar>=', false],
  ['not-skiff-1.2.3.jar>target=', false],
  ['', false],
])('given the list %j of where Maven found files, then it is from the target: %s', (line, expected) => {
  expect(isFromTarget(`#NOTE: written by Maven\n${line}\nskiff-1.2.3.pom>target=\n`, 'skiff-1.2.3.jar')).toBe(expected);
});
