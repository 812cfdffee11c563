import type { Jail, Standing, TestAction } from '../../model/tests/standing.js';

/** An action and the number of its record. */
export interface NumberedAction {
  readonly no: number;
  readonly action: TestAction;
}

export interface Acted {
  readonly standing: Standing;
  /** The sentence that people are told. Null for none. */
  readonly because: string | null;
}

/** Applies one action. @param no number of the night that takes it */
export function act(standing: Standing, action: TestAction, no: number): Acted {
  switch (action.action) {
    case 'jail': {
      const { owner, until, reason, by } = action;
      const { served: _, ...rest } = standing;
      const since = standing.state === 'jailed' ? standing.since : no;
      const jail: Jail = { owner, until, reason, by };
      return {
        standing: { ...rest, state: 'jailed', since, owner, jail },
        because: standing.state === 'jailed' ? null : `${by} jailed it: ${reason}`,
      };
    }
    case 'unjail':
      return unjail(standing, `${action.by} ended its jail: ${action.reason}`, no);
    case 'issue': {
      const told = { ...standing, issue: action.issue };
      return action.issue.open
        ? { standing: told, because: null }
        : unjail(told, `issue ${action.issue.number} was closed`, no);
    }
    case 'blame':
      return blame(standing, action.commits);
    default:
      return action satisfies never;
  }
}

/** A test that passed since is not to blame. */
function blame(standing: Standing, commits: string): Acted {
  if (standing.state === 'passing') return { standing, because: null };
  return { standing: { ...standing, blamed: commits }, because: foundBy(commits) };
}

export const foundBy = (commits: string): string => `a bisect found ${commits}`;

/** The last result decides what the test is without its jail. */
function unjail(standing: Standing, because: string, no: number): Acted {
  if (standing.state !== 'jailed') return { standing, because: null };
  const passes = /[Pp][IS]*$/.test(standing.letters);
  return {
    standing: {
      ...standing,
      state: passes ? 'passing' : 'consistently failing',
      ...{ since: no, jail: null },
      ...(!passes && { served: true }),
    },
    because,
  };
}
