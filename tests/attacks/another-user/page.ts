import type { Attack } from './ground.js';

const WORKFLOW = '/api/v1/namespaces/default/workflows/by-page';
const BODY = '{"workflowType":{"name":"release"},"taskQueue":{"name":"control"}}';

export const page: readonly Attack[] = [
  {
    title: '[D1] takes the page’s own cookie by curl and starts a workflow: 401 before and after, with what to type',
    async run(ground) {
      const curl = (...args: readonly string[]) =>
        ground.other(['curl', '-s', '-m', '10', '-b', 'jar', '-c', 'jar', '-w', '\n%{http_code}', ...args]);
      const settings = await curl(`${ground.page()}/api/v1/settings`);
      expect(settings.text).toBe('Type `slipway up`: it prints the link that opens this page.\n\n401');
      const token = (await ground.other(['sh', '-c', "awk '$6 ~ /csrf/ { print $7 }' jar"])).text.trim();
      const json = ['-H', 'content-type: application/json', '-H', `x-csrf-token: ${token}`, '-d', BODY];
      expect((await curl(...json, ground.page() + WORKFLOW)).text).toMatch(/\n401$/);
      expect(await ground.workflows()).not.toContain('by-page');
    },
  },
  {
    title: '[D1] guesses the key and the cookie of the page, and claims to be the page itself: 401',
    async run(ground) {
      const url = ground.page();
      const port = new URL(url).port;
      const [key, cookie] = [`${'0'.repeat(64)}`, `slipway_${port}=`];
      const tries = [
        [`${url}/?key=${key}`],
        [`${url}/?key=`],
        ['-H', `cookie: ${cookie}`, url],
        ['-H', `cookie: ${cookie}${key}`, url],
        ['-H', 'sec-fetch-site: same-origin', '-H', `origin: ${url}`, `${url}/api/v1/namespaces`],
      ];
      for (const args of tries) {
        const { text } = await ground.other([
          'curl',
          '-s',
          '-m',
          '10',
          '-o',
          '/dev/null',
          '-w',
          '%{http_code}',
          ...args,
        ]);
        expect({ args, status: text }).toEqual({ args, status: '401' });
      }
    },
  },
];
