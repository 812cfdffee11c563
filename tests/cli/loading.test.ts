import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const BUILT = join(__dirname, '..', '..', 'dist', 'cli', 'without-locales.js');

test('given zod without its locales, then its messages are still in English', () => {
  const script = `
    require(${JSON.stringify(BUILT)}).withoutLocales();
    const { z } = require(${JSON.stringify(require.resolve('zod'))});
    const languages = Object.values(require.cache).flatMap(({ filename }) => /zod.v4.locales.(.*)/.exec(filename)?.[1] ?? []);
    console.log(languages.sort().join(), z.string().safeParse(1).error.issues[0].message);`;
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' });
  expect([stdout, stderr]).toEqual(['en.cjs Invalid input: expected string, received number\n', '']);
});
