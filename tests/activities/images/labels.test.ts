import { ociLabels } from '../../../src/activities/images/build-image.js';
import { repositoryOf } from '../../../src/activities/images/staged.js';
import { aPlan } from '../../support/run-body.js';

test('given a release, then the image has the OCI annotations of its origin', () => {
  expect(ociLabels(aPlan(), 1735689600, { 'skiff.kind': 'cpu' })).toEqual({
    'org.opencontainers.image.title': 'skiff',
    'org.opencontainers.image.version': '1.2.3',
    'org.opencontainers.image.revision': '0'.repeat(40),
    'org.opencontainers.image.source': `git commit ${'0'.repeat(40)}`,
    'org.opencontainers.image.created': '2025-01-01T00:00:00Z',
    'skiff.kind': 'cpu',
  });
});

test.each([
  ['Skiff', 'skiff'],
  ['ray-cpp', 'ray-cpp'],
  ['bases/JRE 17', 'bases/jre-17'],
])('given the name %s, then it is staged under %s', (name, repository) => {
  expect(repositoryOf(name)).toBe(repository);
});
