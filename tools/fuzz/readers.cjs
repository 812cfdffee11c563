// The readers of what comes from outside, with valid inputs and pieces of their grammars.
const { readFileSync, rmSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { archiveSeeds } = require('./archives.cjs');
const http = require('./http.cjs');
const { planned } = require('./planned.cjs');
const { spackReaders } = require('./spack.cjs');

const ROOT = join(__dirname, '..', '..');
const dist = (module) => require(join(ROOT, 'dist', `${module}.js`));
const file = (path) => readFileSync(join(ROOT, path), 'utf8');
const buffers = (texts) => texts.map((text) => Buffer.from(text));
const BASE = 'http://127.0.0.1:1/simple/skiff/';

const HTML = `<!DOCTYPE html><html><head><meta name="pypi:repository-version" content="1.0"><title>Links for skiff</title></head>
<body><h1>Links</h1><a href="../f/skiff-1.2.3.tar.gz#sha256=${'ab'.repeat(32)}" data-requires-python="&gt;=3.8">skiff-1.2.3.tar.gz</a><br/></body></html>`;
const JSON_PAGE = JSON.stringify({
  meta: { 'api-version': '1.0' },
  files: [{ filename: 'skiff-1.2.3.tar.gz', url: '../f/s', hashes: { sha256: 'ab'.repeat(32) } }],
});
const LOCK = `# uv pip compile a.in -o a.txt\nskiff[extra]==1.2.3 ; python_version >= '3.8' \\\n    --hash=sha256:${'ab'.repeat(32)} \\\n    --hash=sha256:${'cd'.repeat(32)}\n    # via hulls\nhulls==2\n-e .\n`;
const DEPSETS = `build_arg_sets:\n  a: { PY: '3.11' }\ndepsets:\n  - name: base_\${PY}\n    operation: compile\n    requirements: [r.txt]\n    append_flags: [--python-version 3.11]\n    output: o.lock\n    build_arg_sets: [a]\n  - name: sub\n    operation: subset\n    source_depset: base_3.11\n    packages: [x]\n    output: p.lock\n`;
const RAY_TESTS = `- name: DEFAULTS\n  team: a\n- name: a_{{x}}\n  <<: &b { python: '3.11' }\n  matrix: { setup: { x: [1, 010] }, adjustments: [{ with: { x: 2 } }] }\n- name: v\n  variations: [{ __suffix__: aws }, { __suffix__: gce, run: { timeout: 1:30 } }]\n`;
const POM = file('examples/skiff/java/pom.xml');
const VERSIONS = [
  '1.2.3',
  '1!2.0rc1.post2.dev3+local.1',
  'skiff-1.2.3-cp312-cp312-manylinux_2_28_x86_64.whl',
  'skiff-1.2.3.tar.gz',
  '>=3.8,<4',
  '1.0-SNAPSHOT',
];
const EXPRESSIONS = ['^version\\s*=\\s*"([^"]+)"', '(a|b)+c?', '[0-9a-f]{40}', '.+(?<!^cpu)', '(?i)x|y', '\\p{L}+'];
const OUTPUT = [
  '\u001b[31mred\u001b[0m\n',
  'a\rslipway: b\n',
  '\u202ex\u2066y\u2069\u200b\n',
  '\u001b]52;c;AAAA\u0007',
];

const XML = [
  '<',
  '>',
  '</',
  '/>',
  '<!--',
  '-->',
  '<![CDATA[',
  ']]>',
  '<?',
  '&amp;',
  '&#x0;',
  '&',
  '"',
  '=',
  '<a>',
  '</a>',
  '<project>',
  '<module>',
  '<parent>',
  ' ',
  '\n',
];
const YAML = [
  '- ',
  ': ',
  '\n',
  '  ',
  '{',
  '}',
  '[',
  ']',
  '&a ',
  '*a',
  '<<: ',
  '|',
  '>',
  "'",
  '"',
  '!!js ',
  '#',
  '? ',
  '---\n',
  '${PY}',
  '*',
  'null',
  '0x',
  '1e9',
  '\t',
  'match: ',
  'import: raydepsets',
];
const PLAIN = [
  '==',
  '>=',
  '[',
  ']',
  ';',
  '\\\n',
  '--hash=sha256:',
  '#',
  '\n',
  ' ',
  '\t',
  '.',
  '-',
  '+',
  '!',
  '0',
  '9999999999999999999',
  'dev',
  'rc',
  '\u2028',
  '\r',
  '*',
  '(',
  ')',
  '{9}',
  '\\',
];
const BINARY = [
  'PK\x01\x02',
  'PK\x03\x04',
  'PK\x05\x06',
  'PK\x06\x06',
  '\0'.repeat(512),
  'ustar\0' + '00',
  'x',
  'L',
  '../',
  '/',
  '\x1f\x8b\x08',
  '\xff\xff\xff\xff',
  '\x7fELF',
  '\xcf\xfa\xed\xfe',
];

/** A reader of text. The functions see the same text one after the other; each may refuse it. */
const ofText = (name, share, texts, tokens, ...reads) => ({
  ...{ name, share, seeds: buffers(texts), tokens: buffers(tokens) },
  run: (bytes) => {
    const text = bytes.toString('utf8');
    let refusal = null;
    for (const read of reads)
      try {
        read(text);
      } catch (error) {
        if (error?.name !== 'SlipwayFailure' || error.first.class === 'bug') throw error;
        refusal = error;
      }
    if (refusal !== null) throw refusal;
  },
});

/** Every file is there. */
const ALL = new Proxy(
  {},
  {
    get: () => true,
    getOwnPropertyDescriptor: () => ({ configurable: true, enumerable: true, value: true }),
  },
);

const texts = () => {
  const { readPage } = dist('adapters/index/simple-page');
  const [lock, relax, version, names] = [
    'features/locks/node/drift',
    'features/locks/node/relax',
    'model/python/version',
    'model/python/file-name',
  ].map(dist);
  const { readChecked, readReleaseFile } = dist('plan/read/release-file');
  const { compileExpression } = dist('model/schema/expression');
  const { shown, safeForTerminal, fenced } = dist('model/shown');
  const { TagRules } = dist('model/schema/tags');
  const { Profile } = dist('model/schema/profile');
  const { importDepsets } = dist('features/locks/pure/raydepsets/index');
  const { depsetsIn } = dist('features/locks/pure/raydepsets/read');
  const { ray } = dist('importers/ray/index');
  const { initFile } = dist('plan/init/init');
  const checkout = (text) => ({
    ...{ name: 'skiff', git: { folder: '', hasCommit: true, tags: [text.slice(0, 200)], remote: text.slice(0, 200) } },
    ...{
      paths: ['Dockerfile', 'PKG-INFO', 'pom.xml', 'setup.cfg', 'setup.py'],
      toml: {},
      broken: [],
      fitsBundle: true,
    },
    texts: Object.fromEntries(
      ['Dockerfile', 'PKG-INFO', 'pom.xml', 'setup.cfg', 'setup.py'].map((path) => [path, text]),
    ),
  });
  const setup = '[metadata]\nname = skiff\nversion = attr: skiff.__version__\ninstall_requires =\n  a>=1\n';
  const setupPy =
    "from setuptools import setup\nsetup(name='skiff', version='1.2.3', install_requires=['a', 'b'], python_requires='>=3.8')\n";
  const docker = 'FROM --platform=x debian:bookworm AS base\nARG BASE\nFROM base\n';
  return [
    ofText('index page, HTML', 20, [HTML], XML, (text) => readPage(text, 'text/html', BASE)),
    ofText('index page, JSON', 20, [JSON_PAGE], http.TOKENS, (text) => readPage(text, 'application/json', BASE)),
    ofText('POM', 12, [POM], XML, dist('plan/pom').readPom, dist('adapters/maven-repository/metadata').versionsIn),
    ofText(
      'release file',
      2,
      ['examples/skiff/slipway.yaml', 'examples/ray-whole/slipway.yaml'].map(file),
      YAML,
      (text) => readReleaseFile(text, 'slipway.yaml'),
    ),
    ofText(
      'profile, tags file',
      3,
      ['config/profiles/local.yaml', 'config/tags/ray.yaml'].map(file),
      YAML,
      (text) => readChecked(text, 'p.yaml', Profile),
      (text) => readChecked(text, 't.yaml', TagRules),
    ),
    ofText(
      'raydepsets',
      4,
      [DEPSETS],
      YAML,
      (text) =>
        depsetsIn(
          text,
          'a.depsets.yaml',
          () => undefined,
          () => true,
        ),
      (text) =>
        importDepsets(
          { file: 'c/a.depsets.yaml' },
          { folder: { c: ['a.depsets.yaml'] }, text: { 'c/a.depsets.yaml': text }, present: ALL },
        ),
    ),
    ofText(
      "Ray's release tests",
      4,
      [file('examples/ray-night/release/release_tests.yaml'), RAY_TESTS],
      YAML,
      (text) => {
        // The text is also each compute file and each env file.
        const all = new Proxy({}, { get: () => text });
        ray.read({ files: ['t.yaml'], change: [] }, { text: all, id: all }, () => undefined);
      },
    ),
    ofText(
      'lock',
      24,
      [LOCK],
      PLAIN,
      lock.essence,
      lock.pinsOf,
      lock.withoutHashLines,
      dist('features/locks/node/header').commandIn,
      (text) => relax.relaxed(text, ['hulls'], 'f'),
      (text) => relax.relaxedExactly(text, ['hulls'], 'f'),
      (text) =>
        dist('engine/ledger/bill').billOfMaterials({ release: { name: 'a', version: '1' } }, [{ name: 'l', text }]),
    ),
    ofText(
      'version, requirement, file name',
      40,
      VERSIONS,
      PLAIN,
      version.parseVersion,
      (text) => version.sameVersion(text, '1.2.3'),
      names.parseFileName,
      (text) => names.versionInName('skiff', text),
      (text) => dist('plan/init/python-tags').allows(text, 12),
      dist('engine/ledger/newest-stable').readVersion,
      dist('model/tool-option').optionOf,
    ),
    ofText('expression', 3, EXPRESSIONS, PLAIN, (text) =>
      compileExpression(text.slice(0, 500), { lines: true }).match('version = "1.2.3"\n'.repeat(50)),
    ),
    ofText(
      'output of a build',
      12,
      OUTPUT,
      ['\u001b', '[', ']', '\u0007', '\r', '\n', '\u202e', 'slipway: ', '```', '\ud800', 'm'],
      shown,
      fenced,
      (text) => safeForTerminal(text, true),
      readLog,
    ),
    ofText('checkout that init reads', 2, [setup, setupPy, docker, POM], [...XML, ...PLAIN], (text) =>
      initFile(checkout(text)),
    ),
    {
      name: 'answer of a registry',
      share: 4,
      seeds: buffers(http.SEEDS),
      tokens: buffers(http.TOKENS),
      run: http.readAnswer,
    },
  ];
};

function readLog(text) {
  const { createLogView } = dist('cli/render/log-view');
  const { FirstError } = dist('model/first-error');
  const view = createLogView(() => undefined);
  for (let at = 0; at < text.length; at += 100) view.push({ text: text.slice(at, at + 100), own: [] });
  view.end();
  const errors = new FirstError();
  for (const line of text.split('\n')) errors.push(line.slice(0, 2_000));
}

const ofFile = (name, share, seeds, ending, read) => ({
  ...{ name, share, seeds, tokens: BINARY.map((text) => Buffer.from(text, 'latin1')) },
  async run(bytes, folder) {
    const path = join(folder, `input.${ending}`);
    writeFileSync(path, bytes);
    try {
      await read(path, join(folder, 'into'));
    } finally {
      rmSync(join(folder, 'into'), { recursive: true, force: true });
    }
  },
});

/** Readers that are wrong on purpose: tests ask for them by name, to see that each kind of fault is found. */
const broken = (name, run) => ({
  name: `broken: ${name}`,
  share: 1,
  seeds: buffers(['x']),
  tokens: buffers(['x']),
  run,
});
const BROKEN = [
  broken('throws', () => null.length),
  broken('loops', () => {
    const began = process.cpuUsage();
    const ranMs = ({ user, system }) => (user + system) / 1000;
    while (ranMs(process.cpuUsage(began)) < 1500);
  }),
  broken('grows', () => (globalThis.kept = Buffer.alloc(400 * 2 ** 20, 1))),
  broken('rejects later', () => void Promise.reject(new Error('nobody waits for this'))),
];

/** All readers. Readers that are wrong on purpose come alone: they need nothing of what the others load. */
exports.readersIn = async (only) => {
  if (BROKEN.some(({ name }) => name === only)) return BROKEN;
  const { zip, tar, gzip, native } = await archiveSeeds();
  const archives = dist('adapters/archive/index').createArchives();
  const { unpackTree } = dist('activities/source/unpack');
  const unpack = (path, into) => unpackTree(archives, path, into, { strip: false });
  const look = (path, into) => archives.unpack(path, into, () => null);
  return [
    ...texts(),
    ...(await planned(only)),
    ...spackReaders(),
    ...BROKEN,
    ofFile('zip, wheel, JAR', 1, zip, 'whl', unpack),
    ofFile('directory of a zip', 2, zip, 'jar', look),
    ofFile('zip that is normalised', 1, zip, 'jar', (path) => archives.normaliseZip(path, 0)),
    ofFile('tar', 1, tar, 'tar', unpack),
    ofFile('headers of a tar', 2, tar, 'tar', look),
    ofFile('sdist', 1, gzip, 'tar.gz', unpack),
    ofFile('native library', 3, native, 'so', async (path) => {
      await dist('activities/natives/elf').readElf(path);
      await dist('activities/natives/read-native').readNative(path);
    }),
  ];
};
