import type { RunStatus } from '../../src/model/messages.js';
import { details } from '../../src/workflows/details.js';
import { fc } from '../support/fixed-seed.js';

/** Markdown that Temporal's page makes links, images, headings, lists, tables or HTML of, and what ends our own blocks. */
const PIECES = [
  ...['```', '````', '~~~', '`', '\n', '\r\n', '\u2028', '\n\n', '\n    ', '\\', '\\`', '\u202e', '\u0000'],
  ...['# heading', '===', '- item', '> quote', '| a |\n|---|', '**bold**', '$x$', '{.class}', ': term', '---'],
  ...['http://evil.invalid', '[here](javascript:alert(1))', '![x](http://evil.invalid/x.png)', '<http://evil.invalid>'],
  ...['<script>alert(1)</script>', '</main>', '[ref]: http://evil.invalid', '@everyone', '#12', 'me@evil.invalid', 'é'],
];
const hostile = fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 12 }).map((pieces) => pieces.join(''));

/** What is left of Markdown without its blocks and spans of code. */
function outsideOfCode(text: string): string {
  const lines: string[] = [];
  let fence: string | null = null;
  for (const line of text.split('\n')) {
    if (fence !== null) fence = line === fence ? null : fence;
    else if (/^`{3,}$/.test(line)) fence = line;
    else lines.push(line.replace(/`[^`]*`/g, '<code>'));
  }
  expect(fence).toBeNull();
  return lines.join('\n');
}

const OURS =
  /^(\*\*[a-z ]+\*\*: <code>(, plan <code>)?(, rules 5)?|\*\*(Reasons|Held: \d+ steps?|Failed: \d+ steps?|Gates|Waits|Not taken|Progress|Next|Signals)\*\*|)$/;

test('given hostile texts in every field of a status, then Temporal’s page gets them as code only', () => {
  fc.assert(
    fc.property(fc.array(hostile, { minLength: 12, maxLength: 12 }), fc.boolean(), (texts, ended) => {
      const [a, b, c, d, e, f, g, h, i, j, k, l] = texts as [string, ...string[]] & Record<number, string>;
      const problem = { code: 'X', class: 'product', message: a, next: b, evidence: [c, d], firstError: [e] };
      const gate = { name: f, manifest: g, signed: 'optional', approvers: [h], approvals: [], quorum: 1, next: i };
      const base = { kind: 'runCommand', stage: 'steps', attempt: 1 };
      const text = details({
        ...{ workflowId: a, run: 'r', plan: `sha256:${b}`, name: c, version: d, engine: 5, startedAt: 0, paused: e },
        state: ended ? 'ended' : 'held',
        ...(ended && { verdict: { verdict: 'failed', reasons: [f, g] } }),
        ...{ problems: [problem], refused: [problem], failedNotifications: [problem], waits: h },
        waiting: [{ queue: i, since: 0, steps: 1, could: j }],
        outages: [{ service: k, since: 0, steps: 1, message: l, next: a }],
        steps: [
          { ...base, id: j, state: 'held', problems: [problem] },
          { ...base, id: k, state: 'failed', problems: [problem] },
          { ...base, id: l, state: 'at gate', because: a, gate },
          { ...base, id: b, state: 'running' },
        ],
      } as unknown as RunStatus);
      expect(outsideOfCode(text).split('\n').filter((line) => !OURS.test(line))).toEqual([]); // prettier-ignore
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4000);
    }),
  );
});
