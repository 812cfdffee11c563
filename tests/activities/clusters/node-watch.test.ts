import { NodeWatch } from '../../../src/activities/clusters/node-watch.js';
import { aNode } from './fake-cluster.js';

/** Looks once for each answer: a number of nodes, or why they cannot be counted. */
async function looked(...answers: readonly (number | string)[]) {
  const left = [...answers];
  const said: string[] = [];
  const nodes = async () => {
    const answer = left.shift()!;
    if (typeof answer === 'string') throw new Error(answer);
    return Array.from({ length: answer }, (_, at) => aNode(`${at + 1}`));
  };
  const watch = new NodeWatch(
    { nodes },
    () => 0,
    (text) => void said.push(text),
  );
  const seen: number[] = [];
  for (const _ of answers) seen.push(await watch.look());
  return { seen, said, fault: watch.fault() };
}

test.each<[string, readonly (number | string)[], readonly string[], string | null]>([
  ['the same reason each time', ['no such host', 'no such host'], ['no such host'], 'no such host'],
  ['another reason later', ['no such host', 'refused'], ['no such host', 'refused'], 'refused'],
  ['nodes after a reason', ['no such host', 2], ['no such host'], null],
  ['nodes each time', [1, 2], [], null],
])('given %s, when nodes are counted, then each new reason is told once', async (_, answers, told, fault) => {
  const found = await looked(...answers);
  expect(found.seen).toEqual(answers.map((answer) => (typeof answer === 'number' ? answer : 0)));
  expect(found.said).toEqual(told.map((why) => expect.stringContaining(why) as string));
  expect(found.fault).toBe(fault);
});
