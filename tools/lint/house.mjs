// Rules of this house for oxlint. Each message says where the thing belongs.
import { features, inSrc, PLACES, placeOf } from './features.mjs';

const TEMPORAL = (name) => `@temporalio/${name}`;

const NO_PROGRAMS = ['any package'];
const ANY = [...NO_PROGRAMS, 'node:child_process'];

/** Packages that each room may import; `node:` stands for all of Node's modules. A room without a row is an error. */
export const PACKAGES = {
  'model/schema': ['re2js', 'zod'],
  model: [],
  plan: ['commonmark', 'htmlparser2', 'yaml', 'zod'],
  importers: ['yaml', 'zod'],
  engine: [],
  workflows: [TEMPORAL('workflow'), TEMPORAL('common')],
  activities: [TEMPORAL('activity'), TEMPORAL('common'), 'node:'],
  client: [TEMPORAL('client'), TEMPORAL('common')],
  'cli/commands': ['picocolors', 'node:crypto'],
  cli: NO_PROGRAMS,
  adapters: ANY,
  services: ANY,
  workers: ANY,
  features: [], // PLACES in features.mjs names a room for each place
};
const ADVICE = {
  'cli/commands': 'Commands print through `io` and act through `ports`; compose packages in src/cli/open-ports.ts.',
  activities: 'SDKs and programs belong in src/adapters, behind a port; only they and src/services start processes.',
  workflows: 'Workflow code is bundled and replayed: decide in src/engine, act in src/activities.',
  client: 'The client knows Temporal and src/model.',
};
const NO_ROOM =
  'This file belongs to no room: move it, or add the room to PACKAGES in tools/lint/house.mjs, to .oxlintrc.json and to docs/architecture.md.';
const CORE = 'This room is pure: take facts as arguments, gather them in src/adapters, act in src/activities.';

/** The room of a file: the longest prefix of its path under src/ that the table knows. */
const roomOf = (file) => {
  const path = file.replaceAll('\\', '/').split('/src/').at(-1);
  return Object.keys(PACKAGES)
    .filter((room) => path.startsWith(`${room}/`))
    .sort((a, b) => b.length - a.length)[0];
};

const isAllowed = (room, source) =>
  source === 'node:child_process'
    ? PACKAGES[room].includes(source)
    : PACKAGES[room].some(
        (name) =>
          name === 'any package' ||
          (name === 'node:' ? source.startsWith(name) : source === name || source.startsWith(`${name}/`)),
      );

const packages = {
  meta: { type: 'problem' },
  create(context) {
    const file = (context.filename ?? '').replaceAll('\\', '/');
    if (!file.includes('/src/')) return {};
    const room = roomOf(file);
    if (room === undefined) return { Program: (node) => context.report({ node, message: NO_ROOM }) };
    const { place } = placeOf(inSrc(file));
    const { like = room, packages: own = [] } = PLACES[place] ?? {};
    const isLater = place === 'cli' ? 'ImportExpression' : '';
    const check = (node) => {
      const source = node.source?.value;
      if (
        typeof source !== 'string' ||
        source.startsWith('.') ||
        isAllowed(like, source) ||
        own.includes(source) ||
        node.type === isLater
      )
        return;
      const message =
        place === undefined
          ? `src/${room} may not import ${source}. ${ADVICE[room] ?? CORE}`
          : `src/${inSrc(file)} may not import ${source}: ${PLACES[place].advice}.`;
      context.report({ node, message });
    };
    return {
      ImportDeclaration: check,
      ImportExpression: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
    };
  },
};

const codedErrors = {
  meta: { type: 'problem' },
  create: (context) => ({
    ThrowStatement(node) {
      const thrown = node.argument;
      if (thrown?.type !== 'NewExpression' || !/^(Error|TypeError|RangeError)$/.test(thrown.callee.name ?? '')) return;
      const message =
        'Throw a coded failure: `throw fail(problem)` of src/model/failure.ts, its code in the errors.ts of this room.';
      context.report({ node, message });
    },
  }),
};

const PASTE =
  'A value in the text of a shell line can run commands: hand it over as a variable of the environment or as an argument ("$1").';
/** Functions that take a shell line. */
const SHELLS = /^(exec|execSync|must|capture|shell|runShell)$/;
/** Their owners: `exec` is also what a regular expression does. */
const OWNERS = /^(work|session|facts|means|place)$/;

/** A text that is put together where it stands. */
const isPasted = (node) =>
  (node?.type === 'TemplateLiteral' && node.expressions.length > 0) ||
  (node?.type === 'BinaryExpression' && node.operator === '+');

const takesLine = (callee) =>
  callee.type === 'Identifier'
    ? SHELLS.test(callee.name)
    : callee.type === 'MemberExpression' &&
      SHELLS.test(callee.property.name ?? '') &&
      OWNERS.test(callee.object.name ?? '');

const textOf = (node) => (node?.type === 'Literal' ? String(node.value) : '');

/** Refuses values pasted into shell lines, and programs that are started through a shell. */
const shellText = {
  meta: { type: 'problem' },
  create: (context) => ({
    CallExpression(node) {
      if (takesLine(node.callee) && isPasted(node.arguments[0])) context.report({ node, message: PASTE });
    },
    ArrayExpression(node) {
      const [program, ...rest] = node.elements;
      const at = rest.findIndex((one) => /^-[a-z]*c$/.test(textOf(one)));
      if (/(^|\/)(ba|da)?sh$/.test(textOf(program)) && at >= 0 && isPasted(rest[at + 1]))
        context.report({ node, message: PASTE });
    },
    Property(node) {
      if (node.key.name === 'shell' && node.value.value === true) context.report({ node, message: PASTE });
    },
  }),
};

const GIT = 'Run git by src/adapters/git: it turns off settings of a checkout that start programs.';

/** Refuses git with the settings of whatever checkout it finds. */
const gitCommand = {
  meta: { type: 'problem' },
  create(context) {
    const file = (context.filename ?? '').replaceAll('\\', '/');
    if (
      !/\/(src\/(activities|adapters|services|workers|features\/[^/]+\/node)|tools\/drill)\//.test(file) ||
      file.includes('/src/adapters/git/')
    )
      return {};
    return {
      CallExpression(node) {
        const name = node.callee.name ?? node.callee.property?.name ?? '';
        if (/spawn|exec|run/i.test(name) && textOf(node.arguments[0]) === 'git') context.report({ node, message: GIT });
      },
      ArrayExpression(node) {
        if (node.elements.length > 1 && textOf(node.elements[0]) === 'git') context.report({ node, message: GIT });
      },
    };
  },
};

export default {
  meta: { name: 'house' },
  rules: { packages, features, 'coded-errors': codedErrors, 'shell-text': shellText, 'git-command': gitCommand },
};
