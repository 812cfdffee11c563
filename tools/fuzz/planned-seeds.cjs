// Valid inputs of planning and of clusters, and pieces of their grammars.
const DIGEST = `sha256:${'ab'.repeat(32)}`;
const COMMIT = 'ab'.repeat(20);
const JSON_TOKENS = [
  '"',
  '{',
  '}',
  '[',
  ']',
  ':',
  ',',
  'null',
  'true',
  '1e999',
  '-1',
  '0',
  '\\u0000',
  '\\ud800',
  '{"__proto__":1}',
];

const MATRIX = `- name: DEFAULTS
  frequency: nightly
  team: a
  python: '3.11'
  cluster: { cluster_compute: c.yaml, byod: { runtime_env: [A=1, B] } }
  run: &run { timeout: 60, script: "python a.py {{x}} {{ y }}", wait_for_nodes: { num_nodes: 1 } }
- name: a_{{x}}_{{y}}
  matrix:
    setup: { x: [1, 010, a], y: ['{{x}}', b] }
    adjustments:
      - with: { x: 2, y: c }
  smoke_test: { frequency: manual, run: { timeout: 5 } }
- name: v
  run: *run
  variations: [{ __suffix__: aws }, { __suffix__: gce, env: gce, run: { timeout: 1:30 } }]
`;
const MATRIX_TOKENS = [
  '{{x}}',
  '{{',
  '}}',
  '{{ y }}',
  '*run',
  '&run ',
  '<<: ',
  'matrix: ',
  'setup: ',
  'adjustments: ',
  '- with: { x: 1 }\n',
  '- ',
  ': ',
  ', ',
  '\n',
  '  ',
  '[',
  ']',
  '{',
  '}',
  "'",
  '"',
  'name: ',
  '__suffix__: ',
];

const LIST = `# pins\nskiff==1.2.3 ; python_version >= '3.9'\noars[all]>=2,<3 --hash=sha256:${'ab'.repeat(32)}\n-c other.txt\n-r other.txt\n-e .\n--index-url http://x\nhull===1.0+local \\\n  ; sys_platform == 'linux' and (python_version < '3' or os_name != 'nt')\n`;
const LIST_TOKENS = [
  '==',
  '===',
  '>=',
  '<',
  '~=',
  '!=',
  '.*',
  ',',
  ';',
  ' ; ',
  '\\\n',
  '\n',
  '#',
  ' #',
  '[',
  ']',
  '(',
  ')',
  ' and ',
  ' or ',
  "'",
  'python_version',
  ' in ',
  ' not in ',
  '--hash=sha256:',
  '-r other.txt\n',
  '-c ',
  '@',
  '\r',
  '\t',
  '1!',
  '+',
  'rc',
  '.post',
  '9'.repeat(40),
];

const PAGE = [
  'skiff-1.2.3.tar.gz|>=3.8|',
  'skiff-1.2.3-cp311-cp311-manylinux_2_28_x86_64.whl|>=3.8,<4|',
  'skiff-2.0rc1-py3-none-any.whl||yanked',
  'skiff-1.2.3-1-cp39-abi3-linux_x86_64.whl|junk|',
  'oars-2.zip|>=3|',
].join('\n');
const PAGE_TOKENS = [
  '-',
  '.',
  '_',
  'cp311',
  'abi3',
  'py2.py3',
  'none',
  'any',
  'manylinux_2_28_x86_64',
  'linux_x86_64',
  '.whl',
  '.tar.gz',
  '.zip',
  '|',
  '\n',
  '>=',
  '<',
  ',',
  '!',
  '+',
  'rc1',
  '9'.repeat(40),
];

const BINDEP = `# native\nlibsea-dev [platform:dpkg compile]\nsea-devel [platform:rpm !platform:suse compile test]\n(libmast-dev libmast2) [platform:debian-13]\nmast >= 1.0, <2 [platform:ubuntu-jammy (a b)]\n`;
const BINDEP_TOKENS = [
  '[',
  ']',
  '(',
  ')',
  'platform:',
  'dpkg',
  'compile',
  '!',
  '>=',
  '<',
  ', ',
  '\n',
  ' ',
  '#',
  '\t',
  '\r\n',
  '-',
  '.',
];

const ENTRY = {
  ...{ slipway: 1, file: 'skiff-1.2.3-cp311-cp311-linux_x86_64.whl', digest: DIGEST, size: 7, requiresPython: '>=3.8' },
  ...{ metadata: DIGEST, statement: DIGEST, uploadTime: '2026-11-20T10:00:00.000000Z', links: { libc6: ['2.36'] } },
  ...{ from: { source: DIGEST, lock: null, base: null }, epoch: 1, publisher: null },
};
const GONE = {
  slipway: 1,
  file: ENTRY.file,
  state: 'yanked',
  because: 'x',
  yanked: { by: 'a', because: 'b' },
  review: null,
};
const REFRESH = { slipway: 1, pipeline: 'boats', workflowId: 'pipeline/boats', at: '2026-11-20T10:00:00Z', wheels: [] };
const STANDINGS = {
  ...{ slipway: 1, pipeline: 'night', profile: 'local', branch: 'main', actions: 1 },
  nights: [{ no: 1, run: 'r', label: '2026-11-20', at: '2026-11-20T10:00:00Z', commit: COMMIT }],
  tests: {
    a: {
      ...{ title: 'a', state: 'passing', since: 1, letters: 'PpFIS', owner: null, team: 't' },
      ...{ jail: null, issue: null, blamed: null },
    },
  },
  moves: [],
};
const ACTION = {
  ...{ slipway: 1, test: 'a', by: 'kim', at: '2026-11-20T10:00:00Z', action: 'jail', owner: 'kim' },
  ...{ until: '2026-11-27T10:00:00Z', reason: 'x' },
};
const JOB = { status: 'FAILED', message: 'x', driver_exit_code: 7, driver_node_id: 'n' };
const NODES = { data: { summary: [{ raylet: { nodeId: 'n', nodeManagerAddress: '10.0.0.1', state: 'ALIVE' } }] } };

module.exports = {
  DIGEST,
  COMMIT,
  JSON_TOKENS,
  MATRIX,
  MATRIX_TOKENS,
  LIST,
  LIST_TOKENS,
  PAGE,
  PAGE_TOKENS,
  BINDEP,
  BINDEP_TOKENS,
  ENTRY,
  GONE,
  REFRESH,
  STANDINGS,
  ACTION,
  JOB,
  NODES,
};
