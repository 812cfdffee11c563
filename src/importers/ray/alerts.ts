import type { JsonObject } from '../../model/json.js';
import type { Alerts } from '../../model/schema/ray-config.js';

export interface TestAlerts {
  readonly rows: readonly JsonObject[];
  /** Whether the suite needs a result file. */
  readonly result: boolean;
  /** Whether the suite has a row for the test. */
  readonly isNamed: boolean;
}

/** Alerts of a test. Null: there is no such suite. */
export function alertsOf(suite: string, test: string, smoke: boolean, alerts: Alerts): TestAlerts | null {
  const rules = Object.hasOwn(alerts, suite) ? alerts[suite]! : null;
  if (rules === null) return null;
  const name = test.replace(ENVIRONMENT, '');
  const named = Object.hasOwn(rules.tests, name) ? rules.tests[name] : undefined;
  const rows = (smoke ? named?.smoke : undefined) ?? named?.full ?? [];
  return { rows: rows.map((row) => ({ ...row })), result: rules.result, isNamed: named !== undefined || !rules.result };
}

/** Upstream compares full names, which have this suffix; none of its thresholds applies. */
const ENVIRONMENT = /\.(aws|gce|kuberay|azure)$/;
