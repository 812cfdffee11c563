/** A job of Buildkite that started a run. */
export interface BuildkiteJob {
  /** Page of its build. */
  readonly url: string;
  readonly job: string;
}

const LONGEST = 500;
/** Without a name or password before the host, and without a fragment, which Ray's table adds. */
const PAGE = /^https?:\/\/[\w.-]+(:\d{1,5})?(\/[^\s\p{C}#@]*)?$/u;
const JOB = /^[\w-]{1,100}$/;

/** Returns the job if both values have their form, else null: they are labels that anybody may set, and reports show them. */
export function buildkiteJob(url: unknown, job: unknown): BuildkiteJob | null {
  if (typeof url !== 'string' || typeof job !== 'string' || url.length > LONGEST) return null;
  return PAGE.test(url) && JOB.test(job) ? { url, job } : null;
}
