import type { Finding } from '../../model/finding.js';
import { grouped } from '../../model/grouped.js';

/** A path of the builder's machine inside a wheel. */
export interface PathHit {
  readonly member: string;
  /** text: a text file. code: a binary's own data. debug: a binary's debug information. */
  readonly in: 'text' | 'code' | 'debug';
  /** From 1, in text. Null in binaries. */
  readonly line: number | null;
  /** The path, with the builder's folder replaced by a label: `<build environment>/bin/activate`. */
  readonly path: string;
}

/** Returns one finding for each member and sort of place. Wheels with the same defect have the same text. */
export const judgePaths = (hits: readonly PathHit[]): readonly Finding[] =>
  [...grouped(hits, (hit) => `${hit.member}\0${hit.in}`).values()].map(judgeGroup);

function judgeGroup(hits: readonly [PathHit, ...PathHit[]]): Finding {
  const { member, in: place } = hits[0];
  if (place === 'debug') return debugFinding(member, hits);
  if (place === 'code' && hits.every(({ path }) => SOURCE_FILE.test(path))) return sourceFinding(member, hits);
  if (place === 'text' && SBOM.test(member)) return sbomFinding(member, hits);
  const script = /\.data\/scripts\//.test(member);
  return {
    level: 'error',
    code: 'BUILDER_PATH',
    subject: member,
    why: `${named(hits)}; this folder exists only where it was built. ${consequence(member, script, place)}`,
    next: script
      ? 'Make the script find its files at run time (`overlay:` lays a mended one over it), leave it out, or say why it is harmless under `accept: { BUILDER_PATH: … }`.'
      : place === 'code'
        ? 'Compile without the path: `builder: command` with `run: CFLAGS=-ffile-prefix-map=$PWD=. uv build --wheel -o {out}` (CXXFLAGS for C++), or say why it is harmless under `accept: { BUILDER_PATH: … }`.'
        : 'Keep the path out of the build (`env`, `overlay`), or say why it is harmless under `accept: { BUILDER_PATH: … }`.',
  };
}

/** `__FILE__` in an exception, assertion or panic is displayed but never opened. */
const SOURCE_FILE =
  /\.(c|cc|cpp|cxx|c\+\+|cu|cuh|h|hh|hpp|hxx|h\+\+|inc|inl|ipp|tcc|tpp|m|mm|rs|go|swift|zig|d|f|for|f90|f95|f03|f08|pyx|pxd|pxi|java|kt|s|asm|y|l)$/i;

const sourceFinding = (member: string, hits: readonly PathHit[]): Finding => ({
  level: 'note',
  code: 'SOURCE_PATH',
  subject: member,
  why: `${named(hits)}, a source file of the build (\`__FILE__\`); nothing opens it when the code runs`,
  next: 'Leave it, or compile with `-fmacro-prefix-map=$PWD=.` to take the folder out.',
});

/** PEP 770. Tools such as maturin write folders of the build's packages into it. */
const SBOM = /^[^/]+\.dist-info\/sboms\/[^/]+$/;

const sbomFinding = (member: string, hits: readonly PathHit[]): Finding => ({
  level: 'note',
  code: 'SOURCE_PATH',
  subject: member,
  why: `${named(hits)}, identifiers of a bill of materials; nothing opens them`,
  next: 'Leave it: builds on other machines name the same folder.',
});

const debugFinding = (member: string, hits: readonly PathHit[]): Finding => ({
  level: 'note',
  code: 'BUILDER_PATH_IN_DEBUG',
  subject: member,
  why: `its debug information names ${hits[0]!.path}; harmless when it runs, but another folder gives other bytes`,
  next: 'Compile with `-g0` (in CFLAGS with all the other flags: CFLAGS replaces them), or with `-ffile-prefix-map`.',
});

const SHOWN = 3;

function named(hits: readonly PathHit[]): string {
  const texts = hits
    .slice(0, SHOWN)
    .map(({ line, path }) => (line === null ? `names ${path}` : `line ${line} names ${path}`));
  const more = hits.length - texts.length;
  return `${texts.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function consequence(member: string, script: boolean, place: PathHit['in']): string {
  if (script) return `The installed \`${member.split('/').at(-1)}\` command will fail.`;
  return place === 'text' ? 'What reads it there will not find it.' : 'Code that uses it will not find it.';
}
