import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fail } from '../../model/failure.js';
import { verifyFailed, verifyOtherBytes } from '../publish/errors.js';
import { isFromTarget, mavenReleases, settings, type MavenRelease } from './maven-files.js';
import { mustPass, servedBy, type Verify } from './pass.js';
import { inTurn } from '../in-turn.js';
import { sha256OfFile } from '../sha256.js';

const GET = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:get';

/** Fetches the release with Maven and compares its bytes. Throws VERIFY_OTHER_BYTES if it came from elsewhere than the target. Then runs the line with the JARs in
 * CLASSPATH. */
export async function verifyMaven(verify: Verify): Promise<string> {
  const { work, target } = verify;
  const local = work.env()['SLIPWAY_M2'] ?? join(work.folder, 'm2');
  const config = join(work.folder, 'settings.xml');
  await writeFile(config, settings(await target.source()), { mode: 0o600 });
  const releases = mavenReleases(verify.items);
  const jars: string[] = [];
  for (const release of releases)
    jars.push(...(await inTurn(join(local, release.folder), () => download(verify, release, local, config))));
  await runLine(verify, jars);
  return `${releases.map(({ groupId, artifactId, version }) => `${groupId}:${artifactId}:${version}`).join(', ')} fetched by mvn`;
}

/** Local copies are removed before, so that Maven downloads them, and after, so that no build uses them. Runs in turn:
 * two runs would remove each other's copies. */
async function download(
  { work, to }: Verify,
  release: MavenRelease,
  local: string,
  config: string,
): Promise<readonly string[]> {
  const { groupId, artifactId, version, packaging, folder } = release;
  const copies = join(local, folder);
  await rm(copies, { recursive: true, force: true });
  try {
    const asked = [
      `-Dartifact=${groupId}:${artifactId}:${version}:${packaging}`,
      '-Dtransitive=false',
      `-Dmaven.repo.local=${local}`,
    ];
    const { code } = await work.exec(['mvn', '-B', '-q', '-s', config, GET, ...asked], { access: 'fetch' });
    if (code !== 0)
      throw fail(
        verifyFailed(
          servedBy({ work, to }),
          `mvn dependency:get ${groupId}:${artifactId}:${version}`,
          code,
          work.log.tail(),
        ),
      );
    return await keepMain(to.name, release, copies, join(work.folder, 'jars'));
  } finally {
    await rm(copies, { recursive: true, force: true });
  }
}

async function keepMain(
  target: string,
  release: MavenRelease,
  copies: string,
  folder: string,
): Promise<readonly string[]> {
  const file = `${release.artifactId}-${release.version}.${release.packaging}`;
  const sealed = release.items.find(({ name }) => name === `${release.folder}${file}`);
  const list = await readFile(join(copies, '_remote.repositories'), 'utf8').catch(() => '');
  if (!isFromTarget(list, file)) throw fail(verifyOtherBytes(target, file, 'Maven took it from another repository'));
  const seen = await sha256OfFile(join(copies, file));
  if (sealed && sealed.artifact.digest !== seen)
    throw fail(verifyOtherBytes(target, sealed.name, `mvn fetched ${seen}`));
  if (release.packaging === 'pom') return [];
  await mkdir(folder, { recursive: true });
  await copyFile(join(copies, file), join(folder, file));
  return [join(folder, file)];
}

async function runLine(verify: Verify, jars: readonly string[]): Promise<void> {
  const { work } = verify;
  if (work.step.params.run === null) return;
  const cwd = join(work.folder, 'elsewhere');
  await mkdir(cwd);
  await mustPass(verify, work.step.params.run, cwd, work.env({ CLASSPATH: jars.join(delimiter) }));
}
