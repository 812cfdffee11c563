import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readDoc } from '../../../src/importers/pyyaml/read.js';
import { valueOf } from '../../../src/features/campaigns/pure/topsail/template/python.js';
import { render } from '../../../src/features/campaigns/pure/topsail/template/render.js';

const folder = join(__dirname, 'templates');
const textOf = (name: string): string => readFileSync(join(folder, name), 'utf8');
const CONFIG = valueOf(readDoc(textOf('config.yaml'), 'config.yaml', (problem) => expect(problem).toBeNull())!.tree);
const rendered = (text: string) => render(text, 'args.yml.j2', CONFIG);

// renderings.json is the output of templates/render.py, which Jinja2 3.1.6 rendered.
test.each(JSON.parse(textOf('renderings.json')) as [string, string | null][])(
  'given the template %j, when it is rendered, then its text is that of Jinja2',
  (template, text) => {
    const { problems, ...ours } = rendered(template);
    if (text === null) expect(problems).not.toEqual([]);
    else expect({ text: ours.text, problems }).toEqual({ text, problems: [] });
  },
);
