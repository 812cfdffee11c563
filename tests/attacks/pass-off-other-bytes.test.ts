/** @needs ssh */
import { spawnSync } from 'node:child_process';
import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto';
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createAttestRelease } from '../../src/activities/attest/attest-release.js';
import { packageRoot } from '../../src/adapters/home.js';
import { sign } from '../../src/adapters/ssh/signatures.js';
import { built, sealOf } from '../activities/publish/release.js';
import { anArtifact, aStep, newHome, runBody } from '../support/run-body.js';
import { sshKey } from '../support/ssh-keys.js';

const pem = (key: KeyObject, type: 'pkcs8' | 'spki'): string => key.export({ type, format: 'pem' } as never) as string;
const WHEEL = 'skiff-1.2.3-py3-none-any.whl';

interface Release {
  /** As a user has it: files, manifest, statement, bill, checksums, approvals. */
  readonly folder: string;
  /** Files of the reader's own: the project's public key, the approvers. */
  readonly key: string;
  readonly approvers: string;
}

/** A release with real signatures. */
async function aRelease(version = '1.2.3'): Promise<Release> {
  const home = await newHome();
  const [folder, mine] = [join(home, 'dist'), join(home, 'mine')];
  mkdirSync(folder);
  mkdirSync(mine);
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  writeFileSync(join(mine, 'release.pem'), pem(publicKey, 'spki'));
  const plan = { release: { name: 'skiff', version } };
  const artifacts = [
    await anArtifact(home, WHEEL, `wheel of ${version}`, { kind: 'wheel' }),
    await anArtifact(home, 'skiff-1.2.3.tar.gz', `sdist of ${version}`, { kind: 'sdist' }),
    await anArtifact(home, 'build.txt', 'numpy==2.1.0\n', { kind: 'lock' }),
  ];
  const sealed = await sealOf(home, [built(artifacts)], plan);
  const { made, around } = await runBody(
    createAttestRelease(),
    aStep('attestRelease', { key: '$KEY' }, { id: 'attest/release', needs: [sealed.step] }),
    { home, plan, inputs: [sealed], surroundings: { env: { ...process.env, KEY: pem(privateKey, 'pkcs8') } } },
  );
  for (const { name, digest } of [...artifacts.slice(0, 2), ...sealed.artifacts, ...made.artifacts])
    await around.store.fetch(digest, join(folder, name));
  const kim = sshKey(mine, 'kim');
  writeFileSync(join(mine, 'approvers'), `kim@example namespaces="slipway-approval" ${kim.public}`);
  const text = JSON.stringify({ decision: 'approve', gate: 'ship', manifest: sealed.artifacts[0]!.digest, by: 'kim' });
  const approval = { text, signature: `${await sign(text, { path: kim.path })}\n` };
  writeFileSync(join(folder, 'ship.approvals.jsonl'), `${JSON.stringify(approval)}\n`);
  return { folder, key: join(mine, 'release.pem'), approvers: join(mine, 'approvers') };
}

/** Prefix that takes the network from a command, on machines that allow it. */
const OFFLINE = spawnSync('unshare', ['--net', 'true']).status === 0 ? ['unshare', '--net', '--'] : [];

function verify(what: readonly string[], keys: readonly string[]) {
  const argv = [...OFFLINE, process.execPath, join(packageRoot(), 'bin', 'slipway.js'), 'verify', ...what];
  const env = { PATH: process.env['PATH'] ?? '' };
  const { status, stdout, stderr } = spawnSync(argv[0]!, [...argv.slice(1), '--key', keys.join(',')], {
    env,
    encoding: 'utf8',
  });
  return { status, said: stdout + stderr };
}

test('[H7] given a good release, then every file, its commit, SBOM and approval are confirmed without a network', async () => {
  const { folder, key, approvers } = await aRelease();
  const { status, said } = verify([folder], [key, approvers]);
  expect(said).toContain(`good     ${folder}/${WHEEL}: sha256`);
  expect(said).toContain(`skiff 1.2.3, built from commit ${'0'.repeat(40)}`);
  expect(said).toContain('skiff-1.2.3.cdx.json: 1 components');
  expect(said).toMatch(/gate ship: approved by kim, key approvers SHA256:/);
  expect(said).toMatch(/good: a key that you trust signed exactly these bytes\.$/m);
  expect(status).toBe(0);
});

test('[H7] given a file that the manifest seals as evidence, then it is unknown, and its reason says so', async () => {
  const { folder, key } = await aRelease();
  writeFileSync(join(folder, 'build.txt'), 'numpy==2.1.0\n');
  const { status, said } = verify([folder], [key]);
  expect(said).toContain(
    `unknown  ${folder}/build.txt: manifest.json seals build.txt as evidence, and the statement does not list it`,
  );
  expect(status).toBe(3);
  writeFileSync(join(folder, 'build.txt'), 'numpy==1\n');
  expect(verify([folder], [key]).said).toContain('build.txt: the release has no such file');
});

test('[H7] given one file of a good release in its folder, then it is good', async () => {
  const { folder, key } = await aRelease();
  expect(verify([join(folder, WHEEL)], [key]).status).toBe(0);
});

const sha = (text: string): string => createHash('sha256').update(text).digest('hex');
test.each<[what: string, attack: (release: Release, other: Release) => void, status: number, says: RegExp]>([
  [
    'a swapped file',
    ({ folder }) => appendFileSync(join(folder, WHEEL), 'x'),
    1,
    /altered .*any\.whl: has [0-9a-f]{12}; stated/,
  ],
  [
    'a file under the name of another',
    ({ folder }) => copyFileSync(join(folder, 'skiff-1.2.3.tar.gz'), join(folder, WHEEL)),
    1,
    /altered .*any\.whl: these are the bytes of skiff-1\.2\.3\.tar\.gz/,
  ],
  [
    'a swapped file with checksums to match',
    ({ folder }) => {
      writeFileSync(join(folder, WHEEL), 'evil');
      writeFileSync(join(folder, 'SHA256SUMS'), `${sha('evil')}  ${WHEEL}\n`);
    },
    1,
    /altered +SHA256SUMS: lists/,
  ],
  [
    'a manifest of another release',
    ({ folder }, other) => copyFileSync(join(other.folder, 'manifest.json'), join(folder, 'manifest.json')),
    1,
    /altered +manifest\.json: is [0-9a-f]{12} of skiff 9\.9; stated/,
  ],
  [
    'a statement of another key',
    ({ folder }, other) => {
      for (const file of [WHEEL, 'skiff-1.2.3.tar.gz', 'manifest.json', 'SHA256SUMS'])
        copyFileSync(join(other.folder, file), join(folder, file));
      copyFileSync(join(other.folder, 'skiff-9.9.intoto.jsonl'), join(folder, 'skiff-1.2.3.intoto.jsonl'));
      copyFileSync(join(other.folder, 'skiff-9.9.cdx.json'), join(folder, 'skiff-1.2.3.cdx.json'));
    },
    1,
    /altered/,
  ],
  [
    'a whole release of another key',
    ({ folder }, other) => {
      for (const file of [WHEEL, 'skiff-1.2.3.tar.gz', 'manifest.json', 'SHA256SUMS', 'ship.approvals.jsonl'])
        copyFileSync(join(other.folder, file), join(folder, file));
      for (const end of ['intoto.jsonl', 'cdx.json']) {
        writeFileSync(join(folder, `skiff-9.9.${end}`), readFileSync(join(other.folder, `skiff-9.9.${end}`)));
        spawnSync('rm', [join(folder, `skiff-1.2.3.${end}`)]);
      }
    },
    4,
    /foreign .*none of the trusted keys signed it/,
  ],
  [
    'a statement that was cut off',
    ({ folder }) => truncateSync(join(folder, 'skiff-1.2.3.intoto.jsonl'), 300),
    1,
    /altered +skiff-1\.2\.3\.intoto\.jsonl: is no JSON, or cut off/,
  ],
  [
    'a statement that is nested a hundred thousand deep',
    ({ folder }) => writeFileSync(join(folder, 'skiff-1.2.3.intoto.jsonl'), '['.repeat(1e5) + ']'.repeat(1e5)),
    1,
    /altered +skiff-1\.2\.3\.intoto\.jsonl: is not what its name says/,
  ],
  [
    'a manifest that is a link',
    ({ folder }) => {
      spawnSync('rm', [join(folder, 'manifest.json')]);
      symlinkSync('/etc/passwd', join(folder, 'manifest.json'));
    },
    1,
    /is a symbolic link/,
  ],
  [
    'a file that never ends',
    ({ folder }) => {
      spawnSync('rm', [join(folder, WHEEL)]);
      spawnSync('mkfifo', [join(folder, WHEEL)]);
    },
    1,
    /VERIFY_FILE_REFUSED.*is no ordinary file/s,
  ],
  [
    'a file that no release has',
    ({ folder }) => writeFileSync(join(folder, 'extra.whl'), 'x'),
    3,
    /unknown .*extra\.whl/,
  ],
])('[H7] given %s, then it is refused', async (_, attack, status, says) => {
  const [release, other] = [await aRelease(), await aRelease('9.9')];
  attack(release, other);
  const seen = verify([release.folder], [release.key, release.approvers]);
  expect(seen.said).toMatch(says);
  expect(seen.status).toBe(status);
});

test('given a file without its release files, then it is unknown, and the reader is told what to add', async () => {
  const [{ folder, key }, elsewhere] = [await aRelease(), await newHome()];
  copyFileSync(join(folder, WHEEL), join(elsewhere, WHEEL));
  const { status, said } = verify([join(elsewhere, WHEEL)], [key]);
  expect(said).toMatch(/Put manifest\.json and .* beside it, or name their folder with --from\.$/m);
  expect(said).not.toContain('--key');
  expect(status).toBe(3);
});

test('[H7] given a key beside the files, then it is not trusted', async () => {
  const { folder, key } = await aRelease();
  copyFileSync(key, join(folder, 'release.pem'));
  const { status, said } = verify([join(folder, WHEEL)], []);
  expect(said).toContain('no key is trusted');
  expect(status).toBe(3);
});

test('[H7] given an approval by an unlisted key, then it is reported as unsigned', async () => {
  const [{ folder, key }, other] = [await aRelease(), await aRelease('9.9')];
  const { said } = verify([folder], [key, other.approvers]);
  expect(said).toContain('gate ship: kim is said to have approved; no trusted key signed it');
});
