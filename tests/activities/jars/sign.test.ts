/** @needs java gpg */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createProveKey } from '../../../src/activities/jars/sign/gpg.js';
import { createSignFiles } from '../../../src/activities/jars/sign/sign-files.js';
import { judgeSignatures } from '../../../src/adapters/maven-repository/signatures.js';
import type { Result } from '../../../src/model/result.js';
import { aResult, aStep, anArtifact, newHome, runBody } from '../../support/run-body.js';

const PASSPHRASE = 'a-secret-that-nobody-may-read';
const folder = mkdtempSync(join(tmpdir(), 'slipway-keys-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Key {
  readonly armour: string;
  readonly publicKey: string;
}

/** A key pair made for this test. */
function makeKey(name: string, passphrase = ''): Key {
  const home = mkdtempSync(join(folder, 'g-'));
  const gpg = (...words: readonly string[]): string =>
    execFileSync('gpg', ['-q', '--batch', '--pinentry-mode', 'loopback', '--passphrase', passphrase, ...words], {
      encoding: 'utf8',
      env: { ...process.env, GNUPGHOME: home },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  gpg('--quick-gen-key', `${name} <${name}@example.invalid>`, 'ed25519', 'sign', 'never');
  const key = { armour: gpg('--armor', '--export-secret-keys'), publicKey: gpg('--armor', '--export') };
  execFileSync('gpgconf', ['--kill', 'all'], { env: { ...process.env, GNUPGHOME: home } });
  return key;
}

const labels = (extension: string) => ({ groupId: 'org.skiff', artifactId: 'skiff', version: '1.0', extension });
let home: string;
let input: Result;
let first: Key;
let locked: Key;
beforeAll(async () => {
  home = await newHome();
  first = makeKey('first');
  locked = makeKey('locked', PASSPHRASE);
  const jar = await anArtifact(home, 'skiff-1.0.jar', 'the jar', { kind: 'jar', labels: labels('jar') });
  const pom = await anArtifact(home, 'skiff-1.0.pom', 'the pom', { kind: 'jar', labels: labels('pom') });
  input = aResult({ id: 'jars/skiff', kind: 'buildJar' }, { artifacts: [jar, pom] });
});

function sign(env: Readonly<Record<string, string>>, passphrase: string | null = null) {
  const params = { project: 'skiff', key: '$GPG_KEY', passphrase };
  return runBody(createSignFiles(), aStep('signFiles', params, { id: 'signatures/skiff' }), {
    home,
    inputs: [input],
    surroundings: { env: { ...process.env, ...env } },
  });
}
const prove = (env: Readonly<Record<string, string>>, passphrase: string | null = null) =>
  runBody(createProveKey(), aStep('proveKey', { key: '$GPG_KEY', passphrase }, { id: 'prove/key/GPG_KEY' }), {
    home,
    surroundings: { env: { ...process.env, ...env } },
  });
const codeOf = (failed: Promise<unknown>): Promise<string> =>
  failed.then(
    () => 'none',
    (error: { problems: { code: string }[] }) => error.problems[0]!.code,
  );

/** Every file below a folder. */
const everything = (root: string): readonly string[] =>
  readdirSync(root, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [readFileSync(join(entry.parentPath, entry.name), 'latin1')] : [],
  );

test('given a key, then every file gets a signature that the public key verifies', async () => {
  const { made, around } = await sign({ GPG_KEY: first.armour });
  expect(made.artifacts.map(({ name, labels: { extension } }) => [name, extension])).toEqual([
    ['skiff-1.0.jar.asc', 'jar.asc'],
    ['skiff-1.0.pom.asc', 'pom.asc'],
  ]);
  const ring = mkdtempSync(join(folder, 'r-'));
  const env = { ...process.env, GNUPGHOME: ring };
  execFileSync('gpg', ['-q', '--batch', '--import'], {
    env,
    input: first.publicKey,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const asc = join(ring, 'skiff-1.0.jar.asc');
  await around.store.fetch(made.artifacts[0]!.digest, asc);
  const verify = (text: string): unknown => {
    writeFileSync(join(ring, 'skiff-1.0.jar'), text);
    return execFileSync('gpg', ['-q', '--batch', '--verify', asc, join(ring, 'skiff-1.0.jar')], {
      env,
      stdio: 'ignore',
    });
  };
  expect(() => verify('the jar')).not.toThrow();
  expect(() => verify('another')).toThrow();
});

test('given a second run, then its signatures are the same; another key makes others', async () => {
  const one = (await sign({ GPG_KEY: first.armour })).made;
  const file = join(folder, 'first.asc');
  writeFileSync(file, first.armour);
  const two = (await sign({ GPG_KEY: file })).made;
  expect(two).toMatchObject({ artifacts: one.artifacts, reused: true });
  const other = (await sign({ GPG_KEY: makeKey('second').armour })).made;
  expect(other.reused).toBe(false);
  expect(other.facts!['fingerprint']).not.toBe(one.facts!['fingerprint']);
  expect(other.artifacts[0]!.digest).not.toBe(one.artifacts[0]!.digest);
});

test('given a key with a passphrase, then signing needs that passphrase', async () => {
  expect(await codeOf(prove({ GPG_KEY: locked.armour }))).toBe('SIGNING_FAILED');
  const env = { GPG_KEY: locked.armour, GPG_WORD: PASSPHRASE };
  expect((await sign(env, '$GPG_WORD')).made.artifacts).toHaveLength(2);
  expect(await codeOf(prove({ ...env, GPG_WORD: 'another' }, '$GPG_WORD'))).toBe('SIGNING_FAILED');
});

test('given key and passphrase, then neither is in the store, in logs or in temporary files', async () => {
  await sign({ GPG_KEY: locked.armour, GPG_WORD: PASSPHRASE }, '$GPG_WORD');
  const canaries = [...locked.armour.split('\n').filter((line) => line.length > 40), PASSPHRASE];
  expect(canaries.length).toBeGreaterThan(3);
  const texts = everything(home);
  expect(texts.length).toBeGreaterThan(5);
  for (const canary of canaries) expect(texts.some((text) => text.includes(canary))).toBe(false);
  expect(texts.some((text) => text.includes('PRIVATE KEY'))).toBe(false);
  expect(readdirSync(home, { recursive: true }).filter((name) => String(name).includes('gnupg'))).toEqual([]);
});

test.each([
  ['nothing', {}, 'SECRET_MISSING'],
  ['the path of a missing file', { GPG_KEY: '/nowhere/key.asc' }, 'SIGNING_KEY_UNREADABLE'],
  ['a word', { GPG_KEY: 'hunter2' }, 'SIGNING_KEY_UNREADABLE'],
  ['half a key', { GPG_KEY: '-----BEGIN PGP PRIVATE KEY BLOCK-----\n\nlFgE\n' }, 'SIGNING_KEY_REFUSED'],
])('given %s as the key, then it is refused before anything is built', async (_, env, code) => {
  expect(await codeOf(prove(env))).toBe(code);
});

test('given a key, then the proof shows its id', async () => {
  expect((await prove({ GPG_KEY: first.armour })).made.note).toMatch(/^signs as [0-9A-F]{16}$/);
});

test('given a public key, then it is refused for signing', async () => {
  expect(await codeOf(sign({ GPG_KEY: first.publicKey }))).toBe('SIGNING_KEY_UNREADABLE');
});

test.each([
  ['nothing signed', ['a.jar', 'a.pom'], 0],
  ['all signed', ['a.jar', 'a.jar.asc', 'a.pom', 'a.pom.asc'], 0],
  ['one unsigned', ['a.jar', 'a.jar.asc', 'a.pom'], 1],
  ['a stray signature', ['a.jar', 'a.jar.asc', 'a.pom.asc'], 1],
])('given a target that needs signatures and %s, then missing ones are found', (_, names, expected) => {
  expect(judgeSignatures('central', names)).toHaveLength(expected);
});
