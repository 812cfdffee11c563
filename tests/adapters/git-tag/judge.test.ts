import { judgeGit } from '../../../src/adapters/git-tag/judge.js';

test.each([
  ["fatal: Authentication failed for 'https://x/y.git/'", 'TARGET_DENIED'],
  ["fatal: could not read Username for 'https://x': terminal prompts disabled", 'TARGET_DENIED'],
  ["fatal: unable to access 'https://x/y.git/': The requested URL returned error: 403", 'TARGET_DENIED'],
  ['git@x: Permission denied (publickey).\nfatal: Could not read from remote repository.', 'TARGET_DENIED'],
  ["fatal: unable to access 'https://x/y.git/': Could not resolve host: x", 'TARGET_UNREACHABLE'],
  [
    "fatal: unable to access 'https://x/': Failed to connect to x port 443: Couldn't connect to server",
    'TARGET_UNREACHABLE',
  ],
  ["fatal: unable to access 'https://x/': The requested URL returned error: 503", 'TARGET_UNREACHABLE'],
  ['ssh: connect to host x port 22: Connection timed out', 'TARGET_UNREACHABLE'],
  ['fatal: the remote end hung up unexpectedly', 'TARGET_UNREACHABLE'],
  ["fatal: '/x.git' does not appear to be a git repository", 'TARGET_REFUSED'],
  [' ! [remote rejected] v1 -> v1 (pre-receive hook declined)', 'TARGET_REFUSED'],
])("given git's message %j, then the code is %s", (words, code) => {
  expect(judgeGit('tag', 'https://x/y.git', 'a push', words)).toMatchObject({ code, evidence: expect.any(Array) });
});
