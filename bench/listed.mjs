import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { committed } from './committed.mjs';
import { inHome } from './example.mjs';
import { middle } from './measure.mjs';
import { atMost, row } from './rows.mjs';

const WHEELS = 30;

const MAKE_WHEEL = `import base64, hashlib, sys, zipfile
out, name = sys.argv[1:3]
info = '%s-1.0.dist-info' % name
files = {name + '/__init__.py': '',
         info + '/METADATA': 'Metadata-Version: 2.1\\nName: %s\\nVersion: 1.0\\n' % name,
         info + '/WHEEL': 'Wheel-Version: 1.0\\nGenerator: hand\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n'}
digest = lambda text: base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).decode().rstrip('=')
rows = ['%s,sha256=%s,%d' % (path, digest(text), len(text.encode())) for path, text in files.items()]
files[info + '/RECORD'] = '\\n'.join([*rows, info + '/RECORD,,', ''])
with zipfile.ZipFile('%s/%s-1.0-py3-none-any.whl' % (out, name), 'w') as wheel:
    for path, text in files.items():
        wheel.writestr(zipfile.ZipInfo(path), text)
`;

const wheelOf = (name) => `  ${name}:
    platform: none
    python: none
    builder: command
    files: [make-wheel.py]
    run: python3 {files}/make-wheel.py {out} ${name}
`;

/** Time from the end of a build until readers of the index see its wheel: a publish step ends when pages show it. */
export async function listed({ root, folder, runs }) {
  const took = [];
  for (let run = 1; run <= (runs ?? 1); run++) {
    const file = project(join(folder, `listed-${run}`));
    await inHome({ root, home: join(folder, `listed-home-${run}`) }, async (env) => {
      const says = (...args) =>
        execFileSync(process.execPath, [join(root, 'bin', 'slipway.js'), ...args], { env, encoding: 'utf8' });
      says('run', file, '--wait');
      took.push(...waits(JSON.parse(says('status', 'pipeline/listed/n1', '--json')).status.steps));
    });
  }
  if (took.length === 0) throw new Error('no wheel was listed');
  return [row('built until listed, median of 30 wheels', middle(took) / 1000, 's', { goal: atMost(1) })];
}

function project(folder) {
  mkdirSync(folder, { recursive: true });
  const names = Array.from({ length: WHEELS }, (_, at) => `boat${at}`);
  const text = `slipway: 1
pipeline: { name: listed, label: n1 }
source: { git: . }
platforms: [linux-x86_64]
pythons: [cp311]
wheels:
${names.map(wheelOf).join('')}publish:
  cache: { kind: simple, files: ['wheels/*'], when: built }
`;
  writeFileSync(join(folder, 'slipway.yaml'), text);
  writeFileSync(join(folder, 'make-wheel.py'), MAKE_WHEEL);
  committed(folder);
  return join(folder, 'slipway.yaml');
}

/** Milliseconds between the end of each build and that of its publish step. */
function waits(steps) {
  const endOf = new Map(steps.map(({ id, startedAt, ms }) => [id, startedAt + ms]));
  return steps.flatMap(({ id }) => {
    const [, name] = /^publish\/cache\/wheels\.(boat\d+)/.exec(id) ?? [];
    const built = [...endOf.keys()].find((one) => one === `wheels/${name}` || one.startsWith(`wheels/${name}/`));
    return name === undefined || built === undefined ? [] : [endOf.get(id) - endOf.get(built)];
  });
}
