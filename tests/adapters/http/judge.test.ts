import { problemOfStatus } from '../../../src/adapters/http/judge.js';

const codeOf = (status: number): string | null => problemOfStatus('shelf', 'http://x/', status)?.code ?? null;

test('given every HTTP status, then it has one meaning for all registries', () => {
  const all = Array.from({ length: 500 }, (_, at) => at + 100);
  const judged: Record<string, number[]> = {};
  for (const status of all) (judged[codeOf(status) ?? 'the caller’s'] ??= []).push(status);
  delete judged['the caller’s'];
  expect(judged).toEqual({
    TARGET_DENIED: [401, 403],
    TARGET_TOO_LARGE: [413],
    TARGET_BROKEN: [408, 429, ...all.filter((status) => status >= 500)],
  });
});
