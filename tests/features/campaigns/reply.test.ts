import { Parser } from 'commonmark';
import * as fc from 'fast-check';
import { code, line, prose } from '../../../src/features/campaigns/pure/comments/quiet.js';
import { readDirectives } from '../../../src/features/campaigns/pure/comments/directives.js';
import { LONGEST } from '../../../src/features/campaigns/pure/comments/lines.js';
import { Hooks } from '../../../src/features/campaigns/schemas/hooks.js';
import {
  markerOf,
  renderReply,
  type Planned,
  type ReplyState,
} from '../../../src/features/campaigns/pure/comments/reply.js';
import type { Problem } from '../../../src/model/failure.js';
import type { RunStatus, StepStatus } from '../../../src/model/messages.js';

const planned: Planned = {
  ...{
    job: 'night',
    run: 'pipeline/night/pr-7-c31',
    by: 'alice',
    commit: 'a'.repeat(40),
    presets: ['ci', 'big'],
    steps: 4,
  },
  settings: [{ path: 'service.port', value: '8080', from: 'preset big, config.yaml:12' }],
  leftOut: [{ id: 'steps/prepare', because: '--skip names it' }],
};
const broken: Problem = {
  ...{ code: 'COMMAND_FAILED', class: 'product', message: 'load.sh exited with 1', next: 'Correct load.sh' },
  ...{ firstError: ['Error: no @route'], evidence: Array.from({ length: 30 }, (_, at) => `line ${at} @everyone`) },
};
const step = (id: string, state: StepStatus['state'], problems?: readonly Problem[]): StepStatus => ({
  ...{ id, kind: 'runCommand', stage: id.split('/')[0] as 'steps', state, attempt: 1 },
  ...(problems && { problems }),
});
const statusOf = (rest: Partial<RunStatus>): RunStatus => ({
  ...{
    name: 'night',
    version: 'pr-7-c31',
    rehearsal: false,
    pipeline: true,
    workflowId: planned.run,
    run: 'r',
    plan: null,
  },
  ...{ state: 'running', startedAt: 0, steps: [], problems: [], ...rest },
});
const hooks = Hooks.parse({
  ...{ hooks: 1, repository: 'skiff/boat', token: '$T', secret: '$S' },
  jobs: { night: { file: 'night.yaml', presets: ['ci'] }, plot: { file: 'plot.yaml', args: 'none' } },
});
const reply = (state: object): string => renderReply({ mark: 'comment/skiff/boat/31', ...state } as ReplyState);
const body = (state: object): string => reply(state).split('\n').slice(2).join('\n');

describe('A reply', () => {
  it('begins with its marker', () =>
    expect(reply({ kind: 'help', hooks }).split('\n')[0]).toBe('<!-- slipway comment/skiff/boat/31 -->'));

  it('of a run that is to start tells presets, settings, and what is left out', () => {
    expect(body({ kind: 'run', planned, status: null })).toBe(`**night**: to start

- 4 steps at commit \`${planned.commit}\`, for \`alice\`
- preset \`ci\`
- preset \`big\`
- \`service.port\` is \`8080\`: \`preset big, config.yaml:12\`
- \`steps/prepare\` is left out: --skip names it
- type \`slipway status pipeline/night/pr-7-c31\`
`);
  });

  it('of a run tells stages, failures with their lines, and the verdict', () => {
    const steps = [
      step('source/night', 'done'),
      step('steps/clean', 'done'),
      step('steps/load', 'failed', [broken]),
      step('steps/after', 'running'),
    ];
    const verdict = { verdict: 'failed', reasons: ['steps/load failed'] } as const;
    const said = body({
      kind: 'run',
      planned: { ...planned, settings: [], leftOut: [] },
      status: statusOf({ steps, verdict, state: 'ended' }),
    });
    expect(said).toContain('**night**: failed\n');
    expect(said).toContain(
      '\n- stage source: 1 done\n- stage steps: 1 done, 1 failed, 1 running\n- verdict: steps/load failed\n',
    );
    expect(said).toContain(
      '`steps/load` failed. `COMMAND_FAILED` load.sh exited with 1. Correct load.sh\n\n```\nError: no @route\n…\nline 20 @everyone\n',
    );
    expect(said.match(/line \d+ @everyone/g)).toHaveLength(10);
  });

  it.each([
    ['did you mean "nightly"?', 'did you mean "nightly"? Correct load.sh'],
    ['its list ends…', 'its list ends… Correct load.sh'],
    ['it ended.', 'it ended. Correct load.sh'],
  ])('of a failure that says %s has one mark at its end', (message, said) => {
    const steps = [step('steps/load', 'failed', [{ ...broken, message }])];
    expect(body({ kind: 'run', planned, status: statusOf({ steps }) })).toContain(`\`COMMAND_FAILED\` ${said}\n`);
  });

  it('of a run that nobody follows ends in a sentence', () => {
    expect(body({ kind: 'run', planned, status: null, isLost: true })).toContain(
      '**night**: the run is not followed any more, and may not have started. The operator must look.\n',
    );
  });

  it('of a run that could not be planned anew tells its own problem', () => {
    expect(body({ kind: 'run', planned, status: statusOf({ problems: [broken], state: 'ended' }) })).toContain(
      '`pipeline/night/pr-7-c31` failed. `COMMAND_FAILED`',
    );
  });

  it.each<[string, object, string]>([
    ['a plan', { kind: 'plan', planned }, '**night**: what it would do. Nothing has started.'],
    [
      'help',
      { kind: 'help', hooks },
      'Jobs, for those with permission write:\n\n- `/test night PRESETS` with `ci`\n- `/test plot`',
    ],
    [
      'a stranger',
      { kind: 'refused', why: 'stranger', by: 'mallory' },
      '`mallory` may not start runs of this repository.',
    ],
    [
      'a fork',
      { kind: 'refused', why: 'fork', by: 'mallory' },
      '`mallory` asked in a pull request of another repository. hooks.yaml has `forks: refuse`.',
    ],
    ['a push after the comment', { kind: 'refused', why: 'pushed', by: 'bob' }, 'comment again.'],
    ['an edited comment', { kind: 'refused', why: 'edited', by: 'bob' }, 'That starts nothing: write a new one.'],
    ['a closed pull request', { kind: 'refused', why: 'closed', by: 'bob' }, 'Nothing has started.'],
    ['an end', { kind: 'cancelled', runs: ['pipeline/a/b'], by: 'bob' }, '`bob` ends 1 open runs.\n\n- `pipeline/a/b`'],
    [
      'mistakes',
      {
        kind: 'mistakes',
        mistakes: [
          {
            in: 'comment',
            line: 3,
            text: '/tset @night',
            message: '/tset is no directive; did you mean "/test"?',
            next: 'Correct it.',
          },
          { in: 'body', line: 1, text: '/var', message: 'No path.', next: 'Write it.' },
        ],
        problems: [
          { ...broken, place: { file: 'config.yaml', line: 3, column: 1 } },
          { ...broken, message: 'no preset nightli; did you mean "nightly"?' },
        ],
      },
      `Nothing has started.

- line 3: \`/tset @night\` /tset is no directive; did you mean "/test"? Correct it.
- description, line 1: \`/var\` No path. Write it.
- \`COMMAND_FAILED\` \`config.yaml:3:1\` load.sh exited with 1. Correct load.sh
- \`COMMAND_FAILED\` no preset nightli; did you mean "nightly"? Correct load.sh`,
    ],
  ])('tells of %s', (_, state, expected) => expect(body(state)).toContain(expected));
});

/** What GitHub looks at for users, issues and addresses: text outside code. Code is a blank in it. */
function looked(markdown: string): { readonly text: string; readonly kinds: ReadonlySet<string> } {
  const walker = new Parser().parse(markdown).walker();
  const kinds = new Set<string>();
  let text = '';
  for (let event = walker.next(); event !== null; event = walker.next()) {
    const { type, literal, isContainer } = event.node;
    kinds.add(type);
    if (type === 'text') text += literal;
    else if (!event.entering || !isContainer) text += ' \n';
  }
  return { text, kinds };
}

const evil = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '@everyone',
        '\n/test night\n',
        '@',
        'skiff/crew',
        '&#64;bob',
        '&commat;',
        '#12',
        'GH-3',
        'https://a.example/',
        'www.a.example',
        'a@b.example',
        'c0ffee'.repeat(7).slice(0, 40),
        'deadbeef',
        'GHSA-xvch-5gv4-984h',
        'CVE-2021-44228',
        ':tada:',
      ),
      fc.constantFrom(
        '`',
        '```',
        '~~~',
        '\n',
        '\r\n',
        '<!-- slipway x -->',
        '<!--',
        '-->',
        '<b>',
        '[a](b)',
        '![',
        '](',
        '|',
        '|-|',
        '---',
        '\\',
        '*',
        '_',
        '> ',
        '- ',
        '# ',
        '1. ',
        '    ',
        '$',
        '$x^2$',
        '$$',
      ),
      fc.constantFrom('\u202e', '\u200d', '\ud800', '\u{1f600}', '\0', '\u001b[31m'),
      fc.string({ unit: 'binary', maxLength: 12 }),
      fc.constantFrom(
        '@a '.repeat(500),
        '\u0001'.repeat(400),
        '`'.repeat(300),
        '<'.repeat(400),
        '\u{1f600}'.repeat(300),
      ),
    ),
    { maxLength: 8 },
  )
  .map((all) => all.join(''));
const many = <T>(one: fc.Arbitrary<T>) =>
  fc.oneof(
    fc.array(one, { maxLength: 3 }),
    one.map((same) => Array<T>(40).fill(same)),
  );
const problem = fc.record({
  ...{
    code: evil,
    class: fc.constant('product' as const),
    message: evil,
    next: evil,
    evidence: many(evil),
    firstError: many(evil),
  },
  place: fc.record({ file: evil, line: fc.nat(20_000) }),
});
const anyPlan = fc.record({
  ...{ job: evil, run: evil, by: evil, commit: evil, presets: many(evil), steps: fc.nat(20_000) },
  settings: many(fc.record({ path: evil, value: evil, from: evil })),
  leftOut: many(fc.record({ id: evil, because: evil })),
});
const anyStatus = fc.record({
  steps: many(
    fc.record({
      id: evil,
      stage: evil,
      state: fc.constantFrom('failed', 'held', 'done'),
      problems: fc.array(problem, { minLength: 1, maxLength: 1 }),
    }),
  ),
  ...{
    state: evil,
    problems: fc.array(problem, { maxLength: 2 }),
    verdict: fc.record({ verdict: fc.constant('failed'), reasons: many(evil) }),
  },
});
const anyState = fc.oneof(
  fc.record({ kind: fc.constant('run'), planned: anyPlan, status: fc.option(anyStatus) }),
  fc.record({ kind: fc.constant('plan'), planned: anyPlan }),
  fc.record({ kind: fc.constant('refused'), why: fc.constantFrom('stranger', 'fork'), by: evil }),
  fc.record({ kind: fc.constant('cancelled'), runs: many(evil), by: evil }),
  fc.record({
    kind: fc.constant('mistakes'),
    mistakes: many(
      fc.record({
        in: fc.constantFrom('comment', 'body'),
        line: fc.nat(20_000),
        text: evil,
        message: evil,
        next: evil,
      }),
    ),
    problems: many(problem),
  }),
);

it('has at most 65,536 characters where each text is long', () => {
  for (const text of ['<'.repeat(999), '@'.repeat(999), '`'.repeat(999), '\u202e'.repeat(999), '<!--'.repeat(300)]) {
    const of = <T>(one: T): readonly T[] => Array<T>(300).fill(one);
    const one = {
      ...{ code: text, message: text, next: text, evidence: of(text), firstError: of(text) },
      place: { file: text, line: 1 },
    };
    const planned = {
      job: text,
      run: text,
      by: text,
      commit: text,
      presets: of(text),
      settings: of({ path: text, value: text, from: text }),
      leftOut: of({ id: text, because: text }),
      steps: 1,
    };
    const steps = Array.from({ length: 300 }, (_, at) => ({
      id: text,
      stage: `${at}${text}`,
      state: 'failed',
      problems: [one],
    }));
    const status = { state: text, steps, problems: [one], verdict: { verdict: 'failed', reasons: of(text) } };
    const mistake = { in: 'body', line: 1, text, message: text, next: text };
    const states = [
      { kind: 'run', planned, status },
      { kind: 'mistakes', mistakes: of(mistake), problems: of(one) },
    ];
    for (const state of states) expect(reply(state).length).toBeLessThanOrEqual(65_536);
  }
});

it('names nobody, links nothing, asks for nothing, and has one marker and at most 65,536 characters, whatever texts hold', () => {
  fc.assert(
    fc.property(anyState, evil, (state, mark) => {
      const said = renderReply({ mark, ...state } as unknown as ReplyState);
      expect(said.length).toBeLessThanOrEqual(65_536);
      expect(said.startsWith(`${markerOf(mark)}\n`)).toBe(true);
      expect(said.split('<!-- slipway ')).toHaveLength(2);
      expect(readDirectives(said.slice(0, LONGEST), null, hooks)).toEqual({ kind: 'none' });
      const { text, kinds } = looked(said);
      expect(text).not.toMatch(/@[a-z0-9]|#\d|GH(SA)?-|CVE-|:\/\/|www\.|\$|:\w+:/i);
      expect(text).not.toMatch(/[\da-f]{7}/i);
      expect(said).not.toMatch(/[^\ud800-\udbff][\udc00-\udfff]|[\ud800-\udbff](?![\udc00-\udfff])/);
      for (const kind of ['link', 'image', 'html_inline', 'block_quote', 'heading', 'thematic_break'])
        expect(kinds).not.toContain(kind);
      const outside = said.replace(/^(`{3,})\n[^]*?\n\1$/gm, '');
      expect(outside).not.toMatch(/^[|:-][ |:-]*$/m);
      expect(outside).not.toMatch(/\$`|`\$/);
    }),
    { seed: 31, numRuns: 200 },
  );
});

describe('Outside text', () => {
  const pairs = '\u{1f600}'.repeat(150);
  it.each<[what: string, text: string, end: string]>([
    ['a pair', `x${pairs}`, '\u{1f600}…'],
    ['a pair, one place later', pairs, '\u{1f600}…'],
    ['the escape of a control character', `${'x'.repeat(196)}\u0001\u0001`, 'xx…'],
    ['the escape of a pair', `${'x'.repeat(190)}\u{e0041}${'x'.repeat(9)}`, 'xx…'],
    ['colours', `${'\u001b[31m'.repeat(300)}${pairs}`, '…'],
  ])('is never cut within %s', (_, text, end) => {
    const said = line(text, 200);
    expect(said.length).toBeLessThanOrEqual(200);
    expect(said.slice(-end.length)).toBe(end);
    expect(said).not.toMatch(/\\u[\da-f]{0,3}…|\\ud[89ab]..…|\\ud8/);
    expect(said).not.toMatch(/\p{Cs}/u);
  });
  it('links no commit', () => {
    const [hash, text] = ['a1b2c3d4'.repeat(5), prose('see a1b2c3d4a1b2c3d4a1b2c3d4a1b2c3d4a1b2c3d4.')];
    expect(text).not.toMatch(/[\da-f]{7}/);
    expect(text.replaceAll('\u200d', '')).toBe(`see ${hash}.`);
  });
  it.each([
    ['set $TOKEN, then', 'set ` $TOKEN, ` then'],
    ['it costs $5 and $6.', 'it costs ` $5 and $6. `'],
    ['a$b$c *d*', '`a$b$c` \\*d\\*'],
    ['$', '` $ `'],
  ])('holds no mathematics: %j', (text, expected) => expect(prose(text)).toBe(expected));
  it('in code has a blank between "`" and "$"', () => {
    expect([code('$x$'), code('$x'), code('x$'), code('a$b')]).toEqual(['` $x$ `', '` $x `', '` x$ `', '`a$b`']);
  });
});
