import { readRefresh } from '../../../src/engine/index/refresh.js';
import { statusPage } from '../../../src/engine/index/status-page.js';
import { anEntry } from './an-entry.js';
import { aRefresh, wanted } from './a-refresh.js';

const listed = [
  anEntry('boat-1.0-py3-none-any.whl', { size: 10, uploadTime: '2026-11-22T10:00:00.000000Z' }),
  { ...anEntry('boat-2.0-py3-none-any.whl', { size: 20, uploadTime: '2026-11-23T10:00:00.000000Z' }), yanked: 'bad' },
  anEntry('oars-1.0-py3-none-any.whl', { size: 30, uploadTime: '2026-11-21T10:00:00.000000Z' }),
];
const refresh = aRefresh({
  wheels: [
    wanted(),
    wanted({ project: 'harbour', version: '0.9', state: 'failed', because: 'krb5-config: not found' }),
    wanted({ project: 'ldap', version: '3', state: 'known', because: 'needs newer headers (until 2027-01-31)' }),
    wanted({ project: 'ldap', version: '3', python: 'cp313', state: 'to build', because: 'sdist only' }),
  ],
});

test('given wheels and the last run, then both pages say what the index holds and what became of the wanted wheels', () => {
  const { json, html } = statusPage('debian-12', listed, [refresh]);
  const { refreshes, ...holds } = JSON.parse(json) as { refreshes: readonly Record<string, unknown>[] };
  expect(holds).toEqual({
    ...{ slipway: 1, platform: 'debian-12', wheels: 3, projects: 2, yanked: 1, bytes: 60 },
    newest: '2026-11-23T10:00:00.000000Z',
  });
  expect(refreshes).toMatchObject([
    {
      ...{ pipeline: 'boats', workflowId: refresh.workflowId, at: refresh.at, wheels: refresh.wheels },
      targets: [
        { target: 'cp311', wanted: 3, counts: { here: 1, failed: 1, known: 1, 'to build': 0 } },
        { target: 'cp313', wanted: 1, counts: { here: 0, 'to build': 1 } },
      ],
    },
  ]);
  for (const text of ['krb5-config: not found', 'needs newer headers (until 2027-01-31)', 'Failed', 'Known to fail'])
    expect(html).toContain(text);
});

test('given wheels that a run wanted, then the page links those projects that have a page, all projects and the JSON', () => {
  const wheels = ['boat', 'harbour'].map((project) => wanted({ project, state: 'failed' }));
  const { html } = statusPage('debian-12', listed, [aRefresh({ wheels })]);
  expect([...html.matchAll(/href="([^"]*)"/g)].map(([, to]) => to)).toEqual(['./', 'status.json', 'boat/']);
  expect(html).toContain('<td>harbour</td>');
});

test('given the same records in another order, then the bytes are the same', () => {
  const other = aRefresh({ pipeline: 'asked' });
  const one = statusPage('debian-12', listed, [refresh, other]);
  expect(statusPage('debian-12', listed.toReversed(), [other, refresh])).toEqual(one);
});

test('given no wheel and no run, then both pages are valid', () => {
  const { json, html } = statusPage('debian-12', [], []);
  expect(JSON.parse(json)).toMatchObject({ wheels: 0, newest: null, refreshes: [] });
  expect(html).toContain('<td>none</td>');
});

const EVIL = `"><script>alert('x')</script><img src=x onerror=alert(1)>&lt;\u2028</td>`;

test('given texts that are HTML, then the page has no element of theirs', () => {
  const evil = aRefresh({
    ...{ pipeline: EVIL, workflowId: EVIL, at: EVIL },
    wheels: [wanted({ project: EVIL, version: EVIL, python: EVIL, state: 'failed', because: EVIL })],
  });
  const { html, json } = statusPage(EVIL, [], [evil]);
  const elements = new Set([...html.matchAll(/<\/?([a-z0-9]+)/g)].map(([, name]) => name));
  expect([...elements].sort()).toEqual(
    ['a', 'body', 'h1', 'h2', 'h3', 'head', 'html', 'meta', 'p', 'table', 'td', 'th', 'title', 'tr'].sort(),
  );
  expect(html).not.toMatch(/<script|<img|onerror=alert\(1\)>/);
  expect(html).toContain(`content="default-src 'none'"`);
  expect(JSON.parse(json)).toMatchObject({ platform: EVIL, refreshes: [{ pipeline: EVIL }] });
});

test('given 2000 failed wheels, then the HTML page names 500 and counts the rest, and the JSON page has all', () => {
  const wheels = Array.from({ length: 2000 }, (_, at) => wanted({ project: `boat${at}`, state: 'failed' }));
  const { html, json } = statusPage('debian-12', [], [aRefresh({ wheels })]);
  expect([...html.matchAll(/<td>boat\d+<\/td>/g)]).toHaveLength(500);
  expect(html).toContain('And 1500 more: <a href="status.json">status.json</a> has all.');
  expect((JSON.parse(json) as { refreshes: [{ wheels: [] }] }).refreshes[0].wheels).toHaveLength(2000);
});

const PATH = 'debian-12/refreshes/boats.json';

test('given the record of a run, then it is read as it was written', () => {
  expect(readRefresh(PATH, JSON.stringify(refresh))).toEqual(refresh);
});

test.each([
  ['cut off', JSON.stringify(refresh).slice(0, 100)],
  ['null', 'null'],
  ['a list', '[]'],
  ['of another pipeline', JSON.stringify({ ...refresh, pipeline: 'others' })],
  ['of a pipeline with half a character', JSON.stringify({ ...refresh, pipeline: '\ud800' })],
  ['of a time that is none', JSON.stringify({ ...refresh, at: 'yesterday' })],
  ['with a wheel of another state', JSON.stringify({ ...refresh, wheels: [{ ...wanted(), state: 'lost' }] })],
  ['with a wheel that is null', JSON.stringify({ ...refresh, wheels: [null] })],
  ['with a number as project', JSON.stringify({ ...refresh, wheels: [{ ...wanted(), project: 7 }] })],
])('given a record that is %s, then it is a finding', (_what, text) => {
  expect(readRefresh(PATH, text)).toMatchObject({ code: 'INDEX_REFRESH_DAMAGED', subject: PATH });
});
