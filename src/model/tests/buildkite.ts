/** A job of Buildkite that started a run. */
export interface BuildkiteJob {
  /** Page of its build. */
  readonly url: string;
  readonly job: string;
}

const LONGEST_URL = 500;
const JOB = /^[\w-]{1,100}$/;

/** Returns the job if both values have their form, else null: the values are labels that anybody may set, and reports show them. A page with a
 * password in its address is none. */
export function buildkiteJob(url: unknown, job: unknown): BuildkiteJob | null {
  if (typeof url !== 'string' || typeof job !== 'string' || !JOB.test(job)) return null;
  if (url.length > LONGEST_URL || /[\s\p{C}]/u.test(url) || !URL.canParse(url)) return null;
  const { protocol, username, password, hash } = new URL(url);
  const isPage = ['http:', 'https:'].includes(protocol) && username === '' && password === '' && hash === '';
  return isPage ? { url, job } : null;
}
