import { buildkiteJob } from '../../../src/model/tests/buildkite.js';

const PAGE = 'https://buildkite.example.invalid/ray/release/builds/7';
const JOB = '0190f1c2-5b1e-4b7f-9a55-3c1d6b6f0a11';

test('given the variables of a Buildkite job, then they are its labels', () => {
  expect(buildkiteJob(PAGE, JOB)).toEqual({ url: PAGE, job: JOB });
});

test.each<[string, unknown, unknown]>([
  ['no variable', undefined, undefined],
  ['no job', PAGE, undefined],
  ['no page', undefined, JOB],
  ['values that are no text', { toString: () => PAGE }, 7],
  ['a page that is no address', 'builds/7', JOB],
  ['a script in place of a page', 'javascript:alert(1)', JOB],
  ['a file in place of a page', 'file:///etc/passwd', JOB],
  ['a page with a password', 'https://kim:pw@buildkite.example.invalid/7', JOB],
  ['a page with a fragment of its own', `${PAGE}#other`, JOB],
  ['a page with a line break', `${PAGE}\n| row |`, JOB],
  ['a page with a hidden direction mark', `${PAGE}\u202e`, JOB],
  ['a page of 501 characters', `${PAGE}/${'x'.repeat(501 - PAGE.length - 1)}`, JOB],
  ['a job with a line break', PAGE, `${JOB}\n`],
  ['a job that is Markdown', PAGE, '[x](https://example.invalid)'],
  ['a job of 101 characters', PAGE, 'x'.repeat(101)],
])('given %s, then no label is taken', (_, url, job) => {
  expect(buildkiteJob(url, job)).toBeNull();
});
