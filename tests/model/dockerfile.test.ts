import { namespaceLine } from '../../src/model/dockerfile/cache-namespace.js';
import { reachesOut } from '../../src/model/dockerfile/reaches-out.js';
import { takesBase } from '../../src/model/dockerfile/takes-base.js';

const BASE = '127.0.0.1:5000/bases/sea@sha256:0';
const known = { args: { BASE, TYPE: 'gpu' }, base: BASE };
const reaches = (text: string): readonly string[] => reachesOut(text, known).map(({ line, what }) => `${line} ${what}`);
const lines = (...all: readonly string[]): string => `${all.join('\n')}\n`;
const START = 'ARG BASE\nFROM ${BASE}\n';

describe('given lines that take everything from the context, the base and other stages, then none reaches out', () => {
  test.each<[what: string, text: string]>([
    ['base', `${START}COPY wheels/ /w/\nRUN pip install /w/*\n`],
    ['base without braces, in quotes, by platform', 'ARG BASE=x\nFROM --platform=linux/arm64 "$BASE" AS a\n'],
    ['scratch', 'from scratch\nadd files/rootfs.tar /\n'],
    [
      'stages',
      `${START}AS x\nFROM scratch AS Two\nFROM two\nCOPY --from=0 --chown=1:1 /a /\nCOPY --from=TWO /b /\n`.replace(
        '}\nAS',
        '} AS',
      ),
    ],
    ['a stage named by arguments', 'ARG TYPE=cpu\nARG OF=on\nFROM scratch AS on-gpu\nFROM ${OF}-$TYPE\n'],
    [
      'paths of any kind',
      `${START}ADD a.tar wheels/$X-*.whl ./"b" /d\nADD ["a b", "/"]\nADD --chown=0:0 https.d/x /\n`,
    ],
    [
      'comments, also between continued lines',
      lines('# ADD http://a /', 'FROM scratch', 'RUN a \\', '# ADD http://b /', '', '  && ADD http://c /'),
    ],
    ['an escape that is the default', '# escape=\\\nFROM scratch\n'],
    [
      'mounts',
      `${START}RUN --mount=type=cache,target=/c,id=$X --mount=type=bind,from=0,target=/x make\n`.replace(
        'FROM',
        'FROM scratch\nFROM',
      ),
    ],
    [
      'words of a shell that look alike',
      `${START}RUN echo "from=x" --mount=from=x && echo $((1 << 2)) && cat <<< word\n`,
    ],
    [
      'heredocs',
      `${START}RUN <<EOF cat && <<-'END'\nADD http://a /\nFROM b\nEOF\nFROM c\n\t\tEND\nCOPY <<a.txt /a\nCOPY --from=x\na.txt\n`,
    ],
    ['CR LF and a byte order mark', '\ufeffFROM scratch\r\nADD a \\\r\n  b /\r\n'],
    ['a comment that is no directive', '# the lines\n# syntax=docker/dockerfile:1\nFROM scratch\n'],
  ])('%s', (_, text) => expect(reaches(text)).toEqual([]));
});

describe('given a line that makes the engine fetch, then it is found', () => {
  const image = (line: number, what: string) => `${line} ${what} takes an image from a registry`;
  const added = (line: number, what: string) => `${line} ADD ${what} fetches an address, or may`;
  test.each<[what: string, text: string, expected: readonly string[]]>([
    [
      'all lines at once',
      'FROM a\nADD http://b /\nCOPY --from=c /x /\n',
      [image(1, 'FROM a'), added(2, 'http://b'), image(3, 'COPY --from=c')],
    ],
    ['an image by tag', 'FROM debian:12 AS x\nFROM x\n', [image(1, 'FROM debian:12')]],
    ['an image beside the base', 'ARG BASE\nFROM ${BASE}\nFROM ${BASE}-debug\n', [image(3, 'FROM ${BASE}-debug')]],
    ['an image by a default of BASE', 'ARG BASE\nFROM ${BASE:-debian}\n', [image(2, 'FROM ${BASE:-debian}')]],
    ['an image by an argument', 'ARG OF=debian\nFROM $OF\n', [image(2, 'FROM $OF')]],
    [
      'an image by an argument of the file',
      'ARG TYPE=cpu\nFROM scratch AS cpu\nFROM $TYPE\n',
      [image(3, 'FROM $TYPE')],
    ],
    ['an argument that is set twice', 'ARG A=scratch\nARG A=debian\nFROM $A\n', [image(3, 'FROM $A')]],
    ['an argument in the text of another', 'ARG A=debian\nARG B="x A=scratch"\nFROM $A\n', [image(3, 'FROM $A')]],
    ['an argument of a stage', 'FROM scratch AS on\nARG A=on\nFROM $A\n', [image(3, 'FROM $A')]],
    ['an image behind a flag with a blank', 'FROM --platform=a\\ scratch debian\n', [image(1, 'FROM scratch')]],
    [
      'a later stage, which the classic builder pulls',
      'FROM scratch\nCOPY --from=later /a /\nFROM scratch AS later\n',
      [image(2, 'COPY --from=later')],
    ],
    [
      'the stage itself',
      'FROM scratch AS own\nCOPY --from=own /a /\nCOPY --from=0 /a /\n',
      [image(2, 'COPY --from=own'), image(3, 'COPY --from=0')],
    ],
    [
      'a second flag, in any case, behind a quoted one',
      'FROM scratch\ncopy --chown="a b" --From=c /x /\n',
      [image(2, 'COPY --From=c')],
    ],
    ['a space outside ASCII', 'FROM scratch\nCOPY --link\u00a0--from=c /x /\n', [image(2, 'COPY --from=c')]],
    ['a mount', 'FROM scratch\nRUN --mount=type=bind,target=/x,From=c ls\n', [image(2, 'RUN --mount with from=c')]],
    [
      'a reader of Dockerfiles',
      '# Syntax = docker/dockerfile:1\nFROM scratch\n',
      [image(1, '# syntax=docker/dockerfile:1')],
    ],
    [
      'a reader after another directive',
      '#!/x\n# check=skip=all\n# syntax=x\u2028\nFROM scratch\n',
      [image(3, '# syntax=x')],
    ],
    [
      'an address in any form',
      'FROM scratch\nADD a https://b /\nADD ["http://c", "/"]\n',
      [added(2, 'https://b'), added(3, 'http://c')],
    ],
    [
      'a repository',
      'FROM scratch\nADD git@b:c/d /\nADD github.com/e/f /\nADD ssh://g /\n',
      [added(2, 'git@b:c/d'), added(3, 'github.com/e/f'), added(4, 'ssh://g')],
    ],
    [
      'an address in pieces',
      'FROM scratch\nADD $A /\nADD h"tt"p://b /\nADD ht\\tp://c /\n',
      [added(2, '$A'), added(3, 'h"tt"p://b'), added(4, 'ht\\tp://c')],
    ],
    ['an instruction in pieces', 'FROM scratch\nA\\\n# x\nDD http\\\n://b \\ \n /\n', [added(2, 'http://b')]],
    [
      'what a later stage does',
      'FROM scratch AS a\nONBUILD ADD http://b /\nonbuild copy --from=c /x /\n',
      [added(2, 'http://b'), image(3, 'COPY --from=c')],
    ],
    ['a line behind a heredoc', 'FROM scratch\nRUN <<EOF\nx \\\nEOF\nADD http://b /\n', [added(5, 'http://b')]],
    [
      'a line in a heredoc that old engines do not know',
      'FROM scratch\nRUN <<USER\nADD http://b /\nUSER\n',
      [added(3, 'http://b')],
    ],
  ])('%s', (_, text, expected) => expect(reaches(text)).toEqual(expected));

  test('given an argument of the release file that names a reader, then it is found', () => {
    const args = { BUILDKIT_SYNTAX: 'evil/reader' };
    expect(reachesOut('FROM scratch\n', { args, base: null })).toHaveLength(1);
  });
});

test.each<[what: string, text: string]>([
  ['another escape', '# escape=`\nFROM scratch\n'],
  ['two backslashes at the end', 'FROM scratch\nRUN a \\\\\nADD http://b /\n'],
  ['a carriage return inside', 'FROM scratch\nRUN a \\\r\r\nADD http://b /\n'],
  ['a character that some trim', 'FROM scratch\nRUN a \\\n\ufeff\nADD http://b /\n'],
  ['a heredoc in quotes', 'FROM scratch\nRUN echo "a <<EOF"\nADD http://b /\nRUN echo EOF\n'],
  ['a heredoc without an end', 'FROM scratch\nRUN <<EOF\nADD http://b /\n'],
  ['an unknown instruction', 'FROM scratch\nFETCH http://b /\n'],
  ['a flag in quotes', 'FROM scratch\nCOPY --fr"om"=b /x /\n'],
  ['a mount in quotes', 'FROM scratch\nRUN --mount="type=bind,from=b" ls\n'],
  ['ONBUILD of ONBUILD', 'FROM scratch\nONBUILD ONBUILD ADD http://b /\n'],
])('given %s, then it is unclear what is read', (_, text) => {
  expect(reaches(text).join('\n')).toContain('it is unclear what is read');
});

test('given long hostile texts, then each is read in bounded time', () => {
  const began = process.cpuUsage();
  for (const piece of ['\\ ', '\\\n', ' <<A', 'ONBUILD ', '--', 'ARG A=$A ', '#\n', '${', '["'])
    for (const start of ['', 'RUN ', 'ADD ', 'FROM ', 'COPY ']) reachesOut(start + piece.repeat(100_000), known);
  expect(process.cpuUsage(began).user / 1e6).toBeLessThan(20);
});

test.each([
  [true, START],
  [true, 'ARG BASE=x\nFROM --platform=linux/arm64 "$BASE" AS a\n'],
  [true, 'FROM scratch AS a\n'.replace('FROM', 'ARG BASE\nFROM ${BASE} AS b\nFROM')],
  [true, 'ARG BASE\nARG OTHER=${BASE}\nFROM $OTHER\n'],
  [false, 'FROM scratch\n'],
  [false, 'FROM ${BASE}\n'],
  [false, 'ARG BASE\nFROM scratch\n'],
  [false, 'ARG BASE\nFROM scratch # not ${BASE}\n'],
  [false, 'FROM scratch\nARG BASE\nARG X=${BASE}\n'],
  [false, 'ARG BASE\nFROM scratch AS $BASE\n'],
])('it is %s that a stage of %j begins from BASE', (expected, text) => {
  expect(takesBase(text)).toBe(expected);
});

test.each([
  [2, 'FROM scratch\nARG BUILDKIT_CACHE_MOUNT_NS\n'],
  [2, 'FROM scratch\nARG BUILDKIT_CACHE_\\\nMOUNT_NS\n'],
  [1, 'ARG A=1 \\\n# between\n\n  BUILDKIT_CACHE\\\n_MOUNT_NS=2\n'],
  [2, '# escape=`\nARG BUILDKIT_CACHE_`\nMOUNT_NS\n'],
  [1, 'ONBUILD ARG BUILDKIT_CACHE_\\\nMOUNT_NS\n'],
  [2, 'FROM scratch\nENV A=1 \\\n B=$BUILDKIT_CACHE_MOUNT_NS\n'],
  [2, 'RUN <<USER\nARG BUILDKIT_CACHE_\\\nMOUNT_NS\nUSER\n'],
  [3, '# escape=`\nRUN true \\\nARG BUILDKIT_CACHE_MOUNT${A}\n'],
  [null, 'RUN python3 <<EOF\narg = "x"\nEOF\n'],
  [2, 'ARG A=_NS\nARG BUILDKIT_CACHE_MOUNT${A}\n'],
  [1, 'ARG BUILDKIT_"CACHE"_MOUNT_NS\n'],
  [1, 'ONBUILD ARG A=1 BUILDKIT\\_CACHE_MOUNT_NS\n'],
  [null, '# BUILDKIT_CACHE_MOUNT_NS\nFROM scratch\nRUN echo "${A}" \'b\'\n'],
  [null, 'ARG A=${B:-"x y"} C="d $e" F=\'g $h\' I=j\\ k L\nENV "M"=$N\n'],
])('line %j may name the argument that keeps cache mounts apart: %j', (line, text) => {
  expect(namespaceLine(text)).toBe(line);
});
