import { secretReference, secretsOf } from '../../src/model/secret.js';
import { Secret } from '../../src/model/schema/scalars.js';
import { readChecked } from '../../src/plan/read/release-file.js';
import { Profile } from '../../src/model/schema/profile.js';

test.each([
  ['$TOKEN', { by: 'environment', name: 'TOKEN' }],
  ['file:/run/secrets/token', { by: 'file', path: '/run/secrets/token' }],
  ['file:~/.token', { by: 'file', path: '~/.token' }],
  ['command: pass show index | head -1', { by: 'command', line: 'pass show index | head -1' }],
  ['command:two\nlines', { by: 'command', line: 'two\nlines' }],
])('given %j, then it is a reference to a secret', (text, reference) => {
  expect(secretReference(text)).toEqual(reference);
  expect(Secret.safeParse(text).success).toBe(true);
});

test.each([
  'hunter2',
  '$',
  '$1A',
  '$A B',
  'file:',
  'file:relative',
  'file:~other/x',
  'command:',
  'command:  ',
  'x$TOKEN',
])('given %j, then it is no reference, and a profile refuses it', (text) => {
  expect(secretReference(text)).toBeNull();
  expect(Secret.safeParse(text).success).toBe(false);
});

test('given a key written into a profile, then it is refused without being shown', () => {
  const written = 'rehearsal: true\nattest: { key: MIGHAgEAMBMGByqGSM49 }\n';
  let told = '';
  try {
    readChecked(written, 'profiles/own.yaml', Profile);
  } catch (error) {
    told = JSON.stringify((error as { problems: unknown }).problems);
  }
  expect(told).toContain('attest.key');
  expect(told).not.toContain('MIGHAgEAMBMG');
});

test('given a plan, then its secrets are those that steps name, without user names', () => {
  const target = { name: 'a', password: '$PASSWORD', username: '$USER' };
  const steps = [
    { kind: 'proveTarget', params: { target } },
    { kind: 'promoteImage', params: { from: { ...target, password: 'file:/b' }, tag: '$NOT' } },
    {
      kind: 'publishArtifacts',
      params: { target: { password: null, extra: { kind: 'command', upload: 'x', secrets: ['DEPLOY_KEY'] } } },
    },
    { kind: 'proveKey', params: { key: '$KEY', passphrase: null } },
    { kind: 'runCommand', params: { key: 'a plain text', run: 'echo $HOME' } },
  ];
  expect(secretsOf({ steps } as never)).toEqual(['$DEPLOY_KEY', '$KEY', '$PASSWORD', 'file:/b']);
});
