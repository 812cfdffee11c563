import { execFileSync } from 'node:child_process';
import { once } from '../../src/adapters/facts/index.js';
import type { GateRules } from '../../src/model/gate.js';
import type { BundleFile, Plan, Step } from '../../src/model/plan.js';
import { aTarget } from '../activities/publish/release.js';
import { aRule } from '../engine/a-gate.js';
import { aPlan, aStep, newHome, realSurroundings } from '../support/run-body.js';

export type Person = 'kim' | 'lee' | 'eve';

/** The attacker's part of a release file. */
export interface Said {
  readonly gate?: 'needed' | 'wanted' | 'dropped';
  readonly branch?: string | null;
  readonly rules?: Partial<GateRules>;
  readonly commit?: string;
  readonly rehearsal?: boolean;
  readonly address?: string;
  /** Password of the target. */
  readonly password?: string;
}

export async function bundleOf(
  home: string,
  keys: Readonly<Record<Person, { public: string }>>,
): Promise<BundleFile[]> {
  const { store } = realSurroundings(home);
  const files: BundleFile[] = [];
  for (const [name, key] of Object.entries(keys))
    files.push({ path: `keys/${name}.pub`, ...(await store.put(once(key.public))), executable: false });
  return files;
}

export function planOf(
  { gate = 'needed', branch = 'main', rules = {}, ...more }: Said,
  bundle: BundleFile[],
  at: string,
): Plan {
  const { password = null } = more;
  const target = aTarget({ name: 'repository', kind: 'maven', address: at, username: 'kim', password });
  const outlet = { by: 'webhook', url: 'http://0.0.0.0:1/', headers: { x: '$TOKEN' } } as const;
  const approvers = (['kim', 'lee', 'eve'] as const).map((name) => ({ group: 'core', key: `keys/${name}.pub` }));
  const ship = aStep('passGate', aRule({ approvers, quorum: 2, expiresMs: 3_600_000, ...rules }), {
    ...{ id: 'gates/ship', stage: 'gates', needs: ['seal/manifest'] },
  });
  const run = { run: 'make', env: {}, folder: '.', where: { in: 'host' }, outputs: [], expect: null } as const;
  const steps: Step[] = [
    aStep('runCommand', run, { id: 'jars/skiff' }),
    aStep('sealManifest', {}, { id: 'seal/manifest', stage: 'seal', wants: ['jars/skiff'] }),
    aStep('proveTarget', { target, project: 'skiff', version: '1.2.3', tags: [] }, { id: 'prove/target/repository' }),
    aStep('attestRelease', { key: 'file:/nowhere' }, { id: 'attest/release', needs: ['seal/manifest'] }),
    aStep('announceRelease', { outlet }, { id: 'announce/world', needs: ['seal/manifest'] }),
    ...(gate === 'dropped' ? [] : [ship]),
    aStep(
      'publishArtifacts',
      { target, of: ['jars/skiff'], tags: [] },
      {
        ...{ id: 'publish/repository/jars.skiff', stage: 'publish' },
        needs: ['seal/manifest', ...(gate === 'needed' ? ['gates/ship'] : [])],
        wants: gate === 'wanted' ? ['gates/ship'] : [],
      },
    ),
  ];
  const source = { kind: 'git', commit: more.commit ?? '0'.repeat(40), branch } as const;
  return aPlan({ profile: { name: 'live', rehearsal: more.rehearsal ?? false }, source, steps, bundle });
}

/** A repository with a commit on main and another on a branch of eve's. */
export async function aRepository(): Promise<{ path: string; main: string; eve: string }> {
  const path = await newHome();
  const git = (...argv: readonly string[]): string =>
    execFileSync('git', ['-C', path, '-c', 'user.name=a', '-c', 'user.email=a@example.invalid', ...argv], {
      encoding: 'utf8',
    }).trim();
  git('init', '-q', '-b', 'main');
  git('commit', '-q', '--allow-empty', '-m', 'one');
  const main = git('rev-parse', 'HEAD');
  git('checkout', '-q', '-b', 'eve/main');
  git('commit', '-q', '--allow-empty', '-m', 'two');
  return { path, main, eve: git('rev-parse', 'HEAD') };
}
