/** @needs openssl */
import { execFileSync } from 'node:child_process';
import { createHash, createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createAttestRelease } from '../../../src/activities/attest/attest-release.js';
import { createProveAttestKey } from '../../../src/activities/attest/envelope.js';
import type { Envelope } from '../../../src/model/evidence.js';
import type { Artifact } from '../../../src/model/artifact.js';
import { canonical } from '../../../src/model/json.js';
import type { Result } from '../../../src/model/result.js';
import { anArtifact, aPlan, aStep, newHome, runBody, sha256, type BodyRun } from '../../support/run-body.js';
import { built, codesOf, seal } from '../publish/release.js';

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
const PEM = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const KEYID = createHash('sha256')
  .update(publicKey.export({ type: 'spki', format: 'der' }))
  .digest('hex');

const LOCK = `# compiled
numpy==2.1.0 \\
    --hash=sha256:${'a'.repeat(64)}
    # via skiff
set-up-tools==75.1
wheel[extra]==0.45.0+local
elsewhere @ file:///wheels/elsewhere-1.0.whl
`;

async function aRelease(home: string): Promise<{ sealed: Result; artifacts: readonly Artifact[] }> {
  const artifacts = [
    await anArtifact(home, 'skiff-1.2.3-py3-none-any.whl', 'wheel bytes', { kind: 'wheel' }),
    await anArtifact(home, 'skiff-1.2.3.tar.gz', 'sdist bytes', { kind: 'sdist' }),
    await anArtifact(home, 'build.txt', LOCK, { kind: 'lock' }),
    await anArtifact(home, 'test.txt', 'Set_Up.tools==75.1 ; python_version > "3"\n', { kind: 'lock' }),
    { digest: sha256('an image'), kind: 'image' as const, name: 'skiff', size: 0, labels: {} },
  ];
  return { sealed: await seal(home, built(artifacts)), artifacts };
}

const attest = (home: string, sealed: Result, key: string | null, env: Record<string, string> = {}): Promise<BodyRun> =>
  runBody(createAttestRelease(), aStep('attestRelease', { key }, { id: 'attest/release', needs: [sealed.step] }), {
    ...{ home, inputs: [sealed] },
    surroundings: { env: { ...process.env, ...env } },
  });

async function filesOf({ made, around, home }: BodyRun): Promise<Readonly<Record<string, string>>> {
  const files: Record<string, string> = {};
  for (const { name, digest } of made.artifacts) {
    const path = join(home, 'read', name);
    await around.store.fetch(digest, path);
    files[name] = await readFile(path, 'utf8');
  }
  return files;
}

interface Statement {
  readonly _type: string;
  readonly subject: readonly { readonly name: string; readonly digest: { readonly sha256: string } }[];
  readonly predicateType: string;
  readonly predicate: {
    readonly buildDefinition: {
      readonly internalParameters: object;
      readonly resolvedDependencies: readonly object[];
    };
  };
}

test('given no key, then one unsigned statement names every product and the manifest, with the same bytes each time', async () => {
  const home = await newHome();
  const { sealed, artifacts } = await aRelease(home);
  const first = await attest(home, sealed, null);
  expect(first.made.note).toBe('4 subjects, not signed: the profile names no attest.key');
  expect(first.made.facts).toEqual({ manifest: sealed.artifacts[0]!.digest, subjects: 4, keyid: null });
  const files = await filesOf(first);
  const statement = JSON.parse(files['skiff-1.2.3.provenance.json']!) as Statement;
  expect([statement._type, statement.predicateType]).toEqual([
    'https://in-toto.io/Statement/v1',
    'https://slsa.dev/provenance/v1',
  ]);
  const products = artifacts.filter(({ kind }) => kind !== 'lock');
  const digests = [sealed.artifacts[0]!, ...products].map(({ digest }) => digest.slice('sha256:'.length)).sort();
  expect(statement.subject.map(({ digest }) => digest.sha256).sort()).toEqual(digests);
  const plan = sha256(canonical(aPlan())).slice('sha256:'.length);
  const manifest = sealed.artifacts[0]!.digest.slice('sha256:'.length);
  const { internalParameters, resolvedDependencies } = statement.predicate.buildDefinition;
  expect(internalParameters).toEqual({ plan: { sha256: plan }, manifest: { sha256: manifest } });
  expect(resolvedDependencies).toMatchObject([
    { digest: expect.any(Object) },
    { name: 'build.txt' },
    { name: 'test.txt' },
  ]);
  expect((await attest(home, sealed, null)).made.artifacts).toEqual(first.made.artifacts);
});

test('given locks, then the bill of materials has every pin once, and the statement names it', async () => {
  const home = await newHome();
  const { sealed } = await aRelease(home);
  const run = await attest(home, sealed, null);
  const files = await filesOf(run);
  const bill = JSON.parse(files['skiff-1.2.3.cdx.json']!) as {
    components: { purl: string; properties: { value: string }[] }[];
  };
  expect(bill).toMatchObject({
    ...{ bomFormat: 'CycloneDX', specVersion: '1.6', version: 1 },
    metadata: { component: { type: 'application', name: 'skiff', version: '1.2.3' } },
  });
  expect(bill.components.map(({ purl, properties }) => [purl, properties.map(({ value }) => value)])).toEqual([
    ['pkg:pypi/numpy@2.1.0', ['build.txt']],
    ['pkg:pypi/set-up-tools@75.1', ['build.txt', 'test.txt']],
    ['pkg:pypi/wheel@0.45.0%2Blocal', ['build.txt']],
  ]);
  const { digest } = run.made.artifacts.find(({ name }) => name === 'skiff-1.2.3.cdx.json')!;
  const statement = JSON.parse(files['skiff-1.2.3.provenance.json']!) as Statement;
  expect(statement.predicate).toMatchObject({ runDetails: { byproducts: [{ digest: { sha256: digest.slice(7) } }] } });
});

test('given a release, then sha256sum accepts its checksums', async () => {
  const home = await newHome();
  const { sealed, artifacts } = await aRelease(home);
  const run = await attest(home, sealed, null);
  const { SHA256SUMS = '' } = await filesOf(run);
  expect(SHA256SUMS.trim().split('\n')).toHaveLength(3);
  const folder = join(home, 'check');
  for (const artifact of [...sealed.artifacts, ...artifacts.filter(({ kind }) => kind === 'wheel' || kind === 'sdist')])
    await run.around.store.fetch(artifact.digest, join(folder, artifact.name));
  await writeFile(join(folder, 'SHA256SUMS'), SHA256SUMS);
  const check = (): string =>
    execFileSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: folder, stdio: 'pipe' }).toString();
  expect(check().match(/: OK/g)).toHaveLength(3);
  await writeFile(join(folder, 'skiff-1.2.3.tar.gz'), 'other bytes');
  expect(check).toThrow();
});

test("given a key, then the envelope's signature is valid for these bytes and this key only", async () => {
  const home = await newHome();
  const { sealed } = await aRelease(home);
  const bare = await filesOf(await attest(home, sealed, null));
  const run = await attest(home, sealed, '$ATTEST_KEY', { ATTEST_KEY: PEM });
  expect(run.made.note).toBe(`4 subjects, signed by ${KEYID.slice(0, 12)}`);
  expect(run.log + JSON.stringify(run.made)).not.toContain('PRIVATE KEY');
  const envelope = JSON.parse((await filesOf(run))['skiff-1.2.3.intoto.jsonl']!) as Envelope;
  const [signature] = envelope.signatures;
  expect([envelope.payloadType, signature!.keyid]).toEqual(['application/vnd.in-toto+json', KEYID]);
  const payload = Buffer.from(envelope.payload, 'base64');
  expect(`${payload.toString()}\n`).toBe(bare['skiff-1.2.3.provenance.json']);
  // As https://github.com/secure-systems-lab/dsse says, written out by hand.
  const pae = (body: Buffer): Buffer =>
    Buffer.concat([Buffer.from(`DSSEv1 28 application/vnd.in-toto+json ${body.length} `), body]);
  const holds = (body: Buffer, key = publicKey): boolean =>
    verify('sha256', pae(body), key, Buffer.from(signature!.sig, 'base64'));
  expect(holds(payload)).toBe(true);
  expect(holds(Buffer.from(payload.toString().replace('1.2.3', '1.2.4')))).toBe(false);
  expect(holds(payload, generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).publicKey)).toBe(false);
});

test('given a key in SEC 1 form in a file, then openssl verifies the envelope too', async () => {
  const home = await newHome();
  const { sealed } = await aRelease(home);
  const file = join(home, 'key.pem');
  await writeFile(file, privateKey.export({ type: 'sec1', format: 'pem' }));
  await writeFile(join(home, 'policy.yaml'), `policy: 1\nsecrets: ['file:${file}']\n`, { mode: 0o600 });
  const run = await attest(home, sealed, `file:${file}`);
  const envelope = JSON.parse((await filesOf(run))['skiff-1.2.3.intoto.jsonl']!) as Envelope;
  const body = Buffer.from(envelope.payload, 'base64');
  const at = (name: string): string => join(home, name);
  await writeFile(at('pae'), Buffer.concat([Buffer.from(`DSSEv1 28 ${envelope.payloadType} ${body.length} `), body]));
  await writeFile(at('sig'), Buffer.from(envelope.signatures[0]!.sig, 'base64'));
  await writeFile(at('pub'), createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }));
  const said = execFileSync('openssl', ['dgst', '-sha256', '-verify', at('pub'), '-signature', at('sig'), at('pae')]);
  expect(said.toString()).toContain('Verified OK');
});

const pemOf = (key: { export(how: { type: 'pkcs8'; format: 'pem' }): string | Buffer }): string =>
  key.export({ type: 'pkcs8', format: 'pem' }).toString();
test.each([
  ['is not a key', 'not a key at all', 'ATTEST_KEY_REFUSED'],
  [
    'is of another curve',
    pemOf(generateKeyPairSync('ec', { namedCurve: 'secp384r1' }).privateKey),
    'ATTEST_KEY_REFUSED',
  ],
  ['is RSA', pemOf(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey), 'ATTEST_KEY_REFUSED'],
  ['is the public half', publicKey.export({ type: 'spki', format: 'pem' }).toString(), 'ATTEST_KEY_REFUSED'],
  ['is missing', '', 'SECRET_MISSING'],
])('given a key that %s, then it is refused by name and not shown', async (_what, pem, code) => {
  const home = await newHome();
  const { sealed } = await aRelease(home);
  const failure: unknown = await attest(home, sealed, '$ATTEST_KEY', { ATTEST_KEY: pem }).catch(
    (error: unknown) => error,
  );
  expect(codesOf(failure)).toEqual([code]);
  expect(String((failure as Error).message)).toContain('$ATTEST_KEY');
  expect(String((failure as Error).message)).not.toContain('BEGIN');
});

test('given a signing key, then it is proved before anything is built', async () => {
  const step = aStep('proveAttestKey', { key: '$ATTEST_KEY' }, { id: 'prove/attest/key' });
  const prove = (pem: string) =>
    runBody(createProveAttestKey(), step, { surroundings: { env: { ...process.env, ATTEST_KEY: pem } } });
  expect((await prove(PEM)).made).toMatchObject({ facts: { keyid: KEYID }, note: `signs as ${KEYID.slice(0, 12)}` });
  expect(codesOf(await prove('no key').catch((error: unknown) => error))).toEqual(['ATTEST_KEY_REFUSED']);
});

test('given another manifest, then the statement differs', async () => {
  const home = await newHome();
  const { sealed } = await aRelease(home);
  const other = await seal(
    home,
    built([await anArtifact(home, 'skiff-1.2.3-py3-none-any.whl', 'x', { kind: 'wheel' })]),
  );
  const [one, two] = [await attest(home, sealed, null), await attest(home, other, null)];
  expect(one.made.artifacts.map(({ digest }) => digest)).not.toEqual(two.made.artifacts.map(({ digest }) => digest));
});
