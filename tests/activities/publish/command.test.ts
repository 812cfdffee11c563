/** @slow */
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TargetExtra } from '../../../src/model/target.js';
import { anArtifact, aStep, newHome, realSurroundings, runBody } from '../../support/run-body.js';
import { aTarget, bodies, built, codesOf, seal, sealAndPublish, verify } from './release.js';

/** A folder is the registry: `shelf/NAME`, and a list of what was sent. */
const OBSERVE = `
if [ -e "$ADDRESS/down" ]; then echo 'no answer' >&2; exit 3; fi
if [ -e "$ADDRESS/$NAME" ]; then echo "sha256:$(sha256sum "$ADDRESS/$NAME" | cut -d' ' -f1)"; else echo absent; fi`;
const UPLOAD = `
test "$(sha256sum "$FILE" | cut -d' ' -f1)" = "$SHA256"
echo "$NAME $VERSION" >> "$ADDRESS/sent"
cp "$FILE" "$ADDRESS/$NAME"`;

const lines = (more: Partial<Extract<TargetExtra, { kind: 'command' }>> = {}): TargetExtra => ({
  ...{ kind: 'command', observe: OBSERVE, upload: UPLOAD, undo: null, secrets: [] },
  ...more,
});
const shelf = (): string => mkdtempSync(join(tmpdir(), 'slipway-shelf-'));
const target = (address: string, more?: Parameters<typeof lines>[0]) =>
  aTarget({ kind: 'command', address, extra: lines(more) });
const conda = async (home: string, bytes = 'bytes', name = 'skiff-1.2.3.conda') =>
  built([await anArtifact(home, name, bytes)], 'steps/conda');
const sent = (address: string): readonly string[] => readFileSync(join(address, 'sent'), 'utf8').trim().split('\n');
const thrown = async (promise: Promise<unknown>): Promise<readonly string[]> =>
  codesOf(await promise.catch((error: unknown) => error));

test('given a file, then the command uploads it, reads it back and names its address', async () => {
  const [home, address] = [await newHome(), shelf()];
  const { made } = await sealAndPublish(home, target(address), await conda(home));
  expect(made.note).toBe('1 file uploaded');
  expect(made.facts?.['published']).toEqual([
    expect.objectContaining({ name: 'skiff-1.2.3.conda', url: `${address}/skiff-1.2.3.conda` }),
  ]);
  expect(readFileSync(join(address, 'skiff-1.2.3.conda'), 'utf8')).toBe('bytes');
  expect(sent(address)).toEqual(['skiff-1.2.3.conda 1.2.3']);
});

test('given the same release again, then nothing is uploaded, and the bytes are compared again', async () => {
  const [home, address] = [await newHome(), shelf()];
  await sealAndPublish(home, target(address), await conda(home));
  const { made, result } = await sealAndPublish(home, target(address), await conda(home));
  expect(made).toMatchObject({ reused: true, note: '1 file already there' });
  expect(sent(address)).toHaveLength(1);
  const line = `test -f "$ADDRESS/skiff-$VERSION.conda"`;
  expect((await verify(home, target(address), result, { run: line })).made.note).toContain('1 compared, then');
  writeFileSync(join(address, 'skiff-1.2.3.conda'), 'altered by somebody');
  expect(await thrown(verify(home, target(address), result))).toEqual(['VERIFY_OTHER_BYTES']);
});

test('given other bytes under our name, then it is a conflict and nothing is sent', async () => {
  const [home, address] = [await newHome(), shelf()];
  writeFileSync(join(address, 'skiff-1.2.3.conda'), 'theirs');
  expect(await thrown(sealAndPublish(home, target(address), await conda(home)))).toEqual(['OTHER_BYTES']);
  expect(readdirSync(address)).toEqual(['skiff-1.2.3.conda']);
});

test('given an unknown answer of observe, then it is asked again, and never taken as absent', async () => {
  const [home, address] = [await newHome(), shelf()];
  writeFileSync(join(address, 'down'), '');
  expect(await thrown(sealAndPublish(home, target(address), await conda(home)))).toEqual(['OBSERVE_UNKNOWN']);
  expect(readdirSync(address)).toEqual(['down']);
});

test.each([
  ['ends in the middle but arrived', `${UPLOAD}\nexit 1`, 'published'],
  ['stores nothing and says it did', 'true', 'NOT_VISIBLE'],
  ['is refused', 'echo no >&2; exit 1', 'UPLOAD_FAILED'],
  ['stores half of it', 'printf by > "$ADDRESS/$NAME"', 'OTHER_BYTES'],
])('given an upload that %s, then the outcome is as expected', async (_, upload, outcome) => {
  const [home, address] = [await newHome(), shelf()];
  const publishing = sealAndPublish(home, target(address, { upload }), await conda(home));
  const seen = await publishing.then(
    () => ['published'],
    (error: unknown) => codesOf(error),
  );
  expect(seen).toEqual([outcome]);
});

test.each([
  ['fails', 'echo broken >&2; exit 7', 'OBSERVE_FAILED'],
  ['prints something else', 'echo maybe', 'OBSERVE_NOT_UNDERSTOOD'],
  ['prints nothing', 'true', 'OBSERVE_NOT_UNDERSTOOD'],
])('given an observe line that %s, then it fails before anything is sent', async (_, observe, code) => {
  const [home, address] = [await newHome(), shelf()];
  expect(await thrown(sealAndPublish(home, target(address, { observe }), await conda(home)))).toEqual([code]);
  expect(readdirSync(address)).toEqual([]);
});

test('given secrets, then a line gets only those that it names, and no log shows them', async () => {
  const [home, address] = [await newHome(), shelf()];
  const upload = `${UPLOAD}\nprintf '%s' "$TOKEN" > "$ADDRESS/token"; printf '%s' "\${OTHER-none}" > "$ADDRESS/other"; echo "it is $TOKEN"`;
  const surroundings = { env: { ...process.env, TOKEN: 'very-secret', OTHER: 'leaked' } };
  const to = target(address, { upload, secrets: ['TOKEN'] });
  const { log } = await sealAndPublish(home, to, await conda(home), { surroundings });
  expect(readFileSync(join(address, 'token'), 'utf8')).toBe('very-secret');
  expect(readFileSync(join(address, 'other'), 'utf8')).toBe('none');
  expect(log).toContain('it is $TOKEN');
  expect(log).not.toContain('very-secret');
});

test('given a missing secret, then it is reported before anything is sent', async () => {
  const [home, address] = [await newHome(), shelf()];
  const to = target(address, { secrets: ['SURELY_NOT_SET'] });
  expect(await thrown(sealAndPublish(home, to, await conda(home)))).toEqual(['SECRET_MISSING']);
});

test('given a name with shell characters, then it is passed as one word', async () => {
  const [home, address] = [await newHome(), shelf()];
  const name = '$(touch x) ; "a".conda';
  await sealAndPublish(home, target(address), await conda(home, 'bytes', name));
  expect(readdirSync(address).sort()).toEqual([name, 'sent'].sort());
});

test('given a script of the bundle, then it works as an upload line', async () => {
  const [home, address] = [await newHome(), shelf()];
  const files = { 'send.sh': `#!/bin/sh -eu\ncp "$FILE" "$ADDRESS/$NAME"\n` };
  const to = target(address, { upload: '"$SLIPWAY_FILES"/send.sh' });
  expect((await sealAndPublish(home, to, await conda(home), { files })).made.note).toBe('1 file uploaded');
});

test('given a published file, then the ledger has what was wanted, observed and done', async () => {
  const [home, address] = [await newHome(), shelf()];
  writeFileSync(join(address, 'skiff-1.2.3.conda'), 'theirs');
  await sealAndPublish(home, target(address), await conda(home)).catch(() => undefined);
  const { store } = realSurroundings(home);
  const states = (await store.list('ledger/')).map((record) => record.replace(/.*\/(\w+)-.*/, '$1'));
  expect(states).toEqual(['observed', 'wanted']);
});

test('given a file outside the seal, then it is not uploaded', async () => {
  const [home, address] = [await newHome(), shelf()];
  const build = await conda(home);
  const sealed = await seal(home, build);
  const other = built([await anArtifact(home, 'skiff-1.2.3.conda', 'made after the seal')], 'steps/conda');
  const step = aStep('publishArtifacts', { target: target(address), of: ['steps/conda'], tags: [] });
  const publishing = runBody(bodies().publishArtifacts, step, { home, inputs: [sealed, other] });
  expect(await thrown(publishing)).toEqual(['SEAL_DIFFERS']);
  expect(readdirSync(address)).toEqual([]);
});
