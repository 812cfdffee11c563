import { wantedOf } from '../../tools/drill/wanted.js';
import type { Manifest, SealedArtifact } from '../../src/engine/ledger/manifest.js';
import { sha256 } from '../plan/a-plan.js';
import { aBoat } from './a-boat.js';

const made = aBoat({ other: true });

const sealed = (step: string, kind: SealedArtifact['kind'], name: string, labels = {}): SealedArtifact => {
  const id = made.steps.find((one) => one.id.startsWith(step))!.id;
  return { step: id, kind, name, labels, digest: sha256(name), size: 1, notes: [] };
};
const jar = { groupId: 'org.boats', artifactId: 'skiff', version: '1.0' };
const manifest = {
  artifacts: [
    sealed('wheels/skiff', 'wheel', 'skiff-1.0-cp311.whl'),
    sealed('wheels/other', 'wheel', 'other-1.0-cp311.whl'),
    sealed('jars/skiff', 'jar', 'skiff-1.0.jar', jar),
    sealed('images/skiff', 'image', 'skiff'),
  ],
  evidence: [sealed('deps/build', 'lock', 'build.lock')],
} as unknown as Manifest;

test('given a sealed manifest, then each file is expected at its target, under its name there', () => {
  expect(wantedOf(made, manifest)).toEqual([
    { target: 'hub', kind: 'oci', name: 'boats/skiff:1.0', digest: sha256('skiff') },
    { target: 'index', kind: 'python', name: 'skiff-1.0-cp311.whl', digest: sha256('skiff-1.0-cp311.whl') },
    { target: 'maven', kind: 'maven', name: 'org/boats/skiff/1.0/skiff-1.0.jar', digest: sha256('skiff-1.0.jar') },
  ]);
});
