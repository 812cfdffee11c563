import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { compileFunction } from 'node:vm';
import { transformSync } from '@swc/core';
import type { Engine } from './a-play.js';

const SOURCES = join(__dirname, '../../src');
const outside = createRequire(__filename);

/** A bug: one piece of the engine's source in place of another. */
export interface Bug {
  /** `run/run-graph.ts`. */
  readonly file: string;
  /** Stands there once. */
  readonly text: string;
  readonly instead: string;
}

/** The scheduler of src/engine, loaded anew with a bug in it; null: as it is. */
export function engineWith(bug: Bug | null): Engine {
  const loaded = new Map<string, { exports: unknown }>();
  const load = (path: string): unknown => {
    const known = loaded.get(path);
    if (known) return known.exports;
    const module = { exports: {} };
    loaded.set(path, module);
    const isMutated = bug !== null && path === join(SOURCES, 'engine', bug.file);
    const code = compiled(isMutated ? mutated(readFileSync(path, 'utf8'), bug) : readFileSync(path, 'utf8'), path);
    const run = compileFunction(code, ['require', 'module', 'exports']) as (...of: unknown[]) => void;
    run((name: string) => required(name, path), module, module.exports);
    return module.exports;
  };
  const required = (name: string, from: string): unknown =>
    name.startsWith('.') ? load(join(dirname(from), name.replace(/\.js$/, '.ts'))) : outside(name);
  return (load(join(SOURCES, 'engine/run/scheduler.ts')) as { readonly Scheduler: Engine }).Scheduler;
}

/** A bug that cannot be put in any more proves nothing. */
function mutated(source: string, { file, text, instead }: Bug): string {
  const count = source.split(text).length - 1;
  if (count === 1) return source.replace(text, () => instead);
  throw new Error(`src/engine/${file} holds \`${text}\` ${count} times: put the bug in where the engine does this now`);
}

const codes = new Map<string, string>();

function compiled(source: string, path: string): string {
  const known = codes.get(source);
  if (known !== undefined) return known;
  const { code } = transformSync(source, {
    filename: relative(SOURCES, path),
    swcrc: false,
    jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
    module: { type: 'commonjs' },
  });
  codes.set(source, code);
  return code;
}
