import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { boatyard, type Files, RECIPES, recipeOf } from './an-environment.js';
import { contentsOf } from './contents.js';
import { pathsOf, planned } from './planned.js';

const CANARY = 'canary-of-a-recipe-51ce';
const LEFT = `slipway-left-by-a-recipe-${process.pid}`;

/** Python lines that a recipe of keel runs. Each try prints a line. */
const attack = (secret: string, store: string, port: number): string => `
import os, shutil, socket, subprocess

def tried(what, reach):
    try:
        print(f"attack: {what}: reached {reach()}", flush=True)
    except OSError:
        print(f"attack: {what}: refused", flush=True)

def leave():
    shutil.copy("/bin/sleep", "${LEFT}")
    quiet = dict(stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    subprocess.Popen(["./${LEFT}", "3600"], start_new_session=True, **quiet)
    print("attack: a process is left", flush=True)

tried("home", lambda: open("${secret}").read())
tried("store", lambda: os.listdir("${store}"))
tried("port", lambda: socket.create_connection(("127.0.0.1", ${port}), 5))
os.symlink("${secret}", os.path.join(os.path.dirname(os.environ["SPACK_USER_CACHE_PATH"]), "closure.json"))
leave()
`;

/** Tests that nothing of the attack works, and that a later build on the same worker is the same. */
export function testHostileRecipe(spack: string): void {
  let server: Server;
  let asked = 0;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(homedir(), '.slipway-canary-'));
    writeFileSync(join(folder, 'token'), CANARY);
    server = createServer().on('connection', () => (asked += 1));
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  });
  afterAll(() => {
    server.close();
    rmSync(folder, { recursive: true });
  });

  test('given a recipe that reads the home, asks a port and leaves a link and a process, then nothing of it works', async () => {
    const files = boatyard();
    const clean = await planned(spack, files);
    const before = await clean.build('keel');
    const secret = join(folder, 'token');
    const program = attack(secret, join(clean.home, 'store'), (server.address() as AddressInfo).port);
    const { log } = await (await planned(spack, attackedBy(program), { at: clean.home })).run('keel');

    expect(log.match(/attack: .*/g)).toEqual([
      'attack: home: refused',
      'attack: store: refused',
      'attack: port: refused',
      'attack: a process is left',
    ]);
    expect(asked).toBe(0);
    expect(log).not.toContain(CANARY);
    expect(readFileSync(secret, 'utf8')).toBe(CANARY);
    expect(processesNamed(LEFT)).toEqual([]);
    const after = await (await planned(spack, files, { at: clean.home })).build('keel');
    expect(pathsOf(after)[0]).toBe(pathsOf(before)[0]);
    const contents = await contentsOf(clean.home, before);
    expect(contents.length).toBeGreaterThan(1);
    expect(await contentsOf(clean.home, after)).toEqual(contents);
  });

  test('given a recipe that leaves a process with the output of the step, then the step ends, and so does the process', async () => {
    const { build } = await planned(spack, attackedBy(HOLDS_OUTPUT));
    expect(pathsOf(await build('keel'))).toHaveLength(3);
    expect(processesNamed(LEFT)).toEqual([]);
  });
}

/** Leaves a process that a reader of its output would wait an hour for. */
const HOLDS_OUTPUT = `
import shutil, subprocess

shutil.copy("/bin/sleep", "${LEFT}")
subprocess.Popen(["./${LEFT}", "3600"], start_new_session=True)
`;

/** The files of boatyard, and a recipe of keel that runs a program of Python. */
function attackedBy(program: string): Files {
  const files = boatyard();
  const runs = 'runpy.run_path(join_path(self.package_dir, "attack.py"))';
  const recipe = files[recipeOf('keel')]!.replace('mkdirp(prefix.lib)', `mkdirp(prefix.lib)\n        ${runs}`);
  return {
    ...files,
    [recipeOf('keel')]: `import runpy\n${recipe}`,
    [`${RECIPES}/packages/keel/attack.py`]: program,
  };
}

const processesNamed = (name: string): readonly string[] =>
  readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(name);
    } catch {
      return false;
    }
  });
