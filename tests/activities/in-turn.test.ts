import { inTurn } from '../../src/activities/in-turn.js';

test('given one folder, then its users run one at a time, other folders in parallel, also after a failure', async () => {
  const events: string[] = [];
  let letGo = (): void => undefined;
  const held = new Promise<void>((resolve) => (letGo = resolve));
  const first = inTurn('a', async () => {
    events.push('first begins');
    await held;
    events.push('first fails');
    throw new Error('first');
  });
  const second = inTurn('a', async () => events.push('second'));
  await inTurn('b', async () => events.push('elsewhere'));
  letGo();
  await expect(first).rejects.toThrow('first');
  await second;
  expect(events).toEqual(['first begins', 'elsewhere', 'first fails', 'second']);
});
