import { ERROR_LINE_EXAMPLES } from './error-line-examples.js';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ERROR_LINES } from '../../src/model/error-lines.js';
import { FirstError, firstErrorText, rowOf, shownLines } from '../../src/model/first-error.js';

const FOLDER = join(__dirname, 'error-outputs');

function firstErrorOf(output: string): readonly string[] {
  const scan = new FirstError();
  for (const line of output.split('\n')) scan.push(line);
  return scan.lines;
}

/** Outputs of the real tools on broken input, and the line that a person looks for. */
const OUTPUTS: readonly (readonly [string, string])[] = [
  ['gcc', "b.c:1:18: error: unknown type name 'retun'"],
  ['gcc-header', 'a.c:2:10: fatal error: lber.h: No such file or directory'],
  ['gcc-werror', 'w.c:3:7: error: unused variable ‘b’ [-Werror=unused-variable]'],
  [
    'g++',
    "a.cpp:2:30: error: could not convert 'n' from 'int' to 'std::string' {aka 'std::__cxx11::basic_string<char>'}",
  ],
  ['ld', "m.c:(.text+0xa): undefined reference to `draft'"],
  ['ld-library', '/usr/bin/ld: cannot find -lskiff: No such file or directory'],
  ['cmake', 'CMake Error at CMakeLists.txt:5 (message): Could not find ANT_EXECUTABLE'],
  ['javac', 'Hull.java:2: error: cannot find symbol'],
  ['make', "make: *** No rule to make target 'keel.o', needed by 'all'.  Stop."],
  ['ninja', "/src/x.c:1:18: error: unknown type name 'retun'"],
  ['cargo', 'error[E0308]: mismatched types'],
  ['cargo-build-script', "thread 'main' (12017) panicked at build.rs:1:12: no hull at x"],
  ['maturin', '💥 maturin failed'],
  ['maven', '[ERROR] /src/src/main/java/h/Hull.java:[2,24] cannot find symbol'],
  [
    'maven-dependency',
    '[ERROR] Failed to execute goal on project hull: Could not resolve dependencies for project org.hull:hull:jar:1.0: Could not find artifact org.hull.nope:nope:jar:9 in central (https://maven.example) -> [Help 1]',
  ],
  [
    'maven-pom',
    '[FATAL] Non-parseable POM /src2/pom.xml: end tag name </versoin> must be the same as start tag <version> from line 2 (position: TEXT seen ...<version>1.0</versoin>... @2:79)  @ line 2, column 79',
  ],
  ['npm-script', 'sh: 1: tsc: not found'],
  ['npm-install', 'npm error 404 Not Found - GET https://npm.example/slipway-hull-nope'],
  ['pip-build', "ModuleNotFoundError: No module named 'skiff_hull'"],
  ['pip-install', 'ERROR: Could not find a version that satisfies the requirement numpy==0.0.1 (from versions: '],
  ['uv-build', "ModuleNotFoundError: No module named 'skiff_hull'"],
  ['uv-lock', 'error: No solution found when resolving dependencies'],
  ['pypa-build', "ModuleNotFoundError: No module named 'skiff_hull'"],
  [
    'python-chained',
    'json.decoder.JSONDecodeError: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)',
  ],
  ['python-syntax', 'SyntaxError: invalid syntax'],
  ['pytest', 'E       assert 2 == 3'],
  ['apt', 'E: Unable to locate package libnope-dev'],
  [
    'docker-daemon',
    'Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?',
  ],
];

test('given the folder of tool outputs, then each file is in the table', () => {
  expect(readdirSync(FOLDER).sort()).toEqual(OUTPUTS.map(([name]) => `${name}.txt`).sort());
});

test.each(OUTPUTS)('given the output of %s, then the first error is found', (name, wanted) => {
  const lines = firstErrorOf(readFileSync(join(FOLDER, `${name}.txt`), 'utf8'));
  const text = firstErrorText({ firstError: lines });
  expect(text === null ? null : text.slice(0, wanted.length)).toBe(wanted);
  expect(lines.length).toBeLessThanOrEqual(4);
});

test.each(ERROR_LINES.map((row, at) => [row.tool, row, ERROR_LINE_EXAMPLES[at]!] as const))(
  'given the example of %s, then its row matches first',
  (_, row, example) => {
    expect(rowOf(example)).toBe(row);
  },
);

test.each([
  '0 errors, 0 warnings',
  'error: 0',
  'Errors: 0',
  'errors: none',
  'build finished with no errors',
  '1 warning and 0 errors generated',
  'gcc -Wall -Werror -Werror=format-security -c hull.c -o hull.o',
  '/usr/bin/cc -DERROR=1 -c /src/error.c',
  '[INFO] Tests run: 12, Failures: 0, Errors: 0, Skipped: 0',
  '[INFO] BUILD FAILURE',
  '[WARNING] The POM for org.hull:nope:jar:9 is missing',
  '-- Looking for lber.h - not found',
  '-- Performing Test HAVE_STRERROR_R - Failed',
  'checking for error_at_line... no',
  '   Compiling thiserror v1.0.40',
  '   Compiling proc-macro-error v1.0.4',
  'test tests::error_is_told ... ok',
  'tests/test_errors.py::test_fatal PASSED',
  'copying src/hull/errors.py -> build/lib/hull',
  'adding hull/exceptions/ValueError.py',
  'hull.c:3:5: warning: unused variable ‘error’ [-Wunused]',
  'warning: hull.pyx:3:5: error in docstring',
  'make: [Makefile:3: clean] Error 1 (ignored)',
  'fatal: not a git repository (or any of the parent directories): .git',
  "ERROR: pip's dependency resolver does not currently take into account all the packages that are installed.",
  'DeprecationWarning: error() is deprecated',
  'npm warn deprecated har-validator@5.1.5: this library is no longer supported',
  'cc1: all warnings being treated as errors',
  'go: downloading example.org/errors v1.0.0',
  'go: creating new go.mod: module example.org/errors',
  'Downloading error-prone-2.0.jar (1.2 MB)',
  'slipway: COMMAND_FAILED: error: make exited with 2',
])('given the line "%s", then it is not an error', (line) => {
  expect(firstErrorOf(line)).toEqual([]);
});

test('given a first error far above the end, then it is kept with its details, and memory stays bounded', () => {
  const scan = new FirstError();
  scan.push('CMake Error at CMakeLists.txt:5 (message):');
  scan.push('  Could not find ANT_EXECUTABLE');
  for (let at = 0; at < 100_000; at += 1) scan.push(`error: number ${at}`);
  expect(scan.lines).toEqual(['CMake Error at CMakeLists.txt:5 (message):', '  Could not find ANT_EXECUTABLE']);
});

test('given colours and a progress bar, then only the text is read', () => {
  expect(firstErrorOf('10%\r50%\r\x1b[1m\x1b[31merror\x1b[0m: no hull\r')).toEqual(['error: no hull']);
});

test('given a very long line, then the error is cut', () => {
  expect(firstErrorOf(`error: ${'x'.repeat(5000)}`)[0]).toHaveLength(400);
});

test('given a program that succeeded, then errors in its output are forgotten', () => {
  const scan = new FirstError();
  scan.push('error: tolerated');
  scan.clear();
  scan.push('error: real');
  expect(scan.lines).toEqual(['error: real']);
});

describe('the lines that explain a failure', () => {
  const firstError = ['a.c:1:1: error: no hull', '    1 | x'];
  const evidence = ['one', 'two', 'three'];

  test('given a first error, then they are it, a gap, and the last lines', () => {
    expect(shownLines({ firstError, evidence }, 2)).toEqual([...firstError, '…', 'two', 'three']);
  });

  test('given a first error among the last lines, then it is shown once', () => {
    expect(shownLines({ firstError, evidence: [...firstError, 'one'] }, 3)).toEqual([...firstError, 'one']);
  });

  test('given only last lines or only a first error, then they are those', () => {
    expect(shownLines({ evidence })).toEqual(evidence);
    expect(shownLines({ firstError })).toEqual(firstError);
  });
});
