import { Profile } from '../../src/model/schema/profile.js';
import { HEAD, planOf, someFacts, stepOf } from './a-plan.js';

const TEXT = `${HEAD}sdists: { skiff: {} }\npublish: { index: { kind: python, files: [sdists/skiff] } }\n`;
const { profile } = someFacts();
const signing = Profile.parse({ ...profile.content, attest: { key: 'file:/keys/attest.pem' } });

test('given a release, then it attests the sealed files before it publishes', () => {
  const made = planOf(TEXT);
  expect(stepOf(made, 'attest/release')).toMatchObject({ needs: ['seal/manifest'], params: { key: null } });
  expect(stepOf(made, 'publish/index/sdists.skiff').needs).toContain('attest/release');
  expect(made.steps.map(({ id }) => id)).not.toContain('prove/attest/key');
});

test('given a key in the profile, then the attestation is signed, and a step proves the key first', () => {
  const made = planOf(TEXT, { profile: { name: 'live', content: signing } });
  expect(stepOf(made, 'attest/release').params).toEqual({ key: 'file:/keys/attest.pem' });
  expect(stepOf(made, 'prove/attest/key')).toMatchObject({ stage: 'prove', params: { key: 'file:/keys/attest.pem' } });
  expect(stepOf(made, 'source/skiff').wants).toContain('prove/attest/key');
});

test('given a JAR key from a command, then the step that proves it has a valid id', () => {
  const made = planOf(`${HEAD}jars: { skiff: { sign: 'command:pass show "my key"/gpg' } }\n`);
  expect(made.steps.map(({ id }) => id)).toContain('prove/key/command-pass-show-my-key-gpg');
});
