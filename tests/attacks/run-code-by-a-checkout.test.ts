/** @slow */
import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readCheckout } from '../../src/adapters/checkout/read.js';
import { submit } from '../../src/adapters/facts/index.js';
import { uncommitted } from '../../src/adapters/facts/uncommitted.js';
import { createArchives } from '../../src/adapters/archive/index.js';
import { createDirectoryStore } from '../../src/adapters/store/directory.js';
import { type GitSource, records } from '../../src/model/run-folder.js';
import { NO_RUNS } from '../support/no-runs.js';
import { fakeSignatures } from '../support/sign-plan.js';
import { newHome } from '../support/run-body.js';
import { aCheckout, git, write } from './a-checkout.js';

const RELEASE = `slipway: 1
release: { name: skiff, version: { file: version.py, match: 'version = "(.+)"' } }
source: { git: . }
platforms: [linux-x86_64]
pythons: [cp311]
deps:
  all: { import: raydepsets, file: all.depsets.yaml }
steps:
  hello: { run: echo hello }
`;
const SETS = `depsets:
  - name: one
    operation: compile
    requirements: [version.py]
    output: one.lock
`;
const FILES = { 'slipway.yaml': RELEASE, 'version.py': 'version = "1.0"\n', 'all.depsets.yaml': SETS };

/** Everything that Slipway does with a checkout before a worker takes it up: what `check`, `plan`, `init` and `run` begin with. */
async function readAll(root: string) {
  const home = await newHome();
  const store = createDirectoryStore(join(home, 'store'));
  const file = join(root, 'slipway.yaml');
  const submitted = await submit(file, 'local', { store, signatures: fakeSignatures, past: NO_RUNS }).catch(
    (error: Error) => error,
  );
  const changed = await uncommitted(file);
  const seen = await readCheckout(root, root);
  return { store, home, submitted, changed, seen };
}

/** A program of the attacker's that leaves a mark. Its input goes on as its output. */
async function evilProgram(): Promise<{ readonly program: string; readonly ran: () => boolean }> {
  const folder = await newHome();
  const mark = join(folder, 'pwned');
  write(folder, { evil: `#!/bin/sh\ntouch ${mark}\ntimeout 2 cat\n` });
  return { program: join(folder, 'evil'), ran: () => existsSync(mark) };
}

const settings = (root: string, text: string): void => appendFileSync(join(root, '.git', 'config'), text);

/** A commit whose header says that it is signed. */
function sign(root: string): void {
  const [head, ...message] = git(root, 'cat-file', 'commit', 'HEAD').split('\n\n');
  const signed = `${head}\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n iQ==\n -----END PGP SIGNATURE-----\n\n${message.join('\n\n')}\n`;
  write(root, { '.git/signed': signed });
  git(root, 'update-ref', 'HEAD', git(root, 'hash-object', '-t', 'commit', '-w', '.git/signed'));
}

/** Hostile contents of a checkout, by the program that the attacker wants git to start. */
const CHECKOUTS: Readonly<Record<string, (root: string, program: string) => void>> = {
  'gpg.program behind log.showSignature': (root, program) => {
    sign(root);
    settings(root, `[log]\n\tshowSignature = true\n[gpg]\n\tprogram = ${program}\n`);
  },
  'gpg.program behind a placeholder of export-subst': (root, program) => {
    write(root, { '.gitattributes': 'about.txt export-subst\n', 'about.txt': '$Format:%G?$\n' });
    git(root, 'add', '.');
    git(root, 'commit', '-q', '-m', 'two');
    sign(root);
    settings(root, `[gpg]\n\tprogram = ${program}\n`);
  },
  'filter.x.smudge behind an attribute': (root, program) => {
    write(root, { '.gitattributes': '* filter=x\n' });
    git(root, 'add', '.');
    git(root, 'commit', '-q', '-m', 'two');
    settings(root, `[filter "x"]\n\tsmudge = ${program}\n\trequired = true\n`);
  },
  'filter.x.clean behind an attribute, for a file that was touched': (root, program) => {
    write(root, { '.git/info/attributes': '* filter=x\n', 'version.py': 'version = "1.0"\n\n' });
    settings(root, `[filter "x"]\n\tclean = ${program}\n`);
  },
  'diff.x.textconv behind an attribute': (root, program) => {
    write(root, { '.gitattributes': '* diff=x\n' });
    git(root, 'add', '.');
    git(root, 'commit', '-q', '-m', 'two');
    settings(root, `[diff "x"]\n\ttextconv = ${program}\n[diff]\n\texternal = ${program}\n`);
  },
  'core.fsmonitor': (root, program) => settings(root, `[core]\n\tfsmonitor = ${program}\n`),
  'core.hooksPath and hooks': (root, program) => {
    const hook = `#!/bin/sh\nexec ${program}\n`;
    for (const name of ['post-index-change', 'reference-transaction', 'post-checkout', 'fsmonitor-watchman'])
      write(root, { [`.git/hooks/${name}`]: hook, [`own/${name}`]: hook });
    settings(root, `[core]\n\thooksPath = ${join(root, 'own')}\n`);
  },
  'a submodule with settings of its own': (root, program) => {
    write(root, { 'lib/a.txt': 'a\n' });
    git(join(root, 'lib'), 'init', '-q');
    git(join(root, 'lib'), 'add', 'a.txt');
    git(join(root, 'lib'), 'commit', '-q', '-m', 'lib');
    git(root, 'add', 'lib');
    git(root, 'commit', '-q', '-m', 'two');
    write(root, { 'lib/a.txt': 'b\n', 'lib/.git/info/attributes': '* filter=x\n' });
    appendFileSync(
      join(root, 'lib/.git/config'),
      `[core]\n\tfsmonitor = ${program}\n[filter "x"]\n\tclean = ${program}\n`,
    );
  },
  'a missing object that a promisor has': (root, program) => {
    const blob = git(root, 'rev-parse', 'HEAD:version.py');
    rmSync(join(root, '.git/objects', blob.slice(0, 2), blob.slice(2)));
    settings(root, `[remote "origin"]\n\turl = ext::${program}\n\tpromisor = true\n\tpartialclonefilter = blob:none\n`);
    settings(root, `[extensions]\n\tpartialClone = origin\n[core]\n\trepositoryformatversion = 1\n`);
    settings(root, `[protocol "ext"]\n\tallow = always\n`);
  },
  'settings that another file holds': (root, program) => {
    sign(root);
    write(root, {
      'more.config': `[log]\n\tshowSignature = true\n[gpg]\n\tprogram = ${program}\n[core]\n\tfsmonitor = ${program}\n`,
    });
    settings(root, `[include]\n\tpath = ../more.config\n`);
  },
};

describe('[H3] a checkout runs code of its own while it is only read', () => {
  test.each(Object.entries(CHECKOUTS))(
    'given %s, when it is checked and planned, then nothing runs',
    async (_, make) => {
      const { program, ran } = await evilProgram();
      const root = await aCheckout(FILES);
      make(root, program);
      await readAll(root);
      expect(ran()).toBe(false);
    },
  );

  test('given a bare repository committed in a checkout, when its folder is released, then nothing runs', async () => {
    const { program, ran } = await evilProgram();
    const inner = await aCheckout(FILES);
    sign(inner);
    const root = await newHome();
    const nested = join(root, 'docs', 'nested');
    git(inner, 'clone', '-q', '--bare', inner, nested);
    write(nested, FILES);
    appendFileSync(
      join(nested, 'config'),
      `[log]\n\tshowSignature = true\n[gpg]\n\tprogram = ${program}\n[core]\n\tfsmonitor = ${program}\n\tworktree = /\n\tbare = false\n`,
    );
    const { submitted } = await readAll(nested);
    expect(ran()).toBe(false);
    expect(submitted).toMatchObject({ plan: { release: { version: '1.0' } } });
  });

  test("given a hostile checkout, when it is released, then its bytes are the commit's, and the release goes on", async () => {
    const { program } = await evilProgram();
    const root = await aCheckout(FILES);
    CHECKOUTS['filter.x.smudge behind an attribute']!(root, program);
    CHECKOUTS['core.fsmonitor']!(root, program);
    const { submitted, store, home, changed, seen } = await readAll(root);
    const commit = git(root, 'rev-parse', 'HEAD');
    expect(submitted).toMatchObject({ plan: { source: { commit, branch: 'main' } } });
    expect([changed, seen.git?.hasCommit]).toEqual([[], true]);
    const source = await store.read<GitSource & { digest: `sha256:${string}` }>(records.gitSource(commit));
    const tar = join(home, 'source.tar');
    await store.fetch(source!.digest, tar);
    await createArchives().unpack(tar, join(home, 'tree'), ({ name }) => name);
    expect(readFileSync(join(home, 'tree', 'version.py'), 'utf8')).toBe(FILES['version.py']);
  });

  test('given a commit replaced by another, when the original is released, then its own tree is taken', async () => {
    const root = await aCheckout(FILES);
    const wanted = git(root, 'rev-parse', 'HEAD');
    write(root, { 'version.py': 'version = "6.6.6"\n' });
    git(root, 'commit', '-q', '-a', '-m', 'evil');
    const evil = git(root, 'rev-parse', 'HEAD');
    git(root, 'reset', '-q', '--hard', wanted);
    git(root, 'replace', wanted, evil);
    expect((await readAll(root)).submitted).toMatchObject({
      plan: { release: { version: '1.0' }, source: { commit: wanted } },
    });
  });

  test('given settings that move the work tree, when files are looked at, then they are those of the checkout', async () => {
    const root = await aCheckout(FILES);
    settings(root, `[core]\n\tworktree = ${dirname(tmpdir())}\n`);
    expect((await readAll(root)).seen.git).toMatchObject({ folder: '', hasCommit: true });
  });
});
