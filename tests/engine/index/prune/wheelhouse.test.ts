import { judgeWheelhouse, type HouseFacts } from '../../../../src/engine/index/prune/wheelhouse.js';
import type { HouseWheel } from '../../../../src/model/folder-prune.js';
import { digest } from '../an-entry.js';
import { ago, DAY_MS, NOW_MS, PLATFORM, want, wheelFile } from './a-prune.js';

const found = (more: Partial<HouseWheel> = {}): HouseWheel => ({
  ...{ folder: '.', file: wheelFile(), digest: digest('a'), size: 10, changedAt: ago(200), fault: null },
  ...more,
});
const facts = (more: Partial<HouseFacts> = {}, wheels: readonly HouseWheel[] = [found()]): HouseFacts => ({
  house: { path: '/srv/wheels', wheels, left: [] },
  wants: [],
  platforms: {
    [PLATFORM]: { arch: 'x86_64', glibc: '2.36', until: null },
    'debian-13': { arch: 'x86_64', glibc: '2.41', until: null },
  },
  upstream: new Map(),
  rules: { unusedMs: 90 * DAY_MS },
  own: new Set(),
  nowMs: NOW_MS,
  ...more,
});
function answer(more: Partial<HouseFacts>, wheel: Partial<HouseWheel> = {}): string {
  const [one] = [...judgeWheelhouse(facts(more, [found(wheel)])).values()];
  return 'stays' in one! ? `stays: ${one.stays}` : `${one!.reason}: ${one!.because}`;
}

const upstream = want('upstream');
const others = 'boat-1.0-cp311-cp311-manylinux_2_28_x86_64.whl';
test.each<[string, Partial<HouseFacts>, Partial<HouseWheel>, string]>([
  ['no list wants it', {}, {}, 'nobody asks: no list wants this version'],
  ['a list wants it', { wants: [want('build')] }, {}, 'stays: a list asks for it'],
  ['an index of ours serves the list', { wants: [want('here')] }, {}, 'stays: a list asks for it'],
  [
    'a list of another platform wants it',
    { wants: [want('build', { platform: 'debian-13' })] },
    {},
    'stays: a list asks for it',
  ],
  [
    'a list wants another version',
    { wants: [want('build', { version: '2.0' })] },
    {},
    'nobody asks: no list wants this version',
  ],
  [
    'a list wants another Python',
    { wants: [want('build', { python: 'cp313' })] },
    {},
    'nobody asks: no list wants this version',
  ],
  ['the index has not answered', { wants: [want('unanswered')] }, {}, 'stays: the index upstream has not answered'],
  ['upstream has another wheel', { wants: [upstream] }, {}, `upstream has it now: ${others}`],
  [
    'upstream has the same bytes',
    { wants: [upstream], upstream: new Map([[wheelFile(), 'a'.repeat(64)]]) },
    {},
    'upstream has it now: the same bytes',
  ],
  [
    'upstream has other bytes under its name',
    { wants: [upstream], upstream: new Map([[wheelFile(), 'b'.repeat(64)]]) },
    {},
    'upstream has it now: other bytes under this name',
  ],
  [
    'one platform takes it from upstream and one wants it',
    { wants: [upstream, want('build', { platform: 'debian-13' })] },
    {},
    'stays: a list asks for it',
  ],
  ['it was put there 89 days ago', {}, { changedAt: ago(89) }, 'stays: it is new'],
  ['its time is in the future', {}, { changedAt: ago(-400) }, 'stays: it is new'],
  ['its time cannot be read', {}, { changedAt: 'x' }, 'stays: it is new'],
  [
    'it is cut off, new and wanted',
    { wants: [want('build')] },
    { changedAt: ago(1), fault: 'it is cut off' },
    'broken: it is cut off',
  ],
  ['an entry builds its project', { own: new Set(['boat']) }, {}, 'stays: an entry of `wheels` builds its project'],
])('given a wheel of a foreign folder, when %s, then the answer is fixed', (_what, more, wheel, expected) => {
  expect(answer(more, wheel)).toBe(expected);
});

test('given a newer build in the same folder, then the older one is superseded, also if a list asks', () => {
  const newer = wheelFile('1.0', '-1');
  const judged = judgeWheelhouse(facts({ wants: [want('build')] }, [found(), found({ file: newer })]));
  expect(judged.get(`./${wheelFile()}`)).toMatchObject({ reason: 'superseded', because: newer });
  expect(judged.get(`./${newer}`)).toEqual({ stays: 'a list asks for it' });
});

test.each([
  ['is cut off', { fault: 'it is cut off' }],
  ['is in another folder', { folder: 'sub' }],
])('given a newer build that %s, then the older one stays', (_what, more) => {
  const wheels = [found(), found({ file: wheelFile('1.0', '-1'), ...more })];
  const judged = judgeWheelhouse(facts({ wants: [want('build')] }, wheels));
  expect(judged.get(`./${wheelFile()}`)).toEqual({ stays: 'a list asks for it' });
});

test('given a file that is left alone, then it stays with its reason', () => {
  const left = [{ folder: '.', file: 'a\nb', because: 'its name is no wheel' }];
  const judged = judgeWheelhouse(facts({ house: { path: '/srv', wheels: [], left } }));
  expect([...judged]).toEqual([['./a\nb', { stays: 'its name is no wheel' }]]);
});
