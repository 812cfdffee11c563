import type { JsonObject } from '../json.js';
import type { Outcome } from './outcome.js';

/** Statuses of Ray's own framework, without `transient_infra_error`: no failure is called transient. */
type RayStatus = 'success' | 'runtime_error' | 'infra_error' | 'infra_timeout' | 'timeout' | 'error' | 'unknown';

const TIMED_OUT = 42;

/** Returns the status that belongs to one of Ray's exit codes. */
export function rayStatus(returnCode: number): RayStatus {
  if (returnCode === 0) return 'success';
  if (returnCode >= 1 && returnCode < 10) return 'runtime_error';
  if (returnCode >= 10 && returnCode < 20) return 'infra_error';
  if (returnCode >= 30 && returnCode < 40) return 'infra_timeout';
  if (returnCode === TIMED_OUT) return 'timeout';
  return returnCode >= 40 ? 'error' : 'unknown';
}

/** Tags with a column of their own in Ray's table. */
const COLUMNS = ['group', 'team', 'frequency'] as const;

/** The 20 fields of a row of Ray's table `release_test_result`. */
export function rayRow(outcome: Outcome): JsonObject {
  const { tags } = outcome;
  const [group, team, frequency] = COLUMNS.map((name) => tags[name] ?? '');
  const others = Object.entries(tags).filter(([name]) => !COLUMNS.some((column) => column === name));
  return {
    _table: 'release_test_result',
    report_timestamp_ms: Date.parse(outcome.at),
    status: rayStatus(outcome.returnCode),
    branch: outcome.branch ?? '',
    commit: outcome.commit ?? '',
    results: outcome.results ?? {},
    name: outcome.title,
    ...{ group, team, frequency },
    job_id: outcome.job?.id ?? '',
    job_url: outcome.job?.url ?? '',
    buildkite_url: outcome.buildkite === null ? '' : `${outcome.buildkite.url}#${outcome.buildkite.job}`,
    buildkite_job_id: outcome.buildkite?.job ?? '',
    runtime: outcome.ms / 1000,
    stable: outcome.stable,
    return_code: outcome.returnCode,
    smoke_test: outcome.smoke,
    extra_tags: Object.fromEntries(others),
    crash_pattern: outcome.crashPattern,
  };
}
