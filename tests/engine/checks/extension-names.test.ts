import { judgeExtensionNames } from '../../../src/engine/checks/extension-names.js';
import { parseWheelName } from '../../../src/model/python/file-name.js';
import { aPlatform } from '../../support/a-platform.js';

const ARM = 'skiff-1-cp311-cp311-manylinux_2_17_aarch64.whl';
const MAC = 'skiff-1-cp311-cp311-macosx_11_0_arm64.whl';
const ABI3 = 'skiff-1-cp39-abi3-manylinux_2_17_aarch64.whl';

test.each([
  ['a.cpython-311-aarch64-linux-gnu.so', ARM, 'linux-aarch64', []],
  ['libplain.so', ARM, 'linux-aarch64', []],
  ['a.abi3.so', ABI3, 'linux-aarch64', []],
  ['a.cpython-311-x86_64-linux-gnu.so', ARM, 'linux-aarch64', ['EXTENSION_NAME_DIFFERS']],
  ['a.cpython-312-aarch64-linux-gnu.so', ARM, 'linux-aarch64', ['EXTENSION_NAME_DIFFERS']],
  ['a.cpython-311-darwin.so', MAC, 'macos-arm64', []],
  ['a.cpython-311-x86_64-linux-gnu.so', MAC, 'macos-arm64', ['EXTENSION_NAME_DIFFERS']],
  ['a.cpython-39-aarch64-linux-gnu.so', ABI3, 'linux-aarch64', ['ABI3_NOT']],
])('given %s in %s, then its findings for %j are as expected', (member, wheel, platform, found) =>
  expect(judgeExtensionNames([member], parseWheelName(wheel)!, aPlatform(platform)).map(({ code }) => code)).toEqual(
    found,
  ),
);
