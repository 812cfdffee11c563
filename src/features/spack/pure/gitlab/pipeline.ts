import type { Complain } from '../../../../importers/file-problem.js';
import type { Json, JsonObject } from '../../../../model/json.js';
import { isMap, mergedAttributes, withoutAttributes } from '../attributes.js';
import { concreteSpecs } from '../concrete.js';
import type { Environment } from '../environment.js';
import { problems } from '../errors.js';
import type { Lock } from '../lock.js';
import { rootsOf } from '../jobs.js';
import { buildJob, namedJob, type Rules } from '../rules.js';
import { jobName, type JobSpec, jobSpecs } from './job-specs.js';
import { specVariables } from './spec-variables.js';

/** Variables that `spack ci generate` takes from the job that runs it. */
export interface Generation {
  /** Folder below the project's own. */
  readonly artifactsRoot: string;
  /** Job and pipeline with the concrete environment as an artifact. */
  readonly job: string;
  readonly pipeline: string;
  readonly stack: string;
  /** Version or commit of the Spack of the jobs. Absent: that which wrote the lock. */
  readonly spack?: string;
}

/** Reserved for upstream's own runners: a pipeline gets them by its type. */
const RESERVED_TAGS = ['public', 'protected', 'notary'];
const BUILD_SCRIPT = ['cd {env_dir}', 'spack env activate --without-view .', 'spack ci rebuild'];
const INDEX_STAGE = 'stage-rebuild-index';

/** Reasons to try a job again: all of GitLab's but its own time limit. */
const RETRIED = [
  ...['unknown_failure', 'script_failure', 'api_failure', 'stuck_or_timeout_failure', 'runner_system_failure'],
  ...['runner_unsupported', 'stale_schedule', 'archived_failure', 'unmet_prerequisites', 'scheduler_failure'],
  'data_integrity_failure',
];
const SERVICE_RETRY = { max: 2, when: ['runner_system_failure', 'stuck_or_timeout_failure', 'script_failure'] };

/** Returns the pipeline that `spack ci generate` of Spack 1.2 makes of an environment: keys are jobs and settings of `.gitlab-ci.yml`.
 * No mirror is asked, so each spec has a job. Complains of a spec whose root no mapping fits. */
export function gitlabPipeline(
  environment: Environment,
  lock: Lock,
  rules: Rules,
  generation: Generation,
  complain: Complain,
): JsonObject {
  const specs = jobSpecs(lock);
  const workflow = { rules: [{ when: 'always' }] };
  if (specs.size === 0) return { 'no-specs-to-rebuild': noJob(rules), workflow };
  const ci = environment.section('ci');
  const mirror = isMap(ci) && ci['rebuild-index'] === false ? null : mirrorOf(environment);
  const last = Math.max(...[...specs.values()].map(({ stage }) => stage));
  const stages = Array.from({ length: last + 1 }, (_, at) => `stage-${at}`);
  return {
    ...buildJobs(lock, specs, rules, generation, complain),
    ...(mirror !== null && { 'rebuild-index': indexJob(rules, mirror) }),
    stages: mirror === null ? stages : [...stages, INDEX_STAGE],
    variables: globalVariables(lock, generation),
    workflow,
  };
}

/** The address that jobs push to. Null: spack.yaml has none. */
export function mirrorOf({ section }: Environment): string | null {
  const mirrors = section('mirrors');
  const mirror = isMap(mirrors) ? mirrors['buildcache-destination'] : undefined;
  const push = isMap(mirror) ? (mirror['push'] ?? mirror['url']) : mirror;
  const url = isMap(push) ? push['url'] : push;
  return typeof url === 'string' ? url : null;
}

function buildJobs(
  lock: Lock,
  jobs: ReadonlyMap<string, JobSpec>,
  rules: Rules,
  { artifactsRoot, job: generate, pipeline }: Generation,
  complain: Complain,
): JsonObject {
  const specs = concreteSpecs(lock);
  const roots = rootsOf(lock);
  const paths = ['logs', 'reproduction', 'tests', 'user_data'].map((name) => `${artifactsRoot}/${name}`);
  const made = [...jobs].map(([hash, { spec, needs, stage }]) => {
    const start = { variables: specVariables(spec, specs.get(hash)!, lock.specs), script: BUILD_SCRIPT };
    const { attributes, rules: said } = buildJob(rules, specs.get(hash)!, specs.get(roots.get(hash) ?? hash)!, start);
    if (rules.asks === 'root' && said.length === 0) complain(problems.jobUnmapped(spec.place, spec.name));
    const needed = needs
      .map((one) => ({ stage: jobs.get(one)!.stage, job: jobName(lock.specs.get(one)!) }))
      .sort((a, b) => a.stage - b.stage || (a.job < b.job ? -1 : 1))
      .map(({ job }) => ({ job, artifacts: false }));
    const own = finished(attributes, `${artifactsRoot}/concrete_environment`);
    const job = {
      ...own,
      needs: [...needed, { job: generate, pipeline }],
      variables: { ...(isMap(own['variables']) && own['variables']), SPACK_SPEC_NEEDS_REBUILD: 'True' },
      artifacts: mergedAttributes<Json>(own['artifacts'] ?? {}, { when: 'always', paths }),
      stage: `stage-${stage}`,
      ...{ retry: mergedAttributes<Json>({ max: 2, when: RETRIED }, own['retry'] ?? {}), interruptible: true },
    };
    return [jobName(spec), job] as const;
  });
  return Object.fromEntries(made);
}

/** Takes reserved tags from a job, and makes one list of each script.
 * @param folder stands in `script` for `{env_dir}` */
function finished(attributes: JsonObject, folder = '{env_dir}'): JsonObject {
  const own = withoutAttributes(attributes, { tags: RESERVED_TAGS });
  const said = (line: Json): Json => (typeof line === 'string' ? line.replaceAll('{env_dir}', folder) : line);
  const scripts = ['before_script', 'script', 'after_script'].flatMap((key) => {
    const lines = own[key];
    if (!Array.isArray(lines)) return [];
    const flat = (lines as readonly Json[]).flat() as readonly Json[];
    return [[key, key === 'script' ? flat.map(said) : flat] as const];
  });
  return { ...own, ...Object.fromEntries(scripts) };
}

const noJob = (rules: Rules): JsonObject => ({
  ...finished(namedJob(rules, 'noop', { script: ['echo "All specs already up to date, nothing to rebuild."'] })),
  ...{ retry: 0, allow_failure: true },
});

const indexJob = (rules: Rules, mirror: string): JsonObject => ({
  ...finished(namedJob(rules, 'reindex', {})),
  script: [`spack buildcache update-index --keys ${mirror}`],
  ...{ stage: INDEX_STAGE, when: 'always', retry: SERVICE_RETRY, interruptible: true, dependencies: [] },
});

function globalVariables({ writer }: Lock, { artifactsRoot, stack, spack }: Generation): JsonObject {
  const { version = '', commit }: Lock['writer'] = spack?.includes('.')
    ? { version: spack }
    : { ...writer, ...(spack !== undefined && { commit: spack }) };
  return {
    ...{ SPACK_ARTIFACTS_ROOT: artifactsRoot, SPACK_CONCRETE_ENV_DIR: `${artifactsRoot}/concrete_environment` },
    SPACK_VERSION: commit === undefined ? version : `${version} (${commit})`,
    SPACK_CHECKOUT_VERSION: commit ?? `v${version}`,
    ...{ SPACK_JOB_LOG_DIR: `${artifactsRoot}/logs`, SPACK_JOB_REPRO_DIR: `${artifactsRoot}/reproduction` },
    ...{ SPACK_JOB_TEST_DIR: `${artifactsRoot}/tests`, SPACK_PIPELINE_TYPE: 'None', SPACK_CI_STACK_NAME: stack },
    ...{ SPACK_REBUILD_CHECK_UP_TO_DATE: 'True', SPACK_REBUILD_EVERYTHING: 'False', SPACK_REQUIRE_SIGNING: 'False' },
  };
}
