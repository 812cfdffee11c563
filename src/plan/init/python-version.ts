import { at, has, inFolder, listAt, matched, textAt, textOf, tomlOf, type Folder } from './lookup.js';
import type { VersionFact } from './project.js';
import type { Json } from '../../model/json.js';
import { compileExpression } from '../../model/schema/expression.js';

const VERSION = /^[A-Za-z0-9][A-Za-z0-9._+-]*$/;

/** Reads a version from a file of the commit. Null if the expression does not find it, or finds no version.
 * @param match matches at lines; its first group is the version */
export function versionIn(folder: Folder, file: string, match: string, wanted?: string): VersionFact | null {
  const text = textOf(folder, file);
  const value = text === null ? null : (compileExpression(match, { lines: true }).match(text)?.[1] ?? null);
  if (value === null || !VERSION.test(value) || (wanted !== undefined && value !== wanted)) return null;
  return { value, from: { file, match } };
}

const KEY = '^version\\s*=\\s*["\']([^"\']+)["\']';
const DUNDER = '^__version__\\s*(?::\\s*\\w+\\s*)?=\\s*["\']([^"\']+)["\']';

/** Returns the version of a Python project. Null if no file states it. */
export function pythonVersion(folder: Folder, backend: string, module: string | null): VersionFact | null {
  const toml = tomlOf(folder, 'pyproject.toml');
  const written = textAt(toml, 'project', 'version') ?? textAt(toml, 'tool', 'poetry', 'version');
  if (written !== null && written !== '0.0.0') return inToml(folder, 'pyproject.toml', written);
  return (
    (backend === 'maturin' ? cargoVersion(folder, toml) : null) ??
    byBackend(folder, toml) ??
    bySetup(folder) ??
    (usesTags(toml, folder) ? null : byModule(folder, module)) ??
    byTags(folder)
  );
}

/** Tries the simplest expression first. */
const inToml = (folder: Folder, file: string, value: string): VersionFact | null =>
  ['^version = "([^"]+)"', KEY].map((match) => versionIn(folder, file, match, value)).find((one) => one !== null) ??
  literal(value);

const literal = (value: string): VersionFact | null => (VERSION.test(value) ? { value } : null);

function cargoVersion(folder: Folder, toml: Json | null): VersionFact | null {
  const file = textAt(toml, 'tool', 'maturin', 'manifest-path') ?? 'Cargo.toml';
  for (const manifest of [file, 'Cargo.toml']) {
    const cargo = tomlOf(folder, manifest);
    const value = textAt(cargo, 'package', 'version') ?? textAt(cargo, 'workspace', 'package', 'version');
    if (value === null) continue;
    // Cargo writes 1.0.0-rc.1, and a wheel 1.0.0rc1.
    if (value.includes('-'))
      return literal(
        value.replace(
          /-(alpha|beta|rc)\.?(\d+)$/,
          (_, word: string, n: string) => `${word === 'rc' ? 'rc' : word[0]}${n}`,
        ),
      );
    return inToml(folder, manifest, value);
  }
  return null;
}

function byBackend(folder: Folder, toml: Json | null): VersionFact | null {
  const attribute = textAt(toml, 'tool', 'setuptools', 'dynamic', 'version', 'attr');
  const files = [
    textAt(toml, 'tool', 'hatch', 'version', 'path'),
    textAt(toml, 'tool', 'pdm', 'version', 'path'),
    textAt(toml, 'tool', 'scikit-build', 'metadata', 'version', 'input'),
    ...(attribute === null ? [] : filesOfAttribute(attribute)),
  ];
  const found = files.flatMap((file) => (file === null ? [] : [inPython(folder, file)])).find((one) => one !== null);
  const plain = textAt(toml, 'tool', 'setuptools', 'dynamic', 'version', 'file');
  return found ?? (plain === null ? null : versionIn(folder, plain, '^(\\S+)')) ?? null;
}

/** Files that may define `pkg.sub.__version__`. */
function filesOfAttribute(attribute: string): readonly string[] {
  const path = attribute.split('.').slice(0, -1).join('/');
  return [`${path}.py`, `${path}/__init__.py`, `src/${path}.py`, `src/${path}/__init__.py`];
}

const inPython = (folder: Folder, file: string): VersionFact | null =>
  versionIn(folder, file, DUNDER) ?? versionIn(folder, file, '^(?:VERSION|version)\\s*=\\s*["\']([^"\']+)["\']');

function bySetup(folder: Folder): VersionFact | null {
  const cfg = matched(textOf(folder, 'setup.cfg'), /^\[metadata\][^[]*?^version\s*=\s*(\S.*)$/m);
  const attribute = /^attr:\s*([\w.]+)/.exec(cfg ?? '')?.[1];
  const file = /^file:\s*(\S+)/.exec(cfg ?? '')?.[1];
  if (attribute) return filesOfAttribute(attribute).map((one) => inPython(folder, one)).find((one) => one !== null) ?? null; // prettier-ignore
  if (file) return versionIn(folder, file, '^(\\S+)');
  if (cfg !== null) return versionIn(folder, 'setup.cfg', '^version\\s*=\\s*(\\S+)', cfg) ?? literal(cfg);
  return versionIn(folder, 'setup.py', '^[ \\t]*version\\s*=\\s*["\']([^"\']+)["\']');
}

/** Reads the version from the package itself. */
function byModule(folder: Folder, module: string | null): VersionFact | null {
  const path = module?.replaceAll('.', '/');
  const places = path === undefined ? [] : [path, `src/${path}`, `python/${path}`];
  const files = places.flatMap((place) =>
    ['__init__', '_version', 'version', '__about__'].map((name) => `${place}/${name}.py`),
  );
  const found = [...files, ...(path === undefined ? [] : [`${path}.py`, `src/${path}.py`])]
    .map((file) => inPython(folder, file))
    .find((one) => one !== null);
  return found ?? (has(folder, 'VERSION') ? versionIn(folder, 'VERSION', '^(\\S+)') : null);
}

/** Whether a git tag is the version. An exported commit has no tags, so a variable passes it. */
export function usesTags(toml: Json | null, folder: Folder): boolean {
  const requires = (listAt(toml, 'build-system', 'requires') ?? []).join(' ');
  return (
    /setuptools[_-]scm|hatch-vcs|setuptools-git|versioningit|versioneer|dunamai|dynamic-versioning/i.test(requires) ||
    at(toml, 'tool', 'setuptools_scm') !== undefined ||
    textAt(toml, 'tool', 'hatch', 'version', 'source') === 'vcs' ||
    textAt(toml, 'tool', 'pdm', 'version', 'source') === 'scm' ||
    /setuptools_scm|use_scm_version/.test(textOf(folder, 'setup.py') ?? '')
  );
}

/** Returns the newest tag, or the version in the metadata of an unpacked sdist. */
export function byTags(folder: Folder): VersionFact | null {
  const info = matched(textOf(folder, 'PKG-INFO'), /^Version: (\S+)$/m);
  if (info !== null) return { value: info, doubt: `as ${inFolder(folder, 'PKG-INFO')} says` };
  const tags = folder.checkout.git?.tags ?? [];
  const tag = tags.map((one) => [one, /^(?:.*[^\d.])?v?(\d+(?:\.\d+)+\S*)$/.exec(one)?.[1]] as const).find(([, value]) => value && VERSION.test(value)); // prettier-ignore
  return tag === undefined ? null : { value: tag[1]!, doubt: `as the newest tag says, ${tag[0]}` };
}
