import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { run } from '../run.js';
import { ill, well, type Finding, type Patient } from './check.js';

const INSTALL = 'npm start';
const TOOLS: readonly { name: string; argv: readonly string[]; venv?: true; mend: string }[] = [
  { name: 'uv', argv: ['uv', '--version'], venv: true, mend: INSTALL },
  { name: 'auditwheel', argv: ['auditwheel', '--version'], venv: true, mend: INSTALL },
  { name: 'twine', argv: ['twine', '--version'], venv: true, mend: INSTALL },
  { name: 'temporal cli', argv: ['temporal', '--version'], venv: true, mend: INSTALL },
  { name: 'java', argv: ['java', '-version'], mend: 'Install a JDK 17 and put it on PATH' },
  { name: 'mvn', argv: ['mvn', '-v'], mend: 'Install Maven 3.8 or newer and put it on PATH' },
  { name: 'gcc', argv: ['gcc', '--version'], mend: 'Install gcc and put it on PATH' },
  { name: 'python', argv: ['python3', '--version'], mend: 'Install Python 3.11 and put it on PATH' },
];

export function tools(patient: Patient): Promise<readonly Finding[]> {
  return Promise.all([...TOOLS.map((tool) => askTool(tool, patient)), askRay(patient)]);
}

async function askTool({ name, argv, venv, mend }: (typeof TOOLS)[number], { toolsBin }: Patient): Promise<Finding> {
  const [program = '', ...args] = argv;
  const { code, stdout, stderr } = await run(venv ? join(toolsBin, program) : program, args);
  if (code === 127) return ill(name, 'is not installed', mend);
  if (code !== 0) return ill(name, `\`${argv.join(' ')}\` ended with status ${code}`, mend);
  return well(name, versionLine(stripVTControlCharacters(`${stdout}\n${stderr}`)));
}

/** Only the tests of clusters need it. It is found by its files, because to run it takes seconds. */
function askRay({ toolsBin }: Patient): Finding {
  const folder = join(dirname(toolsBin), 'ray', 'lib');
  const found = existsSync(folder) ? readdirSync(folder).map((python) => join(folder, python, 'site-packages')) : [];
  const versions = found.filter((site) => existsSync(site)).flatMap((site) => readdirSync(site));
  const version = versions.flatMap((name) => /^ray-(.+)\.dist-info$/.exec(name)?.[1] ?? [])[0];
  return well('ray', version ?? 'not installed; only tests of clusters need it, and `npm run ray` installs it');
}

/** The first line with a version: some programs print warnings before it. */
const versionLine = (text: string): string =>
  (text.split('\n').find((line) => /\d+\.\d+/.test(line) && !/warning/i.test(line)) ?? '')
    .replace(/ (\(readme-renderer.*|installed at.*)$/, '')
    .trim();
