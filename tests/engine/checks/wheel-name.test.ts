import { aPlatform } from '../../support/a-platform.js';
import {
  normalName,
  normalVersion,
  parseWheelName,
  platformFits,
  pythonFits,
  tagsOf,
} from '../../../src/engine/checks/wheel-name.js';

test.each([
  ['skiff-1.0-cp312-cp312-manylinux_2_17_x86_64.manylinux2014_x86_64.whl', 2],
  ['skiff-1.0-1build-py2.py3-none-any.whl', 2],
  ['skiff-1.0-py3-none-any.whl', 1],
])('%s stands for %i tags', (name, count) => expect(tagsOf(parseWheelName(name)!)).toHaveLength(count));

test.each(['skiff-1.0.tar.gz', 'skiff-1.0-any.whl', 'a-b-c-d-e-f-g.whl'])('%s is no name of a wheel', (name) =>
  expect(parseWheelName(name)).toBeNull(),
);

test.each([
  ['infi.dtypes.iqn', 'infi_dtypes-IQN'],
  ['ruamel.yaml', 'ruamel__yaml'],
])('%s and %s are one project', (a, b) => expect(normalName(a)).toBe(normalName(b)));

test.each([
  ['1.0', '1.0.0'],
  ['v1.0-RC.1', '1rc1'],
  ['1.0c1', '1.0rc1'],
  ['1.0alpha2', '1a2'],
  ['2.0.rev3', '2.post3'],
  ['1.10', '1.10.0'],
  ['1!2.0', '1!2'],
  ['1.0+cu_12', '1+cu.12'],
])('%s and %s are one version', (a, b) => expect(normalVersion(a)).toBe(normalVersion(b)));

test.each([
  ['1.0', '1.1'],
  ['1.0', '10'],
  ['1.0rc1', '1.0'],
])('%s and %s are two versions', (a, b) => expect(normalVersion(a)).not.toBe(normalVersion(b)));

test.each([
  ['any', 'linux-x86_64', true],
  ['manylinux_2_34_x86_64', 'linux-x86_64', true],
  ['musllinux_1_2_aarch64', 'linux-aarch64', true],
  ['manylinux_2_34_aarch64', 'linux-x86_64', false],
  ['linux_x86_64', 'linux-x86_64', false],
  ['macosx_11_0_arm64', 'macos-arm64', true],
  ['macosx_11_0_universal2', 'macos-arm64', true],
  ['win_amd64', 'windows-x86_64', true],
])('tag %s for %s: %s', (tag, platform, fits) => expect(platformFits(tag, aPlatform(platform))).toBe(fits));

test.each([
  ['skiff-1-cp312-cp312-any.whl', 'cp312', true],
  ['skiff-1-cp311-cp311-any.whl', 'cp312', false],
  ['skiff-1-cp39-abi3-any.whl', 'cp312', true],
  ['skiff-1-cp313-abi3-any.whl', 'cp312', false],
  ['skiff-1-py2.py3-none-any.whl', 'cp312', true],
  ['skiff-1-cp313-cp313t-any.whl', 'cp313t', true],
  ['skiff-1-cp313-cp313t-any.whl', 'cp313', false],
  ['skiff-1-cp313-cp313-any.whl', 'cp313t', false],
  ['skiff-1-cp39-abi3-any.whl', 'cp313t', false],
  ['skiff-1-py3-none-any.whl', 'cp313t', true],
])('%s on %s: %s', (name, tag, fits) => expect(pythonFits(parseWheelName(name)!, tag)).toBe(fits));
