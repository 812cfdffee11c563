import {
  fileStem,
  normalName,
  parseFileName,
  parseSdistName,
  parseWheelName,
  versionInName,
} from '../../../src/model/python/file-name.js';
import { sameVersion } from '../../../src/model/python/version.js';
import { NAMES, NO_SDIST_NAMES, NO_WHEEL_NAMES, SDIST_NAMES, WHEEL_NAMES } from './pypa-names.js';

test.each([['infi_dtypes-IQN', 'infi-dtypes-iqn'] as const, ...NAMES])(
  'given the project %j, then its normal form is %j',
  (name, normal) => expect(normalName(name)).toBe(normal),
);

test.each(WHEEL_NAMES)('given the wheel %s, then its project is %s and its version is %s', (file, project, version) => {
  const name = parseWheelName(file)!;
  expect(normalName(name.project)).toBe(project);
  expect(sameVersion(name.version, version)).toBe(true);
});

test('given a wheel with a build number and sets of tags, then each tag is read', () => {
  expect(parseWheelName('foo-2-1a-py2.py3-none-linux_x86_64.any.whl')).toEqual({
    project: 'foo',
    version: '2',
    pythons: ['py2', 'py3'],
    abis: ['none'],
    platforms: ['linux_x86_64', 'any'],
  });
});

test.each(['skiff-1.0.tar.gz', 'skiff-1.0-any.whl', 'a-b-c-d-e-f-g.whl', ...NO_WHEEL_NAMES])(
  'given %j, then it is not the name of a wheel',
  (file) => expect(parseWheelName(file)).toBeNull(),
);

test.each(SDIST_NAMES)('given the sdist %s, then its project is %s and its version is %s', (file, project, version) =>
  expect(parseSdistName(file)).toEqual({ project, version }),
);

/** Indexes still hold sdists whose version PEP 440 does not allow; reading them must not hide them. */
const OLD = 'foo-1.x.tar.gz';
test.each(NO_SDIST_NAMES.filter((file) => file !== OLD))('given %j, then it is not the name of an sdist', (file) =>
  expect(parseSdistName(file)).toBeNull(),
);
test('given an old sdist with a version that PEP 440 does not allow, then its parts are read', () => {
  expect(parseSdistName(OLD)).toEqual({ project: 'foo', version: '1.x' });
});

test.each([
  ['skiff', 'skiff-1.2.3-cp311-cp311-manylinux_2_34_x86_64.whl', '1.2.3'],
  ['sea-skiff', 'sea_skiff-1.0.tar.gz', '1.0'],
  ['cffi', 'cffi-1.0.2-2.tar.gz', '1.0.2-2'],
  ['cffi', 'cffi-1.0.2.post2-cp311-cp311-linux_x86_64.whl', '1.0.2.post2'],
  ['sea.skiff', 'sea.skiff-1.0.zip', '1.0'],
  ['sea-skiff', 'Sea-Skiff-1.0-1.tar.bz2', '1.0-1'],
  ['skiff', 'sea_skiff-1.0.tar.gz', null],
  ['skiff', 'skiff-extra-1.0-py3-none-any.whl', null],
  ['skiff', 'skiff-1.2.3.exe', null],
  ['skiff', 'skiff-.tar.gz', null],
])('given the project %s and the file %s, then the version is %s', (project, file, version) =>
  expect(versionInName(project, file)).toBe(version),
);

test.each([
  ['sea-skiff-1.0.tar.gz', { project: 'sea-skiff', version: '1.0' }],
  ['notes.txt', null],
  ['skiff-1.0.jar', null],
])('given the file %s, then its parts are %j', (file, parts) => expect(parseFileName(file)).toEqual(parts));

test.each([
  ['Sea.Skiff', '1.0-RC.1', 'sea_skiff-1.0rc1'],
  ['skiff', '01.0', 'skiff-1.0'],
  ['skiff', '1.0-SNAPSHOT', 'skiff-1.0-SNAPSHOT'],
])('given the project %s and the version %s, then its files begin with %s', (project, version, stem) =>
  expect(fileStem(project, version)).toBe(stem),
);
