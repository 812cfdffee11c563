import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Artifact } from '../../src/model/artifact.js';
import type { Digest } from '../../src/model/digest.js';
import { sha256 } from './run-body.js';

const WHEEL = `
import base64, hashlib, sys, zipfile
path, version, text = sys.argv[1:4]
info = 'skiff-' + version + '.dist-info'
files = {'skiff/__init__.py': text + '\\n', info + '/METADATA': 'Metadata-Version: 2.1\\nName: skiff\\nVersion: ' + version + '\\n',
  info + '/WHEEL': 'Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n'}
record = ''.join(n + ',sha256=' + base64.urlsafe_b64encode(hashlib.sha256(t.encode()).digest()).decode().rstrip('=') + ',' + str(len(t)) + '\\n' for n, t in files.items())
files[info + '/RECORD'] = record + info + '/RECORD,,\\n'
with zipfile.ZipFile(path, 'w') as z:
    for n, t in files.items():
        z.writestr(zipfile.ZipInfo(n), t)
`;

/** Bytes of a real wheel of the project skiff whose module holds `text`. */
export function wheelBytes(version: string, text = `answer = '${version}'`): Uint8Array {
  const path = join(mkdtempSync(join(tmpdir(), 'slipway-wheel-')), `skiff-${version}-py3-none-any.whl`);
  execFileSync('python3', ['-c', WHEEL, path, version, text]);
  return readFileSync(path);
}

const SDIST = `
import io, sys, tarfile
path, version = sys.argv[1:3]
backend = r'''
import zipfile
def build_wheel(folder, config_settings=None, metadata_directory=None):
    name, info = 'skiff-%s-py3-none-any.whl', 'skiff-%s.dist-info'
    with zipfile.ZipFile(folder + '/' + name, 'w') as z:
        z.writestr('skiff.py', 'answer = 42')
        z.writestr(info + '/METADATA', 'Metadata-Version: 2.1\\nName: skiff\\nVersion: %s\\n')
        z.writestr(info + '/WHEEL', 'Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n')
        z.writestr(info + '/RECORD', '')
    return name
''' % (version, version, version)
files = {'PKG-INFO': 'Metadata-Version: 2.1\\nName: skiff\\nVersion: ' + version + '\\n', 'backend.py': backend,
  'pyproject.toml': '[build-system]\\nrequires = []\\nbuild-backend = "backend"\\nbackend-path = ["."]\\n'}
with tarfile.open(path, 'w:gz') as t:
    for n, text in files.items():
        entry = tarfile.TarInfo('skiff-' + version + '/' + n)
        entry.size = len(text)
        t.addfile(entry, io.BytesIO(text.encode()))
`;

/** Bytes of a real sdist that brings its own build backend. */
export function sdistBytes(version: string): Uint8Array {
  const path = join(mkdtempSync(join(tmpdir(), 'slipway-sdist-')), `skiff-${version}.tar.gz`);
  execFileSync('python3', ['-c', SDIST, path, version]);
  return readFileSync(path);
}

const sha = (bytes: string): Digest => sha256(bytes);

/** Puts a small image into a registry by plain requests; answers it as an artifact. */
export async function stageImage(
  registry: string,
  repository: string,
  content: string,
  labels: Readonly<Record<string, string>> = {},
): Promise<Artifact> {
  const config = JSON.stringify({
    architecture: 'amd64',
    os: 'linux',
    rootfs: { type: 'layers', diff_ids: [] },
    note: content,
    config: { Labels: labels },
  });
  const layer = `layer ${content} `.repeat(2000);
  const descriptor = (mediaType: string, text: string): object => ({ mediaType, digest: sha(text), size: text.length });
  for (const blob of [config, layer]) await putBlob(registry, repository, blob);
  const mediaType = 'application/vnd.oci.image.manifest.v1+json';
  const manifest = JSON.stringify({
    schemaVersion: 2,
    mediaType,
    config: descriptor('application/vnd.oci.image.config.v1+json', config),
    layers: [descriptor('application/vnd.oci.image.layer.v1.tar', layer)],
  });
  await put(`http://${registry}/v2/${repository}/manifests/${sha(manifest)}`, manifest, mediaType);
  return { digest: sha(manifest), kind: 'image', name: 'skiff', size: layer.length, labels: { repository } };
}

/** Puts an index over staged images. */
export async function stageIndex(registry: string, repository: string, images: readonly Artifact[]): Promise<Artifact> {
  const mediaType = 'application/vnd.oci.image.index.v1+json';
  const manifests = [];
  for (const { digest } of images) {
    const text = await (
      await fetch(`http://${registry}/v2/${repository}/manifests/${digest}`, { headers: { accept: '*/*' } })
    ).text();
    manifests.push({ mediaType: 'application/vnd.oci.image.manifest.v1+json', digest, size: text.length });
  }
  const index = JSON.stringify({ schemaVersion: 2, mediaType, manifests });
  await put(`http://${registry}/v2/${repository}/manifests/${sha(index)}`, index, mediaType);
  return { digest: sha(index), kind: 'image', name: 'skiff', size: 0, labels: { repository } };
}

async function putBlob(registry: string, repository: string, text: string): Promise<void> {
  const place = await fetch(`http://${registry}/v2/${repository}/blobs/uploads/`, { method: 'POST' });
  const url = new URL(place.headers.get('location')!);
  url.searchParams.set('digest', sha(text));
  await put(url.href, text, 'application/octet-stream');
}

async function put(url: string, body: string, type: string): Promise<void> {
  const response = await fetch(url, { method: 'PUT', body, headers: { 'content-type': type } });
  if (!response.ok) throw new Error(`PUT ${url}: HTTP ${response.status} ${await response.text()}`);
}
