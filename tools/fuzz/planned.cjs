// Readers of what planning and clusters read beside release files: matrices, lists, bindep files, answers of indexes, roll-ups,
// standings, job servers.
const { spawn } = require('node:child_process');
const { existsSync } = require('node:fs');
const { join } = require('node:path');
const { createInterface } = require('node:readline');

const ROOT = join(__dirname, '..', '..');
const dist = (module) => require(join(ROOT, 'dist', `${module}.js`));
const S = require('./planned-seeds.cjs');

const json = (...values) => values.map((value) => JSON.stringify(value));
const buffers = (texts) => texts.map((text) => Buffer.from(text));
const of = (name, share, texts, tokens, run) => ({ name, share, seeds: buffers(texts), tokens: buffers(tokens), run });
const ofText = (name, share, texts, tokens, read) =>
  of(name, share, texts, tokens, (bytes) => read(bytes.toString('utf8')));

/** Calls a reader that refuses by an error of its own. */
function refusing(Refusal, read) {
  try {
    read();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
}

/** Every record of answers, whatever is asked. */
const always = (get) =>
  new Proxy(
    {},
    { get: (_, key) => get(String(key)), getOwnPropertyDescriptor: () => ({ configurable: true, enumerable: true }) },
  );
const hash = (text) => `sha256:${require('node:crypto').createHash('sha256').update(text).digest('hex')}`;
const setting = (config) => ({
  ...{
    at: () => ({ file: 'slipway.yaml', line: 1 }),
    hash,
    config,
    chosen: {},
    states: null,
    key: 'wheels.w',
    epochs: {},
    tries: {},
  },
  ...{ indexes: [], platforms: { d: { arch: 'x86_64', glibc: '2.36', until: null, python: null } } },
});

async function matrices() {
  const { ray } = dist('importers/ray/index');
  const config = await dist('adapters/facts/ray-config').readRayConfig();
  const entry = {
    files: ['t.yaml'],
    needs: [],
    clusters: { aws: 'one', gce: 'drop' },
    change: [{ match: ['team:a'], set: { stable: false } }],
    prefix: '',
    instances: {},
  };
  return (text) => {
    const texts = always((path) => (path === 't.yaml' ? text : 'head_node: { instance_type: m5.large }\n'));
    const said = ray.read(entry, { text: texts, id: always(() => S.COMMIT) }, () => undefined);
    if ('kept' in said && said.kept.findings.length === 0) ray.make(said.kept, entry, setting(config));
  };
}

function lists() {
  const { wheelList } = dist('importers/wheel-list/index');
  const { WheelList } = dist('model/schema/sections/wheel-list');
  const entry = WheelList.parse({
    import: 'wheel-list',
    git: 'g',
    file: 'a.txt',
    bindep: 'b.txt',
    rows: [{ branch: 'main', for: { d: ['cp311', 'cp39'] } }],
  });
  const plan = (list, answer, bindep) => {
    const facts = {
      ...{
        branches: { g: { main: S.COMMIT } },
        file: always(() => list),
        bindep: always(() => bindep),
        index: always(() => answer),
      },
      ...{
        today: { UTC: '2026-11-20' },
        ours: always(() => ({})),
        pure: {},
        text: {},
        folder: {},
        present: {},
        id: {},
      },
    };
    const distributions = { d: { id: 'debian', version: '12', codename: 'bookworm' } };
    const said = wheelList.read(entry, facts, () => undefined, undefined, distributions);
    if ('kept' in said) wheelList.make(said.kept, entry, setting({}));
  };
  return { plan };
}

const ABSENT = { state: 'absent', askedAt: '', late: null };
const page = (text) => ({
  ...{ state: 'files', askedAt: '2026-11-20T10:00:00Z', late: null, newest: ['9'], foreign: [] },
  files: text.split('\n', 2_000).map((line) => {
    const [file = '', requires = '', yanked] = line.slice(0, 1_300).split('|');
    const [, version = '1'] = file.split('-');
    return {
      file: file.slice(0, 255),
      version,
      sha256: 'cd'.repeat(32),
      size: 1,
      requiresPython: requires || null,
      yanked: yanked || null,
      uploadedAt: null,
    };
  }),
});

/** bindep itself, as planning asks it: one process for a thread. */
function openBindep() {
  const { ASK_BINDEP } = dist('adapters/facts/bindep/script');
  const loop = ASK_BINDEP.replace(
    /for say in json\.load[^]*$/,
    'for line in sys.stdin:\n    print("slipway:" + json.dumps(answer(json.loads(line))), flush=True)\n',
  );
  const child = spawn(join(ROOT, '.tools', 'bin', 'python'), ['-P', '-c', loop], { stdio: ['pipe', 'pipe', 'ignore'] });
  for (const handle of [child, child.stdin, child.stdout]) handle.unref();
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return async (text) => {
    child.stdin.write(
      `${JSON.stringify({ text, platform: { id: 'debian', version: '12', codename: 'bookworm' }, profiles: ['compile'] })}\n`,
    );
    child.stdout.ref(); // a process that waits for nothing ends
    const { value } = await lines.next();
    child.stdout.unref();
    if (value === undefined) throw new Error('bindep ended');
    return JSON.parse(value.slice('slipway:'.length));
  };
}

/** Characters that planning gives to bindep. */
const LONGEST_BINDEP = 65_536;

/** @param only the one reader that runs. Absent: all do */
exports.planned = async (only) => {
  const matrix = await matrices();
  const { plan } = lists();
  const { isRollup, readRollup } = dist('engine/index/rollup');
  const { readEntry, readGone } = dist('engine/index/read-record');
  const { readRefresh } = dist('engine/index/refresh');
  const { standingsFault, testActionFault } = dist('model/tests/standings-fault');
  const { withActions } = dist('engine/standings/fold');
  const { jobIn } = dist('adapters/clusters/job-answer');
  const { nodesIn } = dist('adapters/clusters/nodes-answer');
  const { ClusterFault } = dist('adapters/clusters/fault');
  const hasBindep = existsSync(join(ROOT, '.tools', 'bin', 'python')) && [undefined, 'bindep file'].includes(only);
  const ask = hasBindep ? openBindep() : null;
  // The start of bindep takes longer than an input may.
  await ask?.(S.BINDEP);
  return [
    ofText("matrix of Ray's tests", 20, [S.MATRIX], S.MATRIX_TOKENS, matrix),
    ofText('wheel list', 40, [S.LIST], S.LIST_TOKENS, (text) => plan(text, ABSENT, { packages: [], broken: [] })),
    ofText('files of an index', 20, [S.PAGE], S.PAGE_TOKENS, (text) =>
      plan('skiff==1.2.3\noars>=2\n', page(text), { packages: text.split('\n', 99), broken: [] }),
    ),
    ofText(
      'roll-up of an index',
      60,
      json({ slipway: 1, files: [S.ENTRY] }, S.ENTRY, S.GONE, S.REFRESH),
      S.JSON_TOKENS,
      (text) => {
        if (isRollup(text)) readRollup(text);
        readEntry(`i/d/entries/skiff/${S.ENTRY.file}.json`, text);
        readGone(`i/d/gone/skiff/${S.ENTRY.file}.json`, text);
        readRefresh('i/refresh/boats.json', text);
      },
    ),
    ofText('standings', 40, json(S.STANDINGS, S.ACTION), S.JSON_TOKENS, (text) => {
      const said = parsed(text);
      if (standingsFault(said) === null) withActions(said, []);
      testActionFault(said);
    }),
    ofText('answer of a job server', 60, json(S.JOB, S.NODES), S.JSON_TOKENS, (text) => {
      jobIn(text);
      refusing(ClusterFault, () => nodesIn(text));
    }),
    ...(ask === null
      ? []
      : [
          of('bindep file', 0.5, [S.BINDEP], S.BINDEP_TOKENS, (bytes) =>
            ask(bytes.toString('utf8').slice(0, LONGEST_BINDEP)),
          ),
        ]),
  ];
};

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
