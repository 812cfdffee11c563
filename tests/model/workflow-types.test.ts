import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workflowIdOf } from '../../src/model/ids.js';
import { WORKFLOW_TYPES } from '../../src/model/workflow-types.js';
import type { WorkflowType } from '../../src/model/feature-kinds.js';
import * as workflows from '../../src/workflows/index.js';
import { ROOT } from '../support/pages.js';

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const roles = read('tools/temporal-server/roles.go');
const words = (text: string): readonly string[] => [...text.matchAll(/"([^"]+)"/g)].map(([, word]) => word!);
/** Reads a variable of roles.go: a map of lists of texts. */
const mapIn = (name: string): Readonly<Record<string, readonly string[]>> => {
  const [, body = ''] = new RegExp(`var ${name} = map\\[string\\]\\[\\]string\\{([^]*?)\\n\\}`).exec(roles) ?? [];
  return Object.fromEntries([...body.matchAll(/"(\w+)":\s*\{(.*)\}/g)].map(([, key, list]) => [key, words(list!)]));
};
const types = Object.entries<WorkflowType>(WORKFLOW_TYPES);
const startedBy = (role: WorkflowType['startedBy'][number]): readonly string[] =>
  types.flatMap(([type, row]) => (row.startedBy.includes(role) ? [type] : []));

test('given the table of types, then the bundle of workflows exports a function for each, and no other', () => {
  expect(
    Object.keys(workflows)
      .filter((name) => name !== 'default')
      .sort(),
  ).toEqual(Object.keys(WORKFLOW_TYPES).sort());
});

test('given the table of types, then the server gives the same rights to certificates', () => {
  expect(mapIn('starts')).toEqual({ operator: startedBy('operator'), control: startedBy('control') });
  expect(words(/var scheduled = \[\]string\{(.*)\}/.exec(roles)![1]!)).toEqual(startedBy('schedule'));
  const named = types.flatMap(([type, { ids }]) => (ids.length === 0 ? [] : [[type, ids]]));
  expect(mapIn('named')).toEqual(Object.fromEntries(named));
});

test.each(['operator', 'control'] as const)('given the role %s, then docs/security.md names what it starts', (role) => {
  const line =
    read('docs/security.md')
      .split('\n')
      .find((one) => one.startsWith(`| \`${role}.pem\``)) ?? '';
  for (const type of startedBy(role)) expect(line).toContain(`\`${type}\``);
});

test.each([
  [{ name: 'a', version: '1', rehearsal: false }, 'release'],
  [{ name: 'a', version: '1', rehearsal: true }, 'release'],
  [{ name: 'a', version: '1', rehearsal: false, pipeline: true }, 'pipeline'],
] as const)('given a run %j, then its id begins as ids of type %s do', (head, type) => {
  expect(WORKFLOW_TYPES[type].ids.some((prefix) => workflowIdOf(head).startsWith(prefix))).toBe(true);
});
