import { readWheelSubject, wheelSubject } from '../../src/model/python/wheel-subject.js';

const AT = { platform: 'debian-12', python: 'cp311' };

test.each([
  ['5.3.0', 'lxml==5.3.0 debian-12 cp311'],
  ['1!2.0+local', 'lxml==1!2.0+local debian-12 cp311'],
  ['v1.0', 'lxml==v1.0 debian-12 cp311'],
  ['a text', 'lxml==a text debian-12 cp311'],
  ['>=5,<7', 'lxml>=5,<7 debian-12 cp311'],
  ['==1.*', 'lxml==1.* debian-12 cp311'],
  ['==1.*,<1.5', 'lxml==1.*,<1.5 debian-12 cp311'],
  ['', 'lxml== debian-12 cp311'],
])('given the version %j, when its row is named, then the name can be read', (version, text) => {
  expect(wheelSubject({ project: 'lxml', version, ...AT })).toBe(text);
  expect(readWheelSubject(text)).toEqual({ project: 'lxml', version, ...AT });
});

test.each(['many_tasks.aws', '', 'lxml debian-12', '== debian-12 cp311'])(
  'given %j, when it is read, then it names no wheel',
  (text) => {
    expect(readWheelSubject(text)).toBeNull();
  },
);
