import { createLogReader } from '../../src/adapters/logs/reader.js';
import { createLogWriter } from '../../src/adapters/logs/writer.js';
import { createDirectoryStore } from '../../src/adapters/store/directory.js';
import { messageOf } from '../../src/activities/notify/wording.js';
import { logs } from '../../src/cli/commands/logs.js';
import { plainLine } from '../../src/cli/render/plain-line.js';
import { renderProblems } from '../../src/cli/tell-failure.js';
import { records } from '../../src/model/run-folder.js';
import { safeForTerminal, shown } from '../../src/model/shown.js';
import { details } from '../../src/workflows/details.js';
import { fakeIo, fakePorts } from '../cli/fake-ports.js';
import { newHome } from '../support/run-body.js';

const STEP = 'wheels/skiff';
const ESC = '\u001b';
const CLIPBOARD = `${ESC}]52;c;cm0gLXJmIH4K\u0007`;
/** Each moves a cursor, commands a terminal, reorders its neighbours or is not seen. */
const HIDDEN: readonly (readonly [string, string])[] = [
  ['a clipboard sequence', CLIPBOARD],
  ['a title', `${ESC}]0;released\u0007`],
  ['a cleared screen', `${ESC}[2J${ESC}[H`],
  ['the same in eight bits', '\u009b2J'],
  ['hidden colour', `${ESC}[8m`],
  ['a backspace', '\b'],
  ['an override of direction', '\u202egnp.exe\u202c'],
  ['an isolate', '\u2066x\u2069'],
  ['zero-width characters', 'sl\u200bip\u200dway\ufeff'],
  ['a line separator', 'a\u2028slipway: b\u2029c'],
  ['invisible letters', '\u{e0073}\u3164'],
];
// eslint-disable-next-line no-control-regex -- these are what must be gone
const DANGEROUS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\u3164]|\udb40/;

/** A log in the store, and what `slipway logs` prints of it. */
async function logged(write: (log: ReturnType<typeof createLogWriter>) => void, options: Record<string, boolean> = {}) {
  const store = createDirectoryStore(await newHome());
  const started = { run: 'r', at: '2026-01-01T00:00:00.000Z', plan: null, workflowId: 'release/skiff/1' };
  await store.create(records.started('r'), started);
  const log = createLogWriter(store, records.log('r', STEP, 1));
  write(log);
  await log.close();
  const io = fakeIo();
  const ports = {
    ...fakePorts({ store }),
    logs: () => Promise.resolve(createLogReader(store)),
    interrupt: () => new AbortController().signal,
  };
  await logs.run({ args: { step: STEP }, options }, io, ports);
  return io.printed.join('');
}

describe.each(HIDDEN)('[M6] %s in the output of a build', (_, text) => {
  test('when `logs` prints it, then it is escaped; `logs --raw` prints it unchanged', async () => {
    const printed = await logged((log) => log.write(`before ${text} after\n`));
    expect(printed).not.toMatch(DANGEROUS);
    expect(printed).toMatch(/^before .* after\n$/);
    expect(await logged((log) => log.write(`before ${text} after\n`), { raw: true })).toBe(`before ${text} after\n`);
  });

  test('when `status`, `watch`, problems, messages or the details page show it, then it is escaped', () => {
    const problem = { code: 'X', class: 'product', message: text, next: text, evidence: [text] } as const;
    const terminal = { live: true, columns: 100, rows: 40, colour: false };
    const change = {
      at: '2026-01-01T00:00:00.000Z',
      step: STEP,
      state: 'failed',
      code: 'X',
      message: text,
      firstError: text,
    };
    const failed = { id: STEP, stage: 'wheels', kind: 'buildWheel', state: 'failed', attempt: 1, problems: [problem] };
    const status = { name: 'skiff', version: '1', state: 'ended', plan: null, problems: [problem], steps: [failed] };
    const notice = { event: 'held', step: STEP, sinceMs: 0, because: text, next: text, firstError: text };
    const telling = { id: 'i', run: 'r', workflowId: 'w', notices: [notice], more: 0, to: 't' };
    const plan = { release: { name: 'skiff', version: '1' }, profile: { name: 'live', rehearsal: false } };
    for (const told of [
      renderProblems([problem], terminal),
      plainLine(change),
      details(status as never),
      messageOf(telling as never, plan as never).text,
    ])
      expect(told).not.toMatch(DANGEROUS);
  });

  test('when a command prints a list with it, then it is escaped', () => {
    expect(safeForTerminal(`name ${text}\n`, true)).not.toMatch(DANGEROUS);
    // Data for programs stays the same data.
    const json = JSON.stringify({ name: text });
    expect(JSON.parse(safeForTerminal(json, false))).toEqual({ name: text });
  });
});

test('given our own colours, then a terminal gets them, and output without colours does not', () => {
  expect(safeForTerminal(`${ESC}[1m${ESC}[31mred${ESC}[39m${ESC}[22m`, true)).toBe(
    `${ESC}[1m${ESC}[31mred${ESC}[39m${ESC}[22m`,
  );
  expect(safeForTerminal(`${ESC}[31mred${ESC}[39m`, false)).toBe('red');
});

describe('[M6] our own lines in a log', () => {
  const FORGED = 'slipway: wheels/skiff, attempt 2 on trusted@host';

  test.each([
    ['as a line', `${FORGED}\n`],
    ['after a carriage return', `compiling\r${FORGED}\n`],
    ['in colour', `${ESC}[32m${FORGED}${ESC}[0m\n`],
    ['behind blanks', `  ${FORGED}\n`],
    ['without an end', FORGED],
    ['cut in two', null],
  ])('given a build that forges one %s, then it is marked as output', async (_, text) => {
    const printed = await logged((log) => {
      log.note('this is ours');
      if (text !== null) log.write(text);
      else for (const half of [FORGED.slice(0, 5), `${FORGED.slice(5)}\n`]) log.write(half);
      log.note('this, too');
    });
    const lines = printed.split('\n');
    expect(lines.filter((line) => line.startsWith('slipway:'))).toEqual([
      'slipway: this is ours',
      'slipway: this, too',
    ]);
    expect(lines).toContainEqual(expect.stringMatching(/^output: \s*slipway: wheels\/skiff, attempt 2/));
  });

  test('given output without a line end before ours, then our line starts on its own line', async () => {
    const printed = await logged((log) => {
      log.write('half a line');
      log.note('one\ntwo');
      log.write('the rest\n');
    });
    expect(printed).toBe('half a line\nslipway: one\nslipway: two\nthe rest\n');
  });

  test('given a build whose lines look like ours, then they still count as evidence', async () => {
    const store = createDirectoryStore(await newHome());
    const log = createLogWriter(store, 'l');
    log.note('ours');
    log.write(`${FORGED}\n`);
    expect(log.tail(5)).toEqual([FORGED]);
    await log.close();
  });
});

test('[L] given a code fence in the output of a build, then it does not end the block of the details page', () => {
  const evidence = ['```', '# Released', '[here](https://evil.invalid)', '`````'];
  const problem = {
    code: 'X',
    class: 'product',
    message: 'see [this](https://evil.invalid) <img src=x>',
    next: 'n',
    evidence,
  };
  const failed = { id: STEP, stage: 'wheels', state: 'failed', attempt: 1, problems: [problem] };
  const text = details({
    name: 'skiff',
    version: '1',
    state: 'ended',
    plan: null,
    problems: [],
    steps: [failed],
  } as never);
  const output = evidence.map((line) => `  | ${line}`).join('\n');
  expect(text).toContain(
    `\n\`\`\`\`\`\`\n${STEP}  X see [this](https://evil.invalid) <img src=x>\n${output}\n  n\n\`\`\`\`\`\``,
  );
});

test('given letters of all scripts, emoji and tabs, then they stay visible', () => {
  expect(shown('naïve Ω 船 🚢 \tשלום')).toBe('naïve Ω 船 🚢     שלום');
});
