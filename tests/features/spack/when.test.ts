import type { Host } from '../../../src/features/spack/pure/when-words.js';
import { evaluateWhen } from '../../../src/features/spack/pure/when.js';

const HOST: Host = {
  ...{ platform: 'linux', os: 'debian12', target: 'zen3', hostname: 'login3.site' },
  env: { SPACK_CI_TARGET: 'x86_64_v3', EMPTY: '' },
};

test.each([
  ['os == "debian12"', true],
  ['os != \'debian12\' or platform == "linux"', true],
  ['os == "rhel8" and platform == "linux"', false],
  ['not os == "rhel8"', true],
  ['not not not (os == "rhel8")', true],
  ['os == "rhel8" or os == "debian12" and target == "zen2"', false],
  ['(os == "rhel8" or os == "debian12") and target == "zen3"', true],
  ['os in ("centos7", "debian12")', true],
  ['os not in ["centos7", "rhel8"]', true],
  ['os in ("debian12",)', true],
  ['"deb" in os', true],
  ['arch == "linux-debian12-zen3"', true],
  ['hostname.startswith("login") and hostname.endswith(".site")', true],
  ['env["SPACK_CI_TARGET"] == "x86_64_v3"', true],
  ['env.get("SPACK_CI_TARGET") == "x86_64_v3"', true],
  ['env.get("LACKS", "none") == "none"', true],
  ['env.get("LACKS")', false],
  ['env.get("EMPTY")', false],
  ['"SPACK_CI_TARGET" in env', true],
  ['"LACKS" not in env', true],
  ['re.search(r"^login\\d+\\.", hostname)', true],
  ['re.match("site", hostname)', false],
  ['re.search("site", hostname)', true],
  ['True', true],
  ['False or "text"', true],
  ['not False', true],
])('given %s, then it is %s as in Python', (text, holds) => {
  expect(evaluateWhen(text, HOST)).toEqual({ holds });
});

test.each([
  ['os == "rhel8"', {}, 'os'],
  ['arch == "linux-debian12-zen3"', { platform: 'linux', os: 'debian12' }, 'target'],
  ['env.get("SITE") == "x"', {}, 'env'],
  ['"SITE" in env', {}, 'env'],
  ['env["SITE"] == "x"', HOST, 'env.SITE'],
])('given %s of a host that does not say it, then the missing key is named', (text, host, unknown) => {
  expect(evaluateWhen(text, host)).toMatchObject({ unknown });
});

test('given a part that decides, then what comes after it is not asked for', () => {
  expect(evaluateWhen('os == "debian12" or env["SITE"] == "x"', HOST)).toEqual({ holds: true });
});

test.each([
  ["__import__('os').system('true')", '"__import__" is not known'],
  ['os.system("true")', '"system" is not known of a text'],
  ['open', '"open" is not known'],
  ['constructor', '"constructor" is not known'],
  ['os.constructor("x")', '"constructor" is not known of a text'],
  ['os == "a" if True else False', '"if" is not expected there'],
  ['os == "a" == "b"', '"==" is not expected there'],
  ['lambda: 1', 'nothing is known that begins with ": 1"'],
  ['re.compile("a")', '"search" is expected in place of "compile"'],
  ['re.search("a")', 're needs an expression and a text'],
  ['re.search("(a", os)', 'is no regular expression that can be used'],
  ['re.search("a", env.get("LACKS"))', 're needs a text, and has null'],
  ['os == ', '"the end" is not known'],
  ['(os', '")" is expected in place of "the end"'],
  ['', '"the end" is not known'],
  ['('.repeat(900), 'it is nested too deep'],
  [`os == "${'x'.repeat(100_000)}"`, 'it has 100008 characters, and at most 2000 are read'],
])('given text that is no condition (%#), then nothing of it is run', (text, why) => {
  expect(evaluateWhen(text, HOST)).toEqual({ why: expect.stringContaining(why) as unknown, unknown: null });
});
