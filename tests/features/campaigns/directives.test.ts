import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { readDirectives, type Directives } from '../../../src/features/campaigns/pure/comments/directives.js';
import { LONGEST } from '../../../src/features/campaigns/pure/comments/lines.js';
import { Hooks } from '../../../src/features/campaigns/schemas/hooks.js';

const hooks = Hooks.parse({
  hooks: 1,
  repository: 'skiff/boat',
  token: '$GITHUB_TOKEN',
  secret: '$HOOK_SECRET',
  others: ['/lgtm', '/test e2e'],
  jobs: {
    night: { file: 'night.yaml' },
    jump: {
      file: 'jump.yaml',
      presets: ['ci'],
      args: 'cluster project presets',
      cluster: 'cluster.name',
      project: 'project.name',
    },
    'jump-plot': { file: 'plot.yaml', args: 'none' },
  },
});
const read = (comment: string, body: string | null = null): Directives => readDirectives(comment, body, hooks);
const test = (given: object, job = 'night', kind = 'test') => ({ kind, job, given });
/** `line text message`, for each mistake. */
const mistakes = (found: Directives): readonly string[] =>
  found.kind === 'mistakes'
    ? found.mistakes.map((one) => `${one.in === 'body' ? 'body ' : ''}${one.line} ${one.message} ${one.next}`)
    : [found.kind];

describe('What starts a run', () => {
  test_each(
    [
      ['a job', '/test night', test({})],
      ['presets', '/test night big  slow', test({ preset: ['big', 'slow'] })],
      ['a plan', '/plan night big', test({ preset: ['big'] }, 'night', 'plan')],
      [
        'carriage returns',
        'Hello\r\n\r\n/test night big\r\n/var a.b: 1\r\n',
        test({ preset: ['big'], set: ['a.b=1'] }),
      ],
      ['tabs', '/test\tnight\tbig', test({ preset: ['big'] })],
      ['up to three blanks before', '   /test night', test({})],
      ['text around it', 'Please\n/test night\nthank you', test({})],
      ['a line in emphasis', '*see:\n/test night\nsoon*', test({})],
      ['the longer of two jobs', '/test jump-plot', test({}, 'jump-plot')],
      [
        'a cluster and a project',
        '/test jump lab tuning big',
        test({ preset: ['ci', 'big'], set: ['cluster.name="lab"', 'project.name="tuning"'] }, 'jump'),
      ],
      [
        'a cluster by its directive',
        '/test jump tuning big\n/cluster lab',
        test({ preset: ['ci', 'big'], set: ['cluster.name="lab"', 'project.name="tuning"'] }, 'jump'),
      ],
      [
        'values as they are typed',
        '/test night\n/var v: 1.10\n/var w: yes\n/var x: {a: [1, 2]}\n/var y: "p: q" # note',
        test({ set: ['v=1.10', 'w=yes', 'x={a: [1, 2]}', 'y="p: q" # note'] }),
      ],
      [
        'paths of all forms',
        '/test night\n/var a."x.y": 1\n/var a["x: y"][-1]: 2\n/var a[0] : null',
        test({ set: ['a."x.y"=1', 'a["x: y"][-1]=2', 'a[0]=null'] }),
      ],
      ['text that a shell would run', '/test night\n/var a: $(rm -rf ~)`id`', test({ set: ['a=$(rm -rf ~)`id`'] })],
      [
        'steps',
        '/test night\n/skip prepare tests/load\n/only clean',
        test({ skip: ['steps/prepare', 'tests/load'], only: ['steps/clean'] }),
      ],
      ['lines of other robots', '/test night\n/lgtm\n/test e2e aws', test({})],
      ['help', '/help', { kind: 'help' }],
      ['an end', '/cancel', { kind: 'cancel', job: null }],
      ['the end of a job', '/cancel night', { kind: 'cancel', job: 'night' }],
    ],
    (comment, expected) => expect(read(comment)).toEqual(expected),
  );
});

describe('The body of the pull request', () => {
  const body = '/test jump\n/var a: 1\n/skip prepare clean\n/unknown\n> /var q: 1';
  it('gives settings that the comment beats, and starts nothing', () => {
    expect(read('/test night\n/var a: 2\n/only clean', body)).toEqual(
      test({ set: ['a=1', 'a=2'], skip: ['steps/prepare'], only: ['steps/clean'] }),
    );
    expect(read('Nice', body)).toEqual({ kind: 'none' });
    expect(read('/help', '/vra a: 1')).toEqual({ kind: 'help' });
  });
  it('is not looked at if its author may not start runs', () => expect(read('/test night', null)).toEqual(test({})));
  it('has mistakes too', () => {
    expect(mistakes(read('/test night\n/var b', 'Hello\n\n/vra a: 1'))).toEqual([
      '2 This is no path, colon, blank and value. Write /var a.b: 8080.',
      'body 3 /vra is no directive; did you mean "/var"? Correct it, or write it in backticks.',
    ]);
  });
});

describe('What is no command', () => {
  test_each(
    [
      ['prose', 'It is in /test night'],
      ['a path', '/test/night is red\n/usr/bin/test'],
      ['a fence', '```\n/test night\n```'],
      ['an open fence', '~~~\n/test night'],
      ['a block of code', 'a\n\n    /test night'],
      ['four blanks', '    /test night'],
      ['a tab', '\t/test night'],
      ['code in a line', '`see\n/test night\nthere`'],
      ['a quote', '> /test night'],
      ['the lazy end of a quote', '> a\n/test night'],
      ['a list', '- a\n\n  /test night'],
      ['the lazy end of a list', '1. a\n/test night'],
      ['a comment of HTML', '<!--\n/test night\n-->'],
      ['a comment of HTML in a line', 'see <!-- a\n/test night\n-->'],
      ['an element', '<details>\n/test night\n</details>'],
      ['an attribute', 'see <a title="\n/test night\n">x</a>'],
      ['an address', '[a](\n/test)'],
      ['a definition', '[a]:\n/help'],
      ['the text of a link', '[a\n/test night\nb](c)'],
      ['the text of an image', '![a\n/test night\nb](c)'],
      ['words of other robots', '/lgtm\n/approve\n/retest\n/assign @somebody'],
      ['nothing', ''],
      ['blanks', ' \r\n\t\n'],
    ],
    (comment) => expect(read(comment)).toEqual({ kind: 'none' }),
  );
});

describe('Mistakes', () => {
  test_each(
    [
      [
        'a slip',
        '/tset night',
        ['1 /tset is no directive; did you mean "/test"? Correct it, or write it in backticks.'],
      ],
      [
        'a capital',
        '/Test night',
        ['1 /Test is no directive; did you mean "/test"? Correct it, or write it in backticks.'],
      ],
      [
        'a letter of another alphabet',
        '/t\u0435st night',
        ['1 /t\u0435st is no directive; did you mean "/test"? Correct it, or write it in backticks.'],
      ],
      [
        'an unknown word',
        '/test night\n/frobnicate',
        ['2 /frobnicate is no directive. Correct it, or write it in backticks.'],
      ],
      ['no job', '/test', ['1 /test names no job. Jobs: night, jump, jump-plot.']],
      [
        'a job by its begin',
        '/test jum',
        ['1 There is no job "jum"; did you mean "jump"? Jobs: night, jump, jump-plot.'],
      ],
      ['another job', '/test zzzzzz', ['1 There is no job "zzzzzz". Jobs: night, jump, jump-plot.']],
      ['a job twice', '/test night a\n/test night b', ['2 /test is one too many. Write one comment for each run.']],
      [
        'a cluster twice',
        '/test jump-plot\n/cluster lab\n/cluster prod',
        [
          '2 The job jump-plot takes no cluster. Take it out, or write jobs.jump-plot.cluster in hooks.yaml.',
          '3 /cluster is one too many. Take one of them out.',
        ],
      ],
      [
        'an equals sign in a path',
        '/test night\n/var x=y: 5',
        ['2 This is no path, colon, blank and value. Write /var a.b: 8080.'],
      ],
      [
        'two jobs to cancel',
        '/cancel night jump',
        ['1 /cancel takes no more words and no other directives. Write /cancel, or /cancel JOB alone.'],
      ],
      [
        'help with a setting',
        '/help\n/var a: 1',
        ['1 /help takes no more words and no other directives. Write /help alone.'],
      ],
      [
        'nothing to start',
        'x\n/skip a',
        ['2 The comment starts nothing. Add a line /test JOB, or /plan JOB to see what it would do.'],
      ],
      ['an equals sign', '/test night\n/var a=1', ['2 This is no path, colon, blank and value. Write /var a.b: 8080.']],
      [
        'no value',
        '/test night\n/var a:\n/var b: # c',
        ['2 a gets no value. Write /var a: null, or a value.', '3 b gets no value. Write /var b: null, or a value.'],
      ],
      [
        'a step twice',
        '/test night\n/skip a\n/only a',
        ['3 steps/a is in /skip and in /only. Take it out of one of them.'],
      ],
      ['no step', '/test night\n/skip', ['2 /skip names no step. Write /skip STEP.']],
      [
        'a job without a project',
        '/test night\n/project x',
        ['2 The job night takes no project. Take it out, or write jobs.night.project in hooks.yaml.'],
      ],
      [
        'no cluster',
        '/test jump',
        [
          '1 The job jump needs a cluster. Write /test jump CLUSTER PROJECT PRESETS.',
          '1 The job jump needs a project. Write /test jump CLUSTER PROJECT PRESETS.',
        ],
      ],
      ['presets that it takes not', '/test jump-plot a', ['1 The job jump-plot takes no presets. Take them out.']],
      [
        'two projects in one line',
        '/test jump a b\n/project x y',
        ['2 /project takes one name, not 2. Write /project NAME.'],
      ],
      [
        'a heading',
        '/test night\n---\nBob',
        ['1 A line of - or = below makes this a heading. Put an empty line between them.'],
      ],
      ['a mark from right to left', '/test night\u202e big', ['1 U+202E cannot be seen. Type the line anew.']],
      ['a blank that does not break', '/test\u00a0night', ['1 U+00A0 cannot be seen. Type the line anew.']],
      ['a blank without width before it', '\u200b/test night', ['1 U+200B cannot be seen. Type the line anew.']],
      [
        'several characters',
        '/test night\n/var a: \u2066x\u2069\u{e0041}\ufe0f\u3164',
        ['2 U+2066, U+2069, U+E0041 cannot be seen. Type the line anew.'],
      ],
      ['a mark of ours', '/test \ue0000\ue001night', ['1 U+E000, U+E001 cannot be seen. Type the line anew.']],
      [
        'an unknown job to end',
        '/cancel nigth',
        ['1 There is no job "nigth"; did you mean "night"? Jobs: night, jump, jump-plot.'],
      ],
    ],
    (comment, expected) => expect(mistakes(read(comment))).toEqual(expected),
  );

  it('are told all at once, with their lines, and with what the other lines ask for', () => {
    const found = read('/test night big\n/tset\n/var a: [\n\n/var b: 1');
    expect(mistakes(found)).toHaveLength(2);
    expect(found).toMatchObject({
      mistakes: [
        { line: 2, text: '/tset' },
        { line: 3, text: '/var a: [' },
      ],
      request: { job: 'night', given: { preset: ['big'], set: ['b=1'] } },
    });
  });

  test_each(
    [
      ['a nest', `/test night\n/var a: ${'['.repeat(100)}`, /nested more than 40/],
      [
        'copies',
        `/test night\n/var a: [&a [x, x, x, x, x, x, x, x, x, x], &b [*a, *a, *a, *a, *a, *a, *a, *a], &c [*b, *b, *b, *b, *b, *b, *b, *b], *c, *c]`,
        /aliases/,
      ],
      ['a tag', '/test night\n/var a: b: c: d', /YAML/],
      ['two documents', '/test night\n/var a: "x" --- y', /YAML/],
      ['60,000 characters', `/test night\n${'x '.repeat(30_000)}`, /60012 characters/],
      ['quotes in one another', `${'>'.repeat(1000)}\n\n/test night`, /line 1 begins with more than 30/],
      ['lists in one another', `${'- '.repeat(9000)}a\n\n/test night`, /line 1 begins with more than 30/],
      ['open links', `${'[a]('.repeat(4000)}\n\n/test night`, /more than 200 links/],
    ],
    (comment, expected) => expect(mistakes(read(comment)).join()).toMatch(expected),
  );

  it.each([
    [
      'lists',
      Array.from({ length: 26 }, (_, at) => `${' '.repeat(60 * Math.min(at, 5))}${'- '.repeat(30)}a`).join('\n') +
        '\n'.repeat(9000),
    ],
    ['links', `${'[a](b'.repeat(199)}${'x'.repeat(18_000)}`],
    ['images', `${'![[]('.repeat(199)}${'<'.repeat(18_000)}`],
    ['backticks', Array.from({ length: 190 }, (_, at) => `e${'`'.repeat(at)}`).join('')],
    ['brackets', '['.repeat(19_900)],
    ['HTML', `x${'<!--'.repeat(4900)}`],
    ['stars', '**a_ '.repeat(3900)],
  ])('are none where a text is as long and as nested as it may be: %s', (_, text) => {
    expect(read(`/test night\n\n${text}`.slice(0, LONGEST))).toEqual(test({}));
  });

  it('are none where a word near a directive stands in a text that is not read', () => {
    expect(read('/tset night\n'.repeat(LONGEST))).toEqual({ kind: 'none' });
    expect(mistakes(read(`/test night\n${'/tset\n'.repeat(LONGEST)}`)).join()).toMatch(/characters/);
  });

  it('are none where long texts name no directive', () =>
    expect(read('> /x\n'.repeat(12_000))).toEqual({ kind: 'none' }));
});

describe('Any text', () => {
  const piece = fc.oneof(
    {
      weight: 3,
      arbitrary: fc.constantFrom(
        '/test night',
        '/test jump a b',
        '/var a: 1',
        '/tset',
        '/skip x',
        '/help',
        '/test',
        'text',
        '',
      ),
    },
    {
      weight: 2,
      arbitrary: fc.constantFrom(
        '```',
        '> ',
        '- ',
        '    ',
        '<!--',
        '-->',
        '`',
        '*',
        '[a](',
        ')',
        '[a]:',
        '===',
        '\u202e',
        '\ue000',
        '<b>',
      ),
    },
    fc.string({ unit: 'binary', maxLength: 8 }),
  );
  const text = fc
    .array(fc.tuple(piece, fc.constantFrom('\n', '\n', '\n\n', ' ', '')))
    .map((all) => all.flat().join(''));
  const check = (seed: number, property: (comment: string) => void): void =>
    fc.assert(fc.property(text, property), { seed, numRuns: 300 });

  it('is read without an exception, and its mistakes name its lines', () =>
    check(31, (comment) => {
      const found = read(comment, comment);
      const lines = comment.split(/\r\n|\n|\r/);
      if (found.kind === 'mistakes')
        for (const one of found.mistakes) expect(one.text).toBe(lines[one.line - 1]!.slice(0, 200));
    }));
  it('means the same with other ends of lines', () =>
    check(32, (comment) => {
      const plain = comment.replaceAll('\r', '');
      expect(JSON.stringify(read(plain.replaceAll('\n', '\r\n')))).toBe(JSON.stringify(read(plain)));
    }));
  it('means nothing in a quote or in a fence', () =>
    check(33, (comment) => {
      expect(
        read(
          comment
            .split(/\r\n|\n|\r/)
            .map((line) => `> ${line}`)
            .join('\n'),
        ).kind,
      ).toBe('none');
      expect(read(`${'`'.repeat(50)}\n${comment.replaceAll('`', '')}`).kind).toBe('none');
    }));
  it('means the same behind a paragraph', () =>
    check(34, (comment) => {
      const [at, behind] = [read(comment), read(`Hello.\n\n${comment}`)];
      expect(behind.kind).toBe(at.kind);
      if (at.kind === 'test') expect(behind).toEqual(at);
    }));
});

it('has the limit of length that docs/campaigns.md names', () =>
  expect(readFileSync('docs/campaigns.md', 'utf8')).toContain(`${LONGEST.toLocaleString('en')} characters`));

function test_each<T extends readonly [string, string, ...unknown[]]>(
  rows: readonly T[],
  check: (comment: string, expected: any) => void,
): void {
  it.each(rows.map(([name, ...rest]) => [name, rest] as const))('%s', (_, [comment, expected]) =>
    check(comment, expected),
  );
}
