import { aPlatform } from '../../support/a-platform.js';
import { platformFits, pythonFits, tagsOf } from '../../../src/model/python/wheel-tags.js';
import { parseWheelName } from '../../../src/model/python/file-name.js';

test.each([
  ['skiff-1.0-cp312-cp312-manylinux_2_17_x86_64.manylinux2014_x86_64.whl', 2],
  ['skiff-1.0-1build-py2.py3-none-any.whl', 2],
  ['skiff-1.0-py3-none-any.whl', 1],
])('given %s, then it has %i tags', (name, count) => expect(tagsOf(parseWheelName(name)!)).toHaveLength(count));

test.each([
  ['any', 'linux-x86_64', true],
  ['manylinux_2_34_x86_64', 'linux-x86_64', true],
  ['musllinux_1_2_aarch64', 'linux-aarch64', true],
  ['manylinux_2_34_aarch64', 'linux-x86_64', false],
  ['linux_x86_64', 'linux-x86_64', false],
  ['macosx_11_0_arm64', 'macos-arm64', true],
  ['macosx_11_0_universal2', 'macos-arm64', true],
  ['win_amd64', 'windows-x86_64', true],
])('given the tag %s and the platform %s, then it fits: %s', (tag, platform, fits) =>
  expect(platformFits(tag, aPlatform(platform))).toBe(fits),
);

test.each([
  ['skiff-1-cp312-cp312-any.whl', 'cp312', true],
  ['skiff-1-cp312-none-any.whl', 'cp312', true],
  ['skiff-1-cp311-cp311-any.whl', 'cp312', false],
  ['skiff-1-py36-none-any.whl', 'cp312', true],
  ['skiff-1-py313-none-any.whl', 'cp312', false],
  ['skiff-1-cp311-none-any.whl', 'cp312', false],
  ['skiff-1-cp39-abi3-any.whl', 'cp312', true],
  ['skiff-1-cp313-abi3-any.whl', 'cp312', false],
  ['skiff-1-py2.py3-none-any.whl', 'cp312', true],
  ['skiff-1-cp313-cp313t-any.whl', 'cp313t', true],
  ['skiff-1-cp313-cp313t-any.whl', 'cp313', false],
  ['skiff-1-cp313-cp313-any.whl', 'cp313t', false],
  ['skiff-1-cp39-abi3-any.whl', 'cp313t', false],
  ['skiff-1-py3-none-any.whl', 'cp313t', true],
])('given the wheel %s and the Python %s, then it fits: %s', (name, tag, fits) =>
  expect(pythonFits(parseWheelName(name)!, tag)).toBe(fits),
);
