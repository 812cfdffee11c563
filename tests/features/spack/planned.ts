import { join } from 'node:path';
import type { ImageContainers } from '../../../src/activities/tests/ports.js';
import { toolsBin } from '../../../src/adapters/home.js';
import { createPrograms } from '../../../src/adapters/process/programs.js';
import { findSandbox } from '../../../src/adapters/process/sandbox.js';
import { createBuildSpec } from '../../../src/features/spack/node/build-spec.js';
import { createProveSpecs } from '../../../src/features/spack/node/prove-specs.js';
import type { EnvironmentImport, Spec } from '../../../src/features/spack/schemas/environment.js';
import type { Where } from '../../../src/model/params.js';
import type { Result } from '../../../src/model/result.js';
import { aResult, aStep, anArtifact, newHome, type RunBody, runBody } from '../../support/run-body.js';
import { type Files, importedFrom } from './an-environment.js';

const WEEK_MS = 604_800_000;
export const DOUBLE = join(__dirname, '../../doubles/spack');

/** The checkout of the suites with `@needs spack`. */
export function realSpack(): string {
  return process.env['SLIPWAY_SPACK']!;
}

/** A home whose store has the files of an environment as facts of a plan, and its entries.
 * @param options `at`: a home that another environment used before; default: a new one. `asked`: the Spack that the environment asks for.
 * `more`: keys of the import. `containers`: what builds specs in the base `bases/deb`; default: the worker itself builds them. */
export async function planned(
  spack: string,
  files: Files,
  options: {
    readonly repos?: string;
    readonly at?: string;
    readonly asked?: string;
    readonly more?: Partial<EnvironmentImport>;
    readonly containers?: ImageContainers;
  } = {},
) {
  const { repos = '', at, asked, more, containers = null } = options;
  const where: Where = containers === null ? { in: 'host' } : { in: 'container', base: 'bases/deb' };
  const home = at ?? (await newHome());
  const { made, facts } = importedFrom(files, { ...(repos !== '' && { recipes: {} }), ...more });
  expect(made.findings).toEqual([]);
  const record = JSON.stringify({ imports: { 'environments/stack': facts } });
  const { digest } = await anArtifact(home, 'facts', record);
  const worker = { ...process.env, SLIPWAY_SPACK: spack, SLIPWAY_SPACK_REPOS: repos };
  const sandbox = findSandbox({ toolsBin: toolsBin(), home, env: worker });
  const programs = createPrograms({ running: join(home, 'running'), graceMs: 1_000, sandbox });
  const around = {
    home,
    plan: { imports: { facts: digest, of: [] } },
    surroundings: { programs, service: () => 'staging:80' },
  };
  const specs = new Map(made.entries.map(({ entry }) => [entry['name'], entry as unknown as Spec]));
  const paramsOf = (name: string) => {
    const { dependencies: _, network: _network, retryFailed: _retry, ...params } = specs.get(name)!;
    return { ...params, where };
  };
  const stepOf = (name: string, network = false) =>
    aStep(
      'buildSpec',
      { ...paramsOf(name), retryFailedMs: WEEK_MS, ...(network && { network }) },
      { id: `specs/${name}` },
    );
  const run = (
    name: string,
    inputs: readonly Result[] = [],
    { network, ...more }: Pick<RunBody, 'run'> & { readonly network?: boolean } = {},
  ) =>
    runBody(createBuildSpec({ env: worker, home }, containers), stepOf(name, network), { ...around, inputs, ...more });
  return {
    home,
    run,
    build: async (name: string, inputs: readonly Result[] = []): Promise<Result> =>
      aResult(stepOf(name), (await run(name, inputs)).made),
    prove: async (...names: readonly string[]) => {
      const { hash: _hash, name: _name, version: _version, where: _where, ...environment } = paramsOf(names[0]!);
      const specs = names.map((name) => paramsOf(name).hash);
      const params = { ...environment, specs, ...(asked !== undefined && { spack: asked }) };
      return (
        await runBody(
          createProveSpecs({ env: worker, home }),
          aStep('proveSpecs', params, { on: 'linux-x86_64' }),
          around,
        )
      ).made;
    },
  };
}

export const pathsOf = ({ artifacts }: Result): readonly string[] =>
  artifacts.flatMap(({ labels }) => labels['path'] ?? []);
