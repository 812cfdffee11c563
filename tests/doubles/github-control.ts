import type { ServerResponse } from 'node:http';
import type { Fault, GithubDouble } from './github.js';
import { addComment, addPull, deliveryOf, type Person, type Pull, push, secondsOf } from './github-routes.js';

type Sent = Partial<Pull> & {
  readonly author?: string;
  readonly body?: string;
  readonly of?: string;
  readonly fault?: Fault;
  readonly role?: Person;
};

/** What people do on the pages of GitHub, for whoever runs the double as a program. GET /control/comments shows all comments. */
export function control(double: GithubDouble, method: string, url: URL, sent: string, answer: ServerResponse): void {
  const [, , what = '', name = '', then = ''] = url.pathname.split('/');
  try {
    const said = done(
      double,
      `${method} ${what}${then && `/${then}`}`,
      name,
      sent === '' ? {} : (JSON.parse(sent) as Sent),
    );
    answer
      .writeHead(said === null ? 404 : 200, { 'content-type': 'text/plain; charset=utf-8' })
      .end(`${said ?? 'no such route'}\n`);
  } catch (error) {
    answer.writeHead(400).end(`${String(error)}\n`);
  }
}

function done(double: GithubDouble, request: string, name: string, sent: Sent): string | null {
  const issue = double.issues.find(({ number }) => number === Number(name));
  const comment = double.issues.flatMap(({ comments }) => comments).find(({ id }) => id === Number(name));
  switch (request) {
    case 'POST pulls':
      return String(addPull(double, { author: 'alice', ...sent }).number);
    case 'POST pulls/comments':
      return String(addComment(double, issue!.number, sent.author ?? 'alice', sent.body ?? '').id);
    case 'POST pulls/push':
      push(double, issue!, sent.head!);
      return sent.head!;
    case 'PATCH comments':
      Object.assign(comment!, { body: sent.body, updated: secondsOf(double.now()) });
      return comment!.body;
    case 'PUT people':
      double.people[name] = sent.role ?? null;
      return `${name} ${String(double.people[name])}`;
    case 'POST faults':
      double.faults.push({ of: sent.of!, fault: sent.fault! });
      return `${double.faults.length} faults`;
    case 'GET delivery':
      return deliveryOf(double, Number(name));
    case 'GET asked':
      return double.asked.join('\n');
    case 'GET comments':
      return double.issues
        .flatMap(({ number, comments }) =>
          comments.map((one) => `--- ${one.id} on ${number} by ${one.author}, changed ${one.updated}\n${one.body}`),
        )
        .join('\n');
    default:
      return null;
  }
}
