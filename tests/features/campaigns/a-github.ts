import { startGithub, type Comment, type GithubDouble } from '../../doubles/github.js';
import { addComment, addPull, type Pull } from '../../doubles/github-routes.js';

export interface Github extends GithubDouble {
  /** The head of pull request 1. */
  readonly pull: Pull;
  /** Writes a comment, on pull request 1. */
  add(body: string, author: string, issue?: number): Comment;
  readonly replies: () => readonly Comment[];
}

/** A double with pull request 1 by ann, who may write, and issue 2. */
export async function aGithub(head = 'a'.repeat(40)): Promise<Github> {
  const double = await startGithub('ghp_canary_token');
  double.people['ann'] = 'write';
  const issue = addPull(double, { author: 'ann', head });
  (issue.pull as Pull).pushed = '2020-01-01T00:00:00Z';
  const { number: _number, pull: _pull, ...plain } = issue;
  double.issues.push({ ...plain, number: 2, comments: [] });
  return Object.assign(double, {
    pull: issue.pull as Pull,
    add: (body: string, author: string, no = 1) => addComment(double, no, author, body),
    replies: () => issue.comments.filter(({ author }) => author === 'robot'),
  });
}
