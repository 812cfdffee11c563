import { ROOT } from '../support/pages.js';
import { askModule } from './a-module.js';

const argumentsOf = (...argv: readonly string[]): unknown =>
  askModule('arguments.mjs', `all.argumentsOf(${JSON.stringify(ROOT)}, ${JSON.stringify(argv)})`);

test.each([
  [[], { file: 'examples/skiff/slipway.yaml' }],
  [['tests/hosts/dinghy'], { file: 'tests/hosts/dinghy/slipway.yaml' }],
  [['examples/skiff/slipway.yaml'], { file: 'examples/skiff/slipway.yaml' }],
])('given %j, then the file is %j and there is no fault', (argv, expected) => {
  expect(argumentsOf(...argv)).toEqual(expected);
});

test.each([
  ['build-x86:link', { host: 'build-x86', kind: 'link', seconds: 20 }],
  ['build-x86:link:120', { host: 'build-x86', kind: 'link', seconds: 120 }],
  ['build-arm:delay:5', { host: 'build-arm', kind: 'delay', seconds: 5 }],
  ['build-arm:kill:0', { host: 'build-arm', kind: 'kill', seconds: 0 }],
  ['control:postgres', { host: 'control', kind: 'postgres', seconds: 5 }],
  ['control:bucket:600', { host: 'control', kind: 'bucket', seconds: 600 }],
])('given --fault %s, then the fault is %j', (text, fault) => {
  expect(argumentsOf('--fault', text)).toMatchObject({ fault });
});

test.each([
  [['--fault', 'control:link'], '--fault control:link is none of build-x86:link, '],
  [['--fault', 'build-x86:postgres'], '--fault build-x86:postgres is none of build-x86:link, '],
  [['--fault', 'build-mac:link'], '--fault build-mac:link is none of build-x86:link, '],
  [['--fault', 'link'], '--fault link is none of build-x86:link, '],
  [
    ['--fault', 'build-x86:link:soon'],
    '--fault build-x86:link:soon has no whole number of seconds behind build-x86:link',
  ],
  [
    ['--fault', 'build-x86:link:1:2'],
    '--fault build-x86:link:1:2 has no whole number of seconds behind build-x86:link',
  ],
  [['--cut', 'build-x86'], "Unknown option '--cut'"],
  [['examples/skiff', 'examples/jep'], 'one release file is released, and examples/jep is named too'],
  [['examples/raft'], 'there is no release file examples/raft/slipway.yaml'],
])('given %j, then it is refused with its reason and what to type', (argv, message) => {
  expect(argumentsOf(...argv)).toEqual({
    ...{ code: 'HOSTS_ARGUMENTS', exit: 2, message: expect.stringContaining(message) },
    next: 'Type `npm run hosts -- examples/skiff [--fault HOST:FAULT[:SECONDS]]`.',
  });
});
