import { realpathSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';

/** Modules that ask where they stand are told where tsc puts them: workers and codecs are found by path from there. */
export const places = (sources) => ({
  name: 'places',
  setup: (build) =>
    build.onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      if (!/\b__(dirname|filename)\b/.test(text)) return null;
      const from = relative(realpathSync(sources), path).replace(/\.ts$/, '.js');
      const file = `require('node:path').join(__dirname, '..', 'dist', ${JSON.stringify(from)})`;
      const place = (name) => (name === '__filename' ? file : `require('node:path').dirname(${file})`);
      return { loader: 'ts', contents: text.replace(/\b__(dirname|filename)\b/g, place) };
    }),
});
