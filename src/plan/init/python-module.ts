import type { Json } from '../../model/json.js';
import { has, isLeftOut, listAt, pathsOf, textAt, tomlOf, type Folder } from './lookup.js';

const IDENTIFIER = /^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$/;
const ROOTS = ['', 'src/', 'python/', 'lib/'];

/** Returns the module to import: by settings, else a module with the project's name, else the only package. */
export function moduleOf(folder: Folder, toml: Json | null, name: string): string | null {
  const said = [
    textAt(toml, 'tool', 'maturin', 'module-name')?.split('.')[0],
    textAt(toml, 'tool', 'flit', 'module', 'name'),
    textAt(toml, 'tool', 'uv', 'build-backend', 'module-name'),
    listAt(toml, 'tool', 'scikit-build', 'wheel', 'packages')?.[0]?.split('/').at(-1),
    listAt(toml, 'tool', 'hatch', 'build', 'targets', 'wheel', 'packages')?.[0]?.split('/').at(-1),
  ].find((one) => one !== undefined && one !== null && IDENTIFIER.test(one));
  if (said) return said;
  const ofMaturin = libraryOf(folder, toml);
  if (ofMaturin !== null) return ofMaturin;
  const plain = name.replaceAll(/[-.]+/g, '_');
  const alike = [plain, plain.toLowerCase(), name.replaceAll('-', '.'), plain.replace(/^(py|python_)/i, '')];
  return alike.find((one) => IDENTIFIER.test(one) && isThere(folder, one)) ?? onlyPackage(folder);
}

/** Without a Python package, the extension is the module. */
function libraryOf(folder: Folder, toml: Json | null): string | null {
  if (textAt(toml, 'build-system', 'build-backend') !== 'maturin' || textAt(toml, 'tool', 'maturin', 'python-source')) return null; // prettier-ignore
  const cargo = tomlOf(folder, textAt(toml, 'tool', 'maturin', 'manifest-path') ?? 'Cargo.toml');
  const name = textAt(cargo, 'lib', 'name') ?? textAt(cargo, 'package', 'name')?.replaceAll('-', '_') ?? '';
  return textAt(toml, 'tool', 'maturin', 'bindings') !== 'bin' && IDENTIFIER.test(name) ? name : null;
}

const isThere = (folder: Folder, module: string): boolean => {
  const path = module.replaceAll('.', '/');
  return ROOTS.some((root) => has(folder, `${root}${path}/__init__.py`) || has(folder, `${root}${path}.py`));
};

function onlyPackage(folder: Folder): string | null {
  const paths = pathsOf(folder).filter((path) => !isLeftOut(path));
  const inRoots = ['src/', 'python/', ''].map((root) =>
    paths.flatMap((path) => new RegExp(`^${root}([A-Za-z_]\\w*)/__init__\\.py$`).exec(path)?.[1] ?? []),
  );
  return inRoots.find((found) => found.length === 1)?.[0] ?? null;
}
