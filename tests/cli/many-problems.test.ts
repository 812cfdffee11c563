import { renderProblems, tellFailure } from '../../src/cli/tell-failure.js';
import { SlipwayFailure } from '../../src/model/failure.js';
import { aProblem } from '../engine/a-skeleton.js';
import { fakeIo } from './fake-ports.js';

const many = (code: string, count: number) =>
  Array.from({ length: count }, (_, at) =>
    aProblem({ code, message: `${code} of test ${at}`, next: 'Lower `wait.nodes`.', class: 'config' }),
  );
const all = [...many('NODES', 102), ...many('OTHER', 4)];
const linesOf = (text: string, code: string) => text.split('\n').filter((line) => line.includes(`${code} of test`));

test('given many problems of one cause, then three of them are told with a count, and others in full', () => {
  const told = renderProblems(all, { colour: false });
  expect(linesOf(told, 'NODES')).toHaveLength(3);
  expect(told).toContain('and 99 more NODES of the same cause: --all tells them');
  expect(linesOf(told, 'OTHER')).toHaveLength(4);
  expect(told).toMatch(/106 problems$/);
});

test.each(['all', 'json'])('given --%s, then each problem is told', (option) => {
  const io = fakeIo();
  const typed = { spec: { name: 'check' }, input: { args: {}, options: { [option]: true } } };
  tellFailure(new SlipwayFailure(all), typed, io, false);
  expect(linesOf(io.chatter.join('\n'), 'NODES')).toHaveLength(102);
});
