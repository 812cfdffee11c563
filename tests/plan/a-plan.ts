import { createHash } from 'node:crypto';
import { FEATURE_PLANS } from '../../src/features/plan.js';
import type { Hash } from '../../src/model/digest.js';
import { SlipwayFailure, type Problem } from '../../src/model/failure.js';
import type { BundleFile, Plan } from '../../src/model/plan.js';
import { Platforms, Profile, Queues } from '../../src/model/schema/profile.js';
import type { Facts } from '../../src/plan/facts.js';
import { plan } from '../../src/plan/plan.js';
import { readReleaseFile } from '../../src/plan/read/release-file.js';

export const sha256: Hash = (text) => `sha256:${createHash('sha256').update(text).digest('hex')}`;

/** The head that every release file of these tests has; sections follow. */
export const HEAD = `slipway: 1
release: { name: skiff, version: '1.0' }
source: { sdist: skiff==1.0, sha256: ${'a'.repeat(64)} }
platforms: [linux-x86_64]
pythons: [cp311, cp312]
`;

export const bundleOf = (...paths: readonly string[]): readonly BundleFile[] =>
  paths.map((path) => ({ path, digest: sha256(path), size: path.length, executable: false }));

export const someFacts = (more: Partial<Facts> = {}): Facts => ({
  profile: {
    name: 'local',
    content: Profile.parse({
      rehearsal: true,
      kinds: {
        python: { address: 'service:index', username: 'root', password: '$INDEX' },
        maven: { address: 'service:maven' },
        oci: { address: 'service:registry' },
      },
    }),
  },
  bundle: bundleOf('slipway.yaml', 'Dockerfile', 'smoke.py', 'overlay/setup.py'),
  releaseFile: 'slipway.yaml',
  features: FEATURE_PLANS,
  git: null,
  nowMs: Date.parse('2026-11-22T02:30:00Z'),
  queues: Queues.parse({
    control: { window: 8 },
    'linux-x86_64': { window: 2 },
    'linux-aarch64': { window: 2 },
    gpu: { window: 1 },
  }),
  platforms: Platforms.parse({
    'linux-x86_64': {
      queue: 'linux-x86_64',
      native: 'linux-x86_64',
      wheel: '*_x86_64',
      os: 'linux',
      arch: 'x86_64',
      oci: 'linux/amd64',
    },
    'linux-aarch64': {
      queue: 'linux-aarch64',
      native: 'linux-aarch_64',
      wheel: '*_aarch64',
      os: 'linux',
      arch: 'aarch64',
      oci: 'linux/arm64',
    },
  }),
  ...more,
});

export const planOf = (text: string, facts: Partial<Facts> = {}): Plan =>
  plan(readReleaseFile(text, 'slipway.yaml'), someFacts(facts));

/** Every problem of a text, or none. */
export function problemsOf(text: string, facts: Partial<Facts> = {}): readonly Problem[] {
  try {
    planOf(text, facts);
    return [];
  } catch (error) {
    if (error instanceof SlipwayFailure) return error.problems;
    throw error;
  }
}

export const stepOf = (made: Plan, id: string) => {
  const step = made.steps.find((one) => one.id === id);
  if (!step) throw new Error(`no step ${id}; there are ${made.steps.map((one) => one.id).join(', ')}`);
  return step;
};

export const idsOf = (made: Plan, section: string): readonly string[] =>
  made.steps.map((step) => step.id).filter((id) => id.startsWith(`${section}/`));
