import { Profile } from '../../src/model/schema/profile.js';
import { HEAD, planOf, someFacts, stepOf } from './a-plan.js';

const TEXT = `${HEAD}sdists: { skiff: {} }\npublish: { index: { kind: python, files: [sdists/skiff] } }\n`;
const { profile } = someFacts();
const signing = Profile.parse({ ...profile.content, attest: { key: 'file:/keys/attest.pem' } });

test('every release attests what it sealed before anything goes out', () => {
  const made = planOf(TEXT);
  expect(stepOf(made, 'attest/release')).toMatchObject({ needs: ['seal/manifest'], params: { key: null } });
  expect(stepOf(made, 'publish/index/sdists.skiff').needs).toContain('attest/release');
  expect(made.steps.map(({ id }) => id)).not.toContain('prove/attest/key');
});

test('with a key in the profile it signs, and the key is proven first', () => {
  const made = planOf(TEXT, { profile: { name: 'live', content: signing } });
  expect(stepOf(made, 'attest/release').params).toEqual({ key: 'file:/keys/attest.pem' });
  expect(stepOf(made, 'prove/attest/key')).toMatchObject({ stage: 'prove', params: { key: 'file:/keys/attest.pem' } });
  expect(stepOf(made, 'source/skiff').wants).toContain('prove/attest/key');
});

test('the key of a JAR may be a file or a command: its proof has an id that a step may have', () => {
  const made = planOf(`${HEAD}jars: { skiff: { sign: 'command:pass show "my key"/gpg' } }\n`);
  expect(made.steps.map(({ id }) => id)).toContain('prove/key/command-pass-show-my-key-gpg');
});
