import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBaseTars } from '../../src/adapters/debian/bases.js';
import { keysFolder } from '../../src/adapters/home-keys/open.js';
import { serviceLogins } from '../../src/adapters/home-keys/service-secrets.js';
import { createDocker } from '../../src/adapters/docker/index.js';
import { home as sharedHome } from '../../src/adapters/home.js';
import { createPrograms } from '../../src/adapters/process/programs.js';
import { WITH_OWN_PYTHON } from '../../src/model/build-packages.js';
import type { PythonIndex } from '../doubles/python-index.js';

const aFolder = (): string => mkdtempSync(join(tmpdir(), 'slipway-moving-'));

/** The kind of wheel that a source makes: an extension that links the library, one that does not, or a pure wheel. */
export type Makes = 'linked' | 'native' | 'pure' | 'random' | 'no code';

const NATIVE = (name: string, call: string): string => `#include <Python.h>
int knot(void);
static PyObject *tie(PyObject *self, PyObject *args) { return PyLong_FromLong(${call}); }
static PyMethodDef methods[] = {{"tie", tie, METH_NOARGS, ""}, {0, 0, 0, 0}};
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "${name}", 0, -1, methods};
PyMODINIT_FUNC PyInit_${name}(void) { return PyModule_Create(&module); }
`;

/** A build backend that needs nothing but the compiler of the base. */
const BACKEND = `import base64, hashlib, os, subprocess, sysconfig, zipfile

def get_requires_for_build_wheel(settings=None):
    return []

def code(name, makes):
    if makes in ('pure', 'no code'):
        return {name + '.py': b'def tie():\\n    return 0\\n'}
    if makes == 'random':
        return {name + '.py': b'built = "%s"\\n' % os.urandom(8).hex().encode()}
    include = '-I' + sysconfig.get_paths()['include']
    more = ['-lknot'] if makes == 'linked' else []
    subprocess.run(['gcc', '-shared', '-fPIC', include, '-o', 'native.so', 'native.c', *more], check=True)
    with open('native.so', 'rb') as file:
        return {name + sysconfig.get_config_var('EXT_SUFFIX'): file.read()}

def build_wheel(out, settings=None, metadata=None):
    name, makes = NAME, MAKES
    pure = makes in ('pure', 'random')
    tag = 'py3-none-any' if pure else 'cp311-cp311-linux_x86_64'
    info = name + '-1.0.dist-info/'
    files = code(name, makes)
    files[info + 'METADATA'] = b'Metadata-Version: 2.1\\nName: %s\\nVersion: 1.0\\n' % name.encode()
    wheel = 'Wheel-Version: 1.0\\nGenerator: own\\nRoot-Is-Purelib: %s\\nTag: %s\\n' % (str(pure).lower(), tag)
    files[info + 'WHEEL'] = wheel.encode()
    digest = lambda data: base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip('=')
    rows = ['%s,sha256=%s,%d' % (path, digest(data), len(data)) for path, data in files.items()]
    files[info + 'RECORD'] = '\\n'.join([*rows, info + 'RECORD,,', '']).encode()
    file = '%s-1.0-%s.whl' % (name, tag)
    with zipfile.ZipFile(os.path.join(out, file), 'w') as archive:
        for path, data in files.items():
            archive.writestr(zipfile.ZipInfo(path), data)
    return file
`;

/** Serves version 1.0 of a project, whose sdist makes such a wheel. */
export function serve(index: PythonIndex, name: string, makes: Makes): void {
  const folder = aFolder();
  const top = join(folder, `${name}-1.0`);
  mkdirSync(top);
  const own = BACKEND.replace('NAME, MAKES', `${JSON.stringify(name)}, ${JSON.stringify(makes)}`);
  const project = '[build-system]\nrequires = []\nbuild-backend = "own"\nbackend-path = ["."]\n';
  const info = `Metadata-Version: 2.1\nName: ${name}\nVersion: 1.0\n`;
  const native = NATIVE(name, makes === 'linked' ? 'knot()' : '0');
  const files = { 'pyproject.toml': project, 'own.py': own, 'native.c': native, 'PKG-INFO': info };
  for (const [path, text] of Object.entries(files)) writeFileSync(join(top, path), text);
  const filename = `${name}-1.0.tar.gz`;
  execFileSync('tar', ['-C', folder, '--mtime=@1600000000', '-czf', join(folder, filename), `${name}-1.0`]);
  const bytes = readFileSync(join(folder, filename));
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  index.project(name, [{ filename, url: `../../files/${filename}`, hashes: { sha256 } }]);
  index.file(filename, (_, response) => void response.end(bytes));
}

/** Makes a Debian package of a library with this major version in its soname. */
function aPackage(major: number, folder: string): string {
  const root = join(folder, `libknot${major}`);
  const libraries = join(root, 'usr/lib/x86_64-linux-gnu');
  for (const path of [libraries, join(root, 'DEBIAN')]) mkdirSync(path, { recursive: true });
  const source = join(folder, `knot${major}.c`);
  writeFileSync(source, `int knot(void) { return ${major}; }\n`);
  const soname = `libknot.so.${major}`;
  execFileSync('gcc', [
    ...['-shared', '-fPIC', '-nostdlib', `-Wl,-soname,${soname}`],
    ...['-o', join(libraries, soname), source],
  ]);
  execFileSync('ln', ['-s', soname, join(libraries, 'libknot.so')]);
  const control = ['Package: libknot-dev', `Version: ${major}.0`, 'Architecture: amd64', 'Maintainer: x <x@x>'];
  writeFileSync(join(root, 'DEBIAN/control'), [...control, 'Description: ties knots', ''].join('\n'));
  const deb = join(folder, `libknot-dev_${major}.0_amd64.deb`);
  execFileSync('dpkg-deb', ['--build', '--root-owner-group', root, deb], { stdio: 'ignore' });
  return deb;
}

export interface Bases {
  /** Puts a base with the library of this major version into the registry. Returns `name@sha256:…`. */
  withLibrary(major: number): Promise<string>;
}

/** Debian 12 with a compiler and its own Python, and a package of our own over it.
 * @param home has the registry's secret; @param engine address of the Docker engine; @param registry `host:port` that images are pushed to */
export async function openBases(home: string, engine: string, registry: string): Promise<Bases> {
  const login = serviceLogins(keysFolder({}, home), ['staging'])('staging');
  const { engine: docker } = createDocker(
    () => engine,
    {},
    (reference) => (reference.startsWith(registry) ? login : null),
  );
  const folder = aFolder();
  const talk = { log: () => undefined, signal: new AbortController().signal };
  const programs = createPrograms({ running: join(folder, 'running') });
  const env = Object.fromEntries(Object.entries(process.env).map(([name, value]) => [name, value ?? '']));
  const debian = { suite: 'bookworm', packages: [...WITH_OWN_PYTHON], oci: null };
  const tar = await createBaseTars(programs, join(sharedHome(), 'cache', 'bases')).make(debian, env, talk);
  const plain = 'moving-library/plain:1';
  await docker.importTar(tar, { reference: plain, labels: {}, platform: null }, talk);
  return {
    withLibrary: async (major) => {
      const context = join(folder, `context-${major}`);
      mkdirSync(context);
      writeFileSync(join(context, 'libknot.deb'), readFileSync(aPackage(major, folder)));
      const lines = [`FROM ${plain}`, 'COPY libknot.deb /tmp/', 'RUN dpkg -i /tmp/libknot.deb && ldconfig'];
      writeFileSync(join(context, 'Dockerfile'), `${lines.join('\n')}\n`);
      const repository = `${registry}/moving-library/base`;
      const build = { context, dockerfile: 'Dockerfile', args: {}, labels: {}, epoch: 0, platform: null };
      await docker.build({ ...build, reference: `${repository}:${major}`, network: false }, talk);
      return `${repository}@${await docker.push(`${repository}:${major}`, talk)}`;
    },
  };
}
