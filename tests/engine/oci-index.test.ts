import { ociIndex, type IndexChild } from '../../src/engine/ledger/oci-index.js';

const child = (platform: string, digit: string): IndexChild => ({
  digest: `sha256:${digit.repeat(64)}`,
  mediaType: 'application/vnd.oci.image.manifest.v1+json',
  size: 1234,
  platform,
});
const amd64 = child('linux/amd64', 'a');
const arm64 = child('linux/arm64', 'b');

test('given the same children in any order, then the index has the same bytes', () => {
  const bytes = ociIndex([arm64, amd64]);
  expect(bytes).toBe(ociIndex([amd64, arm64]));
  expect(bytes).toBe(
    `{"manifests":[{"digest":"sha256:${'a'.repeat(64)}","mediaType":"application/vnd.oci.image.manifest.v1+json","platform":{"architecture":"amd64","os":"linux"},"size":1234},` +
      `{"digest":"sha256:${'b'.repeat(64)}","mediaType":"application/vnd.oci.image.manifest.v1+json","platform":{"architecture":"arm64","os":"linux"},"size":1234}],` +
      `"mediaType":"application/vnd.oci.image.index.v1+json","schemaVersion":2}`,
  );
});

test('given a variant and annotations, then the index carries them', () => {
  const made = JSON.parse(ociIndex([child('linux/arm/v7', 'c')], { 'org.opencontainers.image.version': '1.0' })!);
  expect(made.manifests[0].platform).toEqual({ os: 'linux', architecture: 'arm', variant: 'v7' });
  expect(made.annotations).toEqual({ 'org.opencontainers.image.version': '1.0' });
});

test('given no child, or two for one platform, then no index is made', () => {
  expect(ociIndex([])).toBeNull();
  expect(ociIndex([amd64, child('linux/amd64', 'd')])).toBeNull();
});
