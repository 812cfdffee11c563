import type { IssueTracker, TrackedIssue, TrackerConnection, Trackers } from '../../activities/reports/ports.js';
import { isObject } from '../../model/check.js';
import { fail } from '../../model/failure.js';
import { shown } from '../http/request.js';
import { ask, mustExist, type Answer, type Ask } from './api.js';
import { issuesDisabled, notUnderstood, repositoryAbsent } from './errors.js';

/** Issues on one page, the most that GitHub allows. */
const PAGE = 100;
/** Open issues beyond this many pages are not found. */
const MOST_PAGES = 20;
const LONGEST_BODY = 65_536;

export const createTrackers = (): Trackers => ({ open: openTracker });

/** Issues of a repository of GitHub, by its REST API. */
function openTracker(to: TrackerConnection): IssueTracker {
  return {
    async withLabel(label) {
      const query = { labels: label, sort: 'created', direction: 'desc', per_page: String(PAGE) };
      const closed = await page(to, `/issues?${new URLSearchParams({ ...query, state: 'closed' })}`);
      const open: TrackedIssue[] = [];
      for (let no = 1; no <= MOST_PAGES; no += 1) {
        const some = await page(to, `/issues?${new URLSearchParams({ ...query, state: 'open', page: String(no) })}`);
        open.push(...some.map((one) => issueIn(to, one)));
        if (some.length < PAGE) break;
      }
      return [...open, ...closed.map((one) => issueIn(to, one))];
    },
    async find(issue) {
      const { status, body } = await ask(to, { path: `/issues/${issue}`, what: `a look at issue ${issue}` });
      if (status === 200) return isPull(body) ? null : issueIn(to, body);
      if (status === 404) await mustExist(to);
      return null;
    },
    async open({ title, body, labels }) {
      const sent = { title, body: body.slice(0, LONGEST_BODY), labels };
      const answer = await ask(to, { method: 'POST', path: '/issues', body: sent, what: 'a new issue' });
      if (answer.status === 410) throw fail(issuesDisabled(to.name, to.repository));
      if (answer.status === 404) throw fail(repositoryAbsent(to.name, to.repository));
      return issueIn(to, answer.body);
    },
    async comments(issue, since) {
      const query = new URLSearchParams({ since, per_page: String(PAGE) });
      const all = await page(to, `/issues/${issue}/comments?${query}`);
      return all.map((one) => textIn(one, 'body'));
    },
    comment: (issue, body) =>
      change(to, {
        method: 'POST',
        path: `/issues/${issue}/comments`,
        body: { body: body.slice(0, LONGEST_BODY) },
        what: `a comment on issue ${issue}`,
      }),
    addLabels: (issue, labels) =>
      change(to, {
        method: 'POST',
        path: `/issues/${issue}/labels`,
        body: { labels },
        what: `labels of issue ${issue}`,
      }),
    removeLabel: (issue, label) =>
      change(to, {
        method: 'DELETE',
        path: `/issues/${issue}/labels/${encodeURIComponent(label)}`,
        what: `the label ${label} of issue ${issue}`,
      }),
    close: (issue) =>
      change(to, {
        method: 'PATCH',
        path: `/issues/${issue}`,
        body: { state: 'closed', state_reason: 'completed' },
        what: `the end of issue ${issue}`,
      }),
  };
}

/** Changes an issue. An issue that was deleted meanwhile needs no change. */
async function change(to: TrackerConnection, request: Ask): Promise<void> {
  const { status }: Answer = await ask(to, request);
  if (status === 404) await mustExist(to);
}

async function page(to: TrackerConnection, path: string): Promise<readonly unknown[]> {
  const { status, body } = await ask(to, { path, what: 'a list' });
  if (status === 410) throw fail(issuesDisabled(to.name, to.repository));
  if (status === 404) {
    await mustExist(to);
    return [];
  }
  if (!Array.isArray(body)) throw fail(misread(to));
  return body.filter((one: unknown) => isObject(one) && !isPull(one));
}

function issueIn(to: TrackerConnection, value: unknown): TrackedIssue {
  if (!isObject(value)) throw fail(misread(to));
  const { number, state, labels } = value;
  if (typeof number !== 'number' || (state !== 'open' && state !== 'closed')) throw fail(misread(to));
  const names = (Array.isArray(labels) ? labels : []).map((label: unknown) =>
    typeof label === 'string' ? label : textIn(label, 'name'),
  );
  return { number, open: state === 'open', body: textIn(value, 'body'), labels: names };
}

const misread = (to: TrackerConnection) => notUnderstood(to.name, shown(to.address));

/** GitHub answers pull requests among issues. */
const isPull = (value: unknown): boolean => isObject(value) && 'pull_request' in value;

const textIn = (value: unknown, key: string): string => {
  const text = isObject(value) ? value[key] : null;
  return typeof text === 'string' ? text : '';
};
