import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { committed } from './committed.mjs';
import { costOf, inTurn, mean, middle } from './measure.mjs';
import { atMost, row } from './rows.mjs';

const MODULES = 2000;

/** `slipway init` in a checkout of 2,000 files: a Python project with an extension, a Maven one and a Dockerfile. */
export async function init({ root, folder, runs }) {
  const project = join(folder, 'init');
  for (const [path, text] of Object.entries(FILES)) write(project, path, text);
  for (let no = 0; no < MODULES; no++) write(project, `src/grown/part${no % 50}/module${no}.py`, `VALUE = ${no}\n`);
  committed(project);
  const slipway = (...argv) => costOf([process.execPath, join(root, 'bin', 'slipway.js'), ...argv], { cwd: project });
  const taken = await inTurn(runs ?? 5, {
    written: () => {
      for (const made of ['slipway.yaml', 'release']) rmSync(join(project, made), { recursive: true, force: true });
      return slipway('init');
    },
    help: () => slipway('--help'),
  });
  const [written, help] = [taken.written, taken.help].map((all) => ({
    wall: middle(all.map(({ wall }) => wall)),
    cpu: mean(all.map(({ cpu }) => cpu)),
  }));
  return [
    row('slipway init, 2,000 files, against slipway --help', written.wall, 'ms', {
      ...{ reference: help.wall, goal: atMost(1000) },
    }),
    row('slipway init, 2,000 files, CPU, against slipway --help', written.cpu, 'ms', { reference: help.cpu }),
  ];
}

function write(project, path, text) {
  const file = join(project, path);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, text);
}

const FILES = {
  'pyproject.toml': `[build-system]
requires = ["setuptools>=77"]
build-backend = "setuptools.build_meta"
[project]
name = "grown"
version = "1.2.0"
requires-python = ">=3.10"
`,
  'setup.py': `from setuptools import Extension, setup
setup(ext_modules=[Extension("grown.core", ["core.c"])])
`,
  'core.c': 'int one(void) { return 1; }\n',
  'java/pom.xml': `<project>
  <modelVersion>4.0.0</modelVersion><groupId>org.grown</groupId><artifactId>grown</artifactId><version>1.2.0</version>
</project>
`,
  Dockerfile: 'FROM debian:bookworm\nCOPY . /src\n',
};
