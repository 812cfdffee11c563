import type { SourceFacts } from '../../adapters/facts/imports.js';
import type { Plan } from '../../model/plan.js';
import type { Ports } from '../ports.js';
import { storedJson } from '../stored-plan.js';

/** When the index answered about the projects of a plan. Times are ISO 8601. */
export interface AnswerTimes {
  readonly projects: number;
  readonly newest: string;
  readonly oldest: string;
}

/** Reads the facts of a plan. Null if the store lacks them, or no index was asked. */
export async function answerTimes({ imports }: Plan, ports: Pick<Ports, 'store'>): Promise<AnswerTimes | null> {
  const facts = await storedJson<Pick<SourceFacts, 'imports'>>(imports?.facts, ports);
  if (facts === null) return null;
  const times = new Map<string, string>();
  for (const { index } of Object.values(facts.imports))
    for (const [project, answer] of Object.entries(index ?? {}))
      if (answer.state !== 'unanswered') times.set(project, answer.askedAt);
  const sorted = [...times.values()].sort();
  return sorted.length === 0 ? null : { projects: sorted.length, newest: sorted.at(-1)!, oldest: sorted[0]! };
}
