import { init } from '../../src/cli/commands/init.js';
import type { Ports } from '../../src/cli/ports.js';
import type { Checkout } from '../../src/model/checkout.js';
import { fakeIo, fakePorts } from './fake-ports.js';

const checkout = (over: Partial<Checkout> = {}): Checkout => ({
  name: 'skiff',
  git: { folder: '', hasCommit: true, tags: ['v1.2.0'], remote: 'git@forge.example:Ann/Skiff.git' },
  paths: ['Dockerfile'],
  texts: { Dockerfile: 'FROM scratch\n' },
  toml: {},
  broken: [],
  fitsBundle: true,
  ...over,
});

function ports(facts: Checkout): { readonly ports: Ports; readonly written: string[][] } {
  const written: string[][] = [];
  const checkouts = {
    read: async () => facts,
    writeNew: async (folder: string, path: string, text: string) => void written.push([folder, path, text]),
  };
  return { ports: { ...fakePorts(), checkouts: async () => checkouts }, written };
}

test('given a checkout, then it writes the file and says what to type next', async () => {
  const io = fakeIo();
  const { ports: outside, written } = ports(checkout());
  expect(await init.run({ args: {}, options: {} }, io, outside)).toBe(0);
  expect(written).toEqual([['.', 'slipway.yaml', expect.stringContaining('repository: ann/skiff')]]);
  expect(io.printed).toEqual([
    'wrote slipway.yaml',
    'next: slipway plan, then slipway run --wait; slipway up starts the services',
  ]);
});

test('given a project for several Pythons, then it says that fewer make a first run faster', async () => {
  const printed = async (requires: string) => {
    const io = fakeIo();
    const toml = { 'pyproject.toml': { project: { name: 'skiff', version: '1.0', 'requires-python': requires } } };
    const texts = { 'pyproject.toml': '' };
    await init.run({ args: {}, options: {} }, io, ports(checkout({ paths: ['pyproject.toml'], texts, toml })).ports);
    return io.printed[1];
  };
  expect(await printed('>=3.10')).toBe('fewer `pythons:` in it make a first run faster');
  expect(await printed('==3.12.*')).toMatch(/^next: /);
});

test('given a file that `run` does not find by itself, then the next command names it', async () => {
  const io = fakeIo();
  const { ports: outside } = ports(checkout({ fitsBundle: false }));
  await init.run({ args: { folder: 'libs/skiff/' }, options: {} }, io, outside);
  expect(io.printed[1]).toBe(
    'next: slipway plan libs/skiff/release/slipway.yaml, then slipway run libs/skiff/release/slipway.yaml --wait; slipway up starts the services',
  );
});

test('given --print, then it writes nothing', async () => {
  const io = fakeIo();
  const { ports: outside, written } = ports(checkout());
  await init.run({ args: {}, options: { print: true } }, io, outside);
  expect(written).toEqual([]);
  expect(io.printed[0]).toMatch(/^# Written by `slipway init` from Dockerfile\.[^]*publish:/);
});

test.each([
  ['fetch', 'FROM debian\nRUN set -e; \\\n    apt-get update\n', true],
  ['fetch with pip', 'FROM python\nRUN pip install skiff\n', true],
  ['fetch nothing', 'FROM scratch\n# curl would fetch\nCOPY pip.conf /etc/\n', false],
])(
  'given a Dockerfile whose lines %s, when init writes, then the image has the network as they need it',
  async (_, Dockerfile, fetches) => {
    const io = fakeIo();
    const { ports: outside } = ports(checkout({ texts: { Dockerfile } }));
    await init.run({ args: {}, options: { print: true } }, io, outside);
    expect(/context: source, network: true \} # its lines fetch/.test(io.printed[0]!)).toBe(fetches);
  },
);
