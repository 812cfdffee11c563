import type { Tried } from '../../../src/importers/importer.js';
import { boatyard, importedFrom, TODAY } from './an-environment.js';

const MAST = 'specs/mast-1.0-cauu6nz';
const FAILED: Tried = {
  ...{ run: 'run-1', at: '2026-11-20T10:00:00.000Z', until: '2026-11-27T10:00:00.000Z', isSame: true },
  ...{ code: 'SPEC_FAILED', message: 'Spack could not build mast@1.0' },
};
const OTHER = { ...FAILED, isSame: false };
const KNOWN = { spec: 'mast@1.0', because: 'needs newer headers', until: '2027-01-31' };
type Tries = Readonly<Record<string, Tried>> | null;

const imported = (tries: Tries, ...known: readonly (typeof KNOWN)[]) =>
  importedFrom(boatyard(), { known: [...known] }, tries).made;
const rowOf = ({ rows }: ReturnType<typeof imported>, name: string): string => {
  const { verdict, reason } = rows!.find(({ subject }) => subject.startsWith(name))!;
  return `${verdict}: ${reason}`;
};

const BUILD = 'build: needed by sail';
const BEFORE = `failed before: SPEC_FAILED: Spack could not build mast@1.0 (2026-11-20T10:00Z; not tried again before 2026-11-27T10:00Z); \`slipway logs ${MAST} --run run-1\``;
const IS_KNOWN = 'known: needs newer headers (until 2027-01-31)';
const TOLERATED = `${BUILD}; \`known\` lists it: needs newer headers`;

test.each<[string, Tries, readonly (typeof KNOWN)[], string]>([
  ['never failed', {}, [], BUILD],
  ['failed', { [MAST]: FAILED }, [], BEFORE],
  ['failed too long ago', { [MAST]: { ...FAILED, until: null } }, [], BUILD],
  ['failed under another hash', { [MAST]: OTHER }, [], BUILD],
  ['failed, before planning knows the failures', null, [], BUILD],
  ['is known and was never tried', {}, [KNOWN], IS_KNOWN],
  ['failed and is known', { [MAST]: FAILED }, [KNOWN], IS_KNOWN],
  ['is known by a part of its name', { [MAST]: FAILED }, [{ ...KNOWN, spec: 'mast os=debian12 ^keel' }], IS_KNOWN],
  [
    'is known on its last day',
    { [MAST]: FAILED },
    [{ ...KNOWN, until: TODAY }],
    `known: needs newer headers (until ${TODAY})`,
  ],
  ['is known no longer', { [MAST]: FAILED }, [{ ...KNOWN, until: '2026-11-19' }], BEFORE],
  ['is known in another version', { [MAST]: FAILED }, [{ ...KNOWN, spec: 'mast@2' }], BEFORE],
  ['is known, and failed under another hash', { [MAST]: OTHER }, [KNOWN], TOLERATED],
  ['is known, before planning knows the failures', null, [KNOWN], TOLERATED],
])('given a spec that %s, then it is built or not by the first rule that applies', (_, tries, known, row) => {
  const made = imported(tries, ...known);
  expect(rowOf(made, 'mast')).toBe(row);
  const isBuilt = row.startsWith(BUILD);
  const above = ['mast-1.0-cauu6nz', 'sail-1.0-6gmafus', 'skiff-1.0-d2goyii'];
  expect(made.entries.map(({ name }) => name)).toEqual([
    ...['keel-1.0-jbqqowg', 'hull-1.0-sh3j46b'],
    ...(isBuilt ? [above[0]] : []),
    ...['rudder-1.0-xrv2pac', ...(isBuilt ? above.slice(1) : [])],
  ]);
  expect(made.tolerated).toEqual(row === TOLERATED ? { [MAST]: '`known` lists it: needs newer headers' } : {});
});

test.each<[string, Tries, readonly (typeof KNOWN)[], string]>([
  ['failed before', { [MAST]: FAILED }, [], 'failed before'],
  ['is known to fail', { [MAST]: FAILED }, [KNOWN], 'is known to fail'],
])('given a spec that %s, then all that need it are left out, and name it', (_, tries, known, words) => {
  const made = imported(tries, ...known);
  const because = `left out: it needs mast@1.0 /cauu6nz, which ${words}`;
  expect([rowOf(made, 'sail'), rowOf(made, 'skiff')]).toEqual([because, because]);
  expect(made.rows!.find(({ subject }) => subject.startsWith('sail'))!.entry).toBe('specs/sail-1.0-6gmafus');
});

const noticed = (tries: Tries, ...known: readonly (typeof KNOWN)[]) =>
  imported(tries, ...known).notices!.filter(({ code }) => code !== 'ENVIRONMENT_KEY_IGNORED');

test('given a spec that failed, then a finding has the failure, its log, what is left out and what to do', () => {
  expect(noticed({ [MAST]: FAILED })).toEqual([
    {
      ...{ level: 'warning', code: 'FAILED_BEFORE', subject: 'mast@1.0 /cauu6nz' },
      why: `${BEFORE.slice('failed before: '.length).split('; `')[0]}; left out because of it: 2 specs`,
      next: `Read \`slipway logs ${MAST} --run run-1\`. Correct its recipe, type \`slipway env lock\`, and commit both, or put it on \`environments.stack.known\`. \`retryFailed: 0s\` tries it again.`,
    },
  ]);
  expect(noticed({ [MAST]: FAILED }, KNOWN)).toEqual([]);
});

test('given rows of `known` whose day is over or that no spec satisfies, then findings name them', () => {
  const rows = [
    { ...KNOWN, until: '2026-11-19' },
    { ...KNOWN, spec: 'mst' },
  ];
  expect(noticed({}, ...rows).map(({ code, subject, why }) => `${code} ${subject}: ${why}`)).toEqual([
    'KNOWN_EXPIRED mast@1.0: `environments.stack.known` lists it until 2026-11-19, which is over',
    'NAME_UNLISTED mst: `environments.stack.known` names it, and no spec of the lock satisfies it',
  ]);
});

test('given a row of `known` that is no spec, then planning fails', () => {
  const { findings, entries } = imported({}, { ...KNOWN, spec: 'mast@1.0 keel' });
  expect(findings).toMatchObject([{ code: 'SPEC_NOT_UNDERSTOOD', class: 'config' }]);
  expect(entries).toEqual([]);
});
