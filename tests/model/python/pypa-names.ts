/** Facts from the tests of PyPA's `packaging` 26.3 (tests/test_version.py, tests/test_utils.py; Apache-2.0 or BSD). */

/** A project name and its normal form. */
export const NAMES: readonly (readonly [string, string])[] = [
  ['foo', 'foo'],
  ['Foo', 'foo'],
  ['fOo', 'foo'],
  ['foo.bar', 'foo-bar'],
  ['Foo.Bar', 'foo-bar'],
  ['Foo.....Bar', 'foo-bar'],
  ['foo_bar', 'foo-bar'],
  ['foo___bar', 'foo-bar'],
  ['foo-bar', 'foo-bar'],
  ['foo----bar', 'foo-bar'],
  ['_not_legal', '-not-legal'],
  ['hi\n', 'hi\n'],
  ['\nhi', '\nhi'],
  ['h\ni', 'h\ni'],
  ['hi\r', 'hi\r'],
  ['\rhi', '\rhi'],
  ['h\ri', 'h\ri'],
];

/** File name, project in normal form, version. */
export const WHEEL_NAMES: readonly (readonly [file: string, project: string, version: string])[] = [
  ['foo-1.0-py3-none-any.whl', 'foo', '1.0'],
  ['some_PACKAGE-1.0-py3-none-any.whl', 'some-package', '1.0'],
  ['foo-1.0-1000-py3-none-any.whl', 'foo', '1.0'],
  ['foo-1.0-1000abc-py3-none-any.whl', 'foo', '1.0'],
  ['pyvirtualcam-0.13.0-cp310-cp310-manylinux2014_x86_64.manylinux_2_17_x86_64.whl', 'pyvirtualcam', '0.13.0'],
  ['foo-2-py2.py3-none-manylinux_2_17_x86_64.manylinux2014_x86_64.whl', 'foo', '2'],
  ['foo_bár-1.0-py3-none-any.whl', 'foo-bár', '1.0'],
  ['foo_bár-1.0-1000-py3-none-any.whl', 'foo-bár', '1.0'],
  ['foo-1.0-py3.py2-none-any.whl', 'foo', '1.0'],
];

/** File name, project in normal form, version. */
export const SDIST_NAMES: readonly (readonly [file: string, project: string, version: string])[] = [
  ['foo-1.0.tar.gz', 'foo', '1.0'],
  ['foo-1.0.zip', 'foo', '1.0'],
];

/** Names that installers refuse. */
export const NO_WHEEL_NAMES: readonly string[] = [
  'foo-1.0.whl',
  'foo-1.0-py3-none-any.wheel',
  'foo__bar-1.0-py3-none-any.whl',
  'foo\n-1.0-py3-none-any.whl',
  'foo#bar-1.0-py3-none-any.whl',
  '-1.0-py3-none-any.whl',
  '-1.0-200-py3-none-any.whl',
  'foobar-1.x-py3-none-any.whl',
  'foo-1.0-abc-py3-none-any.whl',
  'foo-1.0-200-py3-none-any-junk.whl',
  'foo-1.0--none-any.whl',
  'foo-1.0-py3-none-.whl',
  'foo-1.0-py3.-none-any.whl',
  'playlyfe-0.1.1-2.7.6-none-any.whl',
];

/** Names that installers refuse. */
export const NO_SDIST_NAMES: readonly string[] = [
  'foo-1.0.xz',
  'foo1.0.tar.gz',
  'foo-1.x.tar.gz',
  '-1.0.tar.gz',
  '-1.0.zip',
];
