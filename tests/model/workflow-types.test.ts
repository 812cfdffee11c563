import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workflowIdOf } from '../../src/model/ids.js';
import { WORKFLOW_TYPES } from '../../src/model/workflow-types.js';
import type { WorkflowType } from '../../src/model/feature-kinds.js';
import * as workflows from '../../src/workflows/index.js';
import { ROOT } from '../support/pages.js';

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const roles = read('tools/temporal-server/roles.go');
const types = Object.entries<WorkflowType>(WORKFLOW_TYPES);
const startedBy = (role: WorkflowType['startedBy'][number]): readonly string[] =>
  types.flatMap(([type, row]) => (row.startedBy.includes(role) ? [type] : []));
const list = (names: readonly string[]): string => `{${names.map((name) => `"${name}"`).join(', ')}}`;

test('given the table of types, then the bundle of workflows exports a function for each, and no other', () => {
  expect(
    Object.keys(workflows)
      .filter((name) => name !== 'default')
      .sort(),
  ).toEqual(Object.keys(WORKFLOW_TYPES).sort());
});

/** Rows of a variable of roles.go: a map of lists. */
const rowsIn = (name: string): readonly string[] =>
  (new RegExp(`var ${name} = map.*\\{([^]*?)\\n\\}`).exec(roles)?.[1] ?? '').trim().split(/,\n/).map(packed);
const packed = (line: string): string => line.replace(/,$/, '').replace(/\s+/g, ' ').trim();

test.each<[variable: string, rows: readonly string[]]>([
  ['starts', (['operator', 'control', 'door'] as const).map((role) => `"${role}": ${list(startedBy(role))}`)],
  ['named', types.flatMap(([type, { ids }]) => (ids.length === 0 ? [] : [`"${type}": ${list(ids)}`]))],
])('given the table of types, then roles.go has the same rows in %s', (variable, rows) => {
  const say = (told: readonly string[], line: string): readonly string[] =>
    told.map((row) => `tools/temporal-server/roles.go, variable ${variable}: ${line} ${row},`);
  const there = rowsIn(variable);
  expect([
    ...say(
      rows.filter((row) => !there.includes(row)),
      'write the line',
    ),
    ...say(
      there.filter((row) => !rows.includes(row)),
      'remove the line',
    ),
  ]).toEqual([]);
});

test('given the table of types, then roles.go has the same list of what schedules start', () => {
  expect(roles).toContain(`\nvar scheduled = []string${list(startedBy('schedule'))}\n`);
});

test.each(['operator', 'control', 'door'] as const)(
  'given the role %s, then docs/security.md names what it starts',
  (role) => {
    const row = read('docs/security.md').match(new RegExp(`^\\| \`${role}\\.pem\` .*`, 'm'))?.[0] ?? '';
    const absent = startedBy(role).filter((type) => !row.includes(`\`${type}\``));
    expect(
      absent.map((type) => `docs/security.md, row \`${role}.pem\`, column "may": write "start \`${type}\`"`),
    ).toEqual([]);
  },
);

test.each([
  [{ name: 'a', version: '1', rehearsal: false }, 'release'],
  [{ name: 'a', version: '1', rehearsal: true }, 'release'],
  [{ name: 'a', version: '1', rehearsal: false, pipeline: true }, 'pipeline'],
] as const)('given a run %j, then its id begins as ids of type %s do', (head, type) => {
  expect(WORKFLOW_TYPES[type].ids.some((prefix) => workflowIdOf(head).startsWith(prefix))).toBe(true);
});
