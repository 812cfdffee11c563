import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeTinyRootfs } from '../support/tiny-rootfs.js';

const SKIFF_C = `#define PY_SSIZE_T_CLEAN
#include <Python.h>
static PyObject *oars(PyObject *self, PyObject *none) { return PyLong_FromLong(2); }
static PyMethodDef methods[] = {{"oars", oars, METH_NOARGS, NULL}, {NULL, NULL, 0, NULL}};
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "NAME", NULL, -1, methods};
PyMODINIT_FUNC PyInit_NAME(void) { return PyModule_Create(&module); }
`;

/** Stands at the gate before it compiles. */
const SETUP_PY = `import socket
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
class Gated(build_ext):
    def run(self):
        print('building', flush=True)
        with socket.create_connection(('127.0.0.1', PORT)) as gate:
            gate.sendall(b'NAME')
            while gate.recv(100):
                pass
        super().run()
setup(name='NAME', version='1.0', packages=[], ext_modules=[Extension('NAME', ['NAME.c'])], cmdclass={'build_ext': Gated})
`;

export const head = (name: string): string => `slipway: 1
release: { name: ${name}, version: '1.0' }
source: { git: .. }
platforms: [linux-x86_64]
`;

const wheelFile = (name: string): string => `${head(name)}pythons: [cp311]
deps:
  build: { requires: ['setuptools>=75'] }
wheels:
  ${name}: { needs: [deps/build], network: true, env: { LDSHARED: gcc -shared, CFLAGS: -O1 -g0 } }
publish:
  index: { kind: python, files: [wheels/${name}], verify: python -c 'import ${name}' }
`;

/** What a shell in an image does to stand at the gate. */
export const atGate = (name: string, port: number): string =>
  `exec 3<>/dev/tcp/127.0.0.1/${port}; echo ${name} >&3; cat <&3`;

const imageFile = (name: string, port: number): string => `${head(name)}images:
  ${name}: { files: [Dockerfile, rootfs.tar], network: true }
tests:
  gate: { needs: [images/${name}], in: image, network: true, run: "bash -c '${atGate(`${name}-test`, port)}; echo passed'", expect: passed }
publish:
  hub: { kind: oci, files: [images/${name}], repository: drills/${name} }
point:
  - { target: hub, name: latest, to: images/${name} }
`;

/** Stands at the gate in the middle of its build. */
const dockerfile = (name: string, port: number): string => `FROM scratch
ADD files/rootfs.tar /
RUN ["/bin/bash", "-c", "${atGate(name, port)}; echo built"]
`;

/** A C extension in a git repository; answers its release file, by which a wheel goes to the index. */
export function wheelProject(folder: string, name: string, port: number): string {
  const fill = (text: string): string => text.replaceAll('NAME', name).replaceAll('PORT', String(port));
  return commit(folder, {
    [`${name}.c`]: fill(SKIFF_C),
    'setup.py': fill(SETUP_PY),
    'release/slipway.yaml': wheelFile(name),
  });
}

/** An image from nothing but a few programs of this machine; answers its release file, by which it goes to the hub.
 * @param text of the release file */
export async function imageProject(
  folder: string,
  name: string,
  port: number,
  text = imageFile(name, port),
): Promise<string> {
  mkdirSync(join(folder, 'release'), { recursive: true });
  await writeTinyRootfs(join(folder, 'release', 'rootfs.tar'));
  return commit(folder, { 'release/slipway.yaml': text, 'release/Dockerfile': dockerfile(name, port) });
}

const SETUP = `from setuptools import Extension, setup
setup(name='NAME', version='1.0', packages=[], ext_modules=[Extension('NAME', ['NAME.c'])])
`;

const boatFile = (name: string, image: boolean): string => `${head(name)}pythons: [cp311]
deps:
  build: { requires: ['setuptools>=75'] }
sdists:
  ${name}: { needs: [deps/build] }
wheels:
  ${name}: { needs: [deps/build], network: true, env: { LDSHARED: gcc -shared, CFLAGS: -O1 -g0 } }
${
  image
    ? `images:
  ${name}: { files: [Dockerfile, rootfs.tar], network: true }
point:
  - { target: hub, name: latest, to: images/${name} }
`
    : ''
}publish:
  index: { kind: python, files: [wheels/${name}, sdists/${name}], verify: python -c 'import ${name}' }
${image ? `  hub: { kind: oci, files: [images/${name}], repository: drills/${name} }\n` : ''}`;

/** A wheel with its sdist and an image, at no gate; answers its release file. */
export async function boatProject(folder: string, name: string, { image = true } = {}): Promise<string> {
  mkdirSync(join(folder, 'release'), { recursive: true });
  if (image) await writeTinyRootfs(join(folder, 'release', 'rootfs.tar'));
  return commit(folder, {
    [`${name}.c`]: SKIFF_C.replaceAll('NAME', name),
    'setup.py': SETUP.replaceAll('NAME', name),
    'release/slipway.yaml': boatFile(name, image),
    ...(image
      ? { 'release/Dockerfile': 'FROM scratch\nADD files/rootfs.tar /\nRUN ["/bin/bash", "-c", "echo built"]\n' }
      : {}),
  });
}

function commit(folder: string, files: Readonly<Record<string, string>>): string {
  mkdirSync(join(folder, 'release'), { recursive: true });
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
  const git = (...argv: readonly string[]): unknown =>
    execFileSync('git', ['-c', 'user.name=drill', '-c', 'user.email=drill@localhost', ...argv], { cwd: folder });
  git('init', '-q');
  git('add', '-A');
  git('commit', '-qm', 'one');
  return join(folder, 'release', 'slipway.yaml');
}
