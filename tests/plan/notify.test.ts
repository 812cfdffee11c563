import { Profile } from '../../src/model/schema/profile.js';
import { secretsOf } from '../../src/model/secret.js';
import { skeletonOf } from '../../src/plan/skeleton.js';
import { bundleOf, HEAD, planOf, problemsOf, sha256, someFacts, stepOf } from './a-plan.js';

const RELEASE = `${HEAD}deps: { build: { requires: [setuptools] } }
wheels: { skiff: { needs: [deps/build] } }
publish:
  first: { kind: python, files: [wheels/skiff] }
  second: { kind: python, files: [wheels/skiff] }
`;
const NOTIFY = `notify:
  team: { on: [verdict, held], webhook: $SLACK_URL, headers: { x-token: $SLACK_TOKEN, x-plain: yes } }
  pager: { command: '{files}/page.sh {version}', secrets: [PAGER], rehearsal: true }
remind: { after: 2h }
`;
const FILES = { bundle: bundleOf('slipway.yaml', 'page.sh') };
const live = { name: 'live', content: { ...someFacts().profile.content, rehearsal: false } };
const skeleton = (text: string, more: object = {}) =>
  skeletonOf(planOf(text, { ...FILES, ...more }), sha256('plan'), someFacts().queues);

test('given notify, then the plan has the listeners with references and without values', () => {
  const made = planOf(RELEASE + NOTIFY, FILES);
  expect(made.notify).toEqual({
    listeners: [
      {
        name: 'pager',
        on: ['failed', 'gate', 'held', 'outage', 'reminder', 'verdict'],
        rehearsal: true,
        outlet: {
          by: 'command',
          line: '"${SLIPWAY_FILES}"/page.sh "${SLIPWAY_VERSION}"',
          vars: { SLIPWAY_VERSION: '1.0' },
          secrets: ['PAGER'],
        },
        files: ['page.sh'],
      },
      {
        name: 'team',
        on: ['held', 'verdict'],
        rehearsal: false,
        outlet: { by: 'webhook', url: '$SLACK_URL', headers: { 'x-token': '$SLACK_TOKEN', 'x-plain': 'yes' } },
        files: [],
      },
    ],
    remind: { afterMs: 2 * 3_600_000, everyMs: 24 * 3_600_000 },
  });
  expect(secretsOf(made)).toEqual(expect.arrayContaining(['$PAGER', '$SLACK_TOKEN', '$SLACK_URL']));
  expect(planOf(RELEASE, FILES)).not.toHaveProperty('notify');
});

test('given a rehearsal, then the skeleton has only listeners that asked for rehearsals, by name and event', () => {
  const names = (notify: ReturnType<typeof skeleton>['notify']) => notify?.listeners.map(({ name }) => name);
  expect(names(skeleton(RELEASE + NOTIFY).notify)).toEqual(['pager']);
  expect(names(skeleton(RELEASE + NOTIFY, { profile: live }).notify)).toEqual(['pager', 'team']);
  expect(JSON.stringify(skeleton(RELEASE + NOTIFY, { profile: live }))).not.toContain('SLACK');
  expect(skeleton(`${RELEASE}notify: { team: { webhook: $SLACK_URL } }\n`)).not.toHaveProperty('notify');
});

test('given an announcement, then it needs what is published, and wants verification and pointers', () => {
  const made = planOf(`${RELEASE}announce: { world: { webhook: 'https://chat.example/hook' } }\n`, FILES);
  const ids = (stage: string) => made.steps.filter((step) => step.stage === stage).map(({ id }) => id);
  const step = stepOf(made, 'announce/world');
  expect(step).toMatchObject({ kind: 'announceRelease', stage: 'announce', on: 'control' });
  expect([...step.needs].sort()).toEqual([...ids('publish'), ...ids('seal')].sort());
  expect(step.wants).toEqual(expect.arrayContaining(ids('verify')));
  expect(stepOf(made, 'report/run').after).toContain('announce/world');
});

test.each([
  ['both ways', 'notify: { team: { webhook: $URL, command: echo } }', 'one of them'],
  ['no way', 'announce: { world: {} }', 'one of them'],
  ['no address', 'notify: { team: { webhook: somewhere } }', 'a webhook is an address'],
  ['a secret written out', "notify: { team: { webhook: 'ftp://x' } }", 'a webhook is an address'],
  ['an unknown event', 'notify: { team: { webhook: $URL, on: [lunch] } }', 'held'],
  ['headers of a command', 'notify: { team: { command: echo, headers: { a: b } } }', '"headers" is for a webhook'],
  ['secrets of a webhook', 'announce: { world: { webhook: $URL, secrets: [A] } }', '"secrets" is for a command'],
  ['a missing file', "announce: { world: { command: '{files}/gone.sh' } }", 'gone.sh'],
  ['a time below a second', 'remind: { after: 1ms }', 'a second at the earliest'],
])('given %s, then it is refused', (_what, text, why) => {
  expect(problemsOf(`${RELEASE}${text}\n`, FILES).map(({ message, next }) => `${message} ${next}`).join('\n')).toContain(why); // prettier-ignore
});

test('given a release that publishes nothing, then an announcement is refused', () => {
  const text = `${HEAD}steps: { a: { run: echo } }\nannounce: { world: { webhook: $URL } }\n`;
  const profile = { name: 'bare', content: Profile.parse({ rehearsal: true }) };
  expect(problemsOf(text, { profile }).map(({ message }) => message)).toEqual(['nothing is published that could be announced']); // prettier-ignore
});
