import type { Json } from '../../model/json.js';
import { at, has, listAt, matched, textAt, textOf, tomlOf, type Folder } from './lookup.js';
import type { PythonProject } from './project.js';
import { moduleOf } from './python-module.js';
import { pythonsOf } from './python-tags.js';
import { pythonVersion, usesTags } from './python-version.js';

/** Finds a Python project in this folder. Null if there is none. `setup.py` is read as text, never executed. */
export function pythonProject(folder: Folder): PythonProject | null {
  const toml = tomlOf(folder, 'pyproject.toml');
  const isProject = [at(toml, 'build-system'), at(toml, 'project'), at(toml, 'tool', 'poetry')].some(
    (one) => one !== undefined,
  );
  const file = isProject ? 'pyproject.toml' : ['setup.py', 'setup.cfg'].find((one) => textOf(folder, one) !== null);
  if (file === undefined) return null;
  const name = nameOf(folder, toml);
  const backend = backendOf(toml);
  const module = moduleOf(folder, toml, name);
  const wheel = wheelOf(folder, toml, backend);
  return {
    kind: 'python',
    folder: folder.path,
    file,
    name,
    version: pythonVersion(folder, backend, module),
    backend,
    wheel,
    requires: requirementsOf(folder, toml),
    pythons: pythonsOf(folder, toml),
    module,
    tools: TOOLS[backend] ?? (usesRust(folder) ? ['cargo'] : []),
    env: usesTags(toml, folder) ? { [tagVariable(toml)]: '{version}' } : {},
  };
}

const TOOLS: Readonly<Record<string, readonly string[]>> = { maturin: ['cargo'] };

const nameOf = (folder: Folder, toml: Json | null): string =>
  (
    textAt(toml, 'project', 'name') ??
    textAt(toml, 'tool', 'poetry', 'name') ??
    matched(textOf(folder, 'setup.cfg'), /^\[metadata\][^[]*?^name\s*=\s*(\S+)/m) ??
    matched(textOf(folder, 'setup.py'), /\bname\s*=\s*["']([\w.-]+)["']/) ??
    matched(textOf(folder, 'PKG-INFO'), /^Name: (\S+)$/m) ??
    textAt(tomlOf(folder, 'Cargo.toml'), 'package', 'name') ??
    (folder.path === '' ? folder.checkout.name : folder.path.split('/').at(-1)!)
  ).trim();

function backendOf(toml: Json | null): string {
  const name = (textAt(toml, 'build-system', 'build-backend') ?? 'setuptools').split(/[.:]/)[0]!;
  const known: Readonly<Record<string, string>> = {
    scikit_build_core: 'scikit-build-core',
    mesonpy: 'meson-python',
    flit_core: 'flit',
    poetry: 'poetry',
    py_build_cmake: 'py-build-cmake',
    pdm: 'pdm',
    uv_build: 'uv',
  };
  return known[name] ?? name;
}

const NATIVE = new Set(['scikit-build-core', 'meson-python', 'maturin', 'py-build-cmake']);
const EXTENSION =
  /\bext_modules\b|\bExtension\s*\(|\bcythonize\b|\bcffi_modules\b|CMakeExtension|\brust_extensions\b|\bskbuild\b|pybind11\.setup_helpers/;

function wheelOf(folder: Folder, toml: Json | null, backend: string): PythonProject['wheel'] {
  const setup = textOf(folder, 'setup.py') ?? '';
  const bySetuptools =
    EXTENSION.test(setup) ||
    at(toml, 'tool', 'setuptools', 'ext-modules') !== undefined ||
    at(toml, 'tool', 'setuptools-rust') !== undefined;
  const isNative =
    NATIVE.has(backend) ||
    (backend === 'setuptools' && bySetuptools) ||
    (backend === 'poetry' && at(toml, 'tool', 'poetry', 'build') !== undefined);
  if (!isNative) return 'pure';
  return isForAllPythons(folder, toml, setup) ? 'abi3' : 'native';
}

/** Whether it uses the stable ABI, or no Python ABI at all. */
function isForAllPythons(folder: Folder, toml: Json | null, setup: string): boolean {
  const cargo = tomlOf(folder, textAt(toml, 'tool', 'maturin', 'manifest-path') ?? 'Cargo.toml');
  const features = [
    ...(listAt(toml, 'tool', 'maturin', 'features') ?? []),
    ...(listAt(cargo, 'dependencies', 'pyo3', 'features') ?? []),
    ...(listAt(cargo, 'workspace', 'dependencies', 'pyo3', 'features') ?? []),
  ].join(' ');
  return (
    /\babi3(-py3\d+)?\b/.test(features) ||
    textAt(toml, 'tool', 'maturin', 'bindings') === 'bin' ||
    textAt(toml, 'tool', 'scikit-build', 'wheel', 'py-api') !== null ||
    at(toml, 'tool', 'meson-python', 'limited-api') === true ||
    /\bpy_limited_api\s*=\s*True|["']py_limited_api["']/.test(setup)
  );
}

const usesRust = (folder: Folder): boolean => /rust_extensions|setuptools_rust/.test(textOf(folder, 'setup.py') ?? '') && has(folder, 'Cargo.toml'); // prettier-ignore

/** Null for computed requirements, or a notation other than a list. */
function requirementsOf(folder: Folder, toml: Json | null): readonly string[] | null {
  const dynamic = listAt(toml, 'project', 'dynamic') ?? [];
  if (at(toml, 'project') !== undefined && !dynamic.includes('dependencies'))
    return listAt(toml, 'project', 'dependencies') ?? [];
  if (at(toml, 'tool', 'poetry', 'dependencies') !== undefined) return null;
  const cfg = textOf(folder, 'setup.cfg');
  const listed = cfg === null ? null : matched(cfg, /^install_requires\s*=[ \t]*((?:\n?[ \t]+.*)*)/m);
  if (listed !== null) return listed.split('\n').map((line) => line.replace(/(^|\s)#.*/, '').trim()).filter((line) => line !== ''); // prettier-ignore
  const setup = textOf(folder, 'setup.py') ?? '';
  const block = listIn(setup, /\binstall_requires\s*=\s*\[/);
  if (block !== null)
    return [...block.replace(/#.*/g, '').matchAll(/"([^"]+)"|'([^']+)'/g)].map((one) => one[1] ?? one[2]!);
  return /\binstall_requires\b/.test(setup) || dynamic.includes('dependencies') ? null : [];
}

/** Returns the text inside the brackets that an expression opens. Null if nothing opens or closes them. */
function listIn(text: string, opens: RegExp): string | null {
  const match = opens.exec(text);
  const from = match === null ? -1 : match.index + match[0].length;
  const to = text.indexOf(']', from);
  return match === null || to < 0 ? null : text.slice(from, to);
}

const tagVariable = (toml: Json | null): string =>
  textAt(toml, 'tool', 'pdm', 'version', 'source') === 'scm'
    ? 'PDM_BUILD_SCM_VERSION'
    : 'SETUPTOOLS_SCM_PRETEND_VERSION';
