import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from '@swc/core';

const spread = (numbers) => {
  const sorted = [...numbers].sort((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
  return `${at(0.5)}/${at(0.95)}/${sorted.at(-1)}`;
};

/** Lines per file and per function of the sources: median/p95/max. */
export function sizes({ root, tell }) {
  const files = execFileSync('git', ['ls-files', 'src/*.ts'], { cwd: root, encoding: 'utf8' }).trim().split('\n');
  const texts = files.map((file) => readFileSync(join(root, file), 'utf8'));
  tell(`lines per file, ${files.length} files`, spread(texts.map(linesOf)), 'median/p95/max; 70/250/400 wanted');
  const functions = texts.flatMap(functionsOf);
  tell(`lines per function, ${functions.length} functions`, spread(functions), 'median/p95/max; p95 40 wanted');
}

const linesOf = (text) => text.trimEnd().split('\n').length;

/** Lengths in lines of declared functions, methods and constants that are functions. */
function functionsOf(text) {
  const bytes = Buffer.from(text);
  const tree = parseSync(text, { syntax: 'typescript' });
  const start = tree.span.start;
  const found = [];
  const visit = (node) => {
    if (node === null || typeof node !== 'object') return;
    if (Array.isArray(node)) return node.forEach(visit);
    const isFunction =
      ['FunctionDeclaration', 'ClassMethod', 'Constructor'].includes(node.type) ||
      (node.type === 'VariableDeclarator' && /^(ArrowFunction|Function)Expression$/.test(node.init?.type ?? ''));
    if (isFunction) {
      const span = node.span ?? node.function.span;
      found.push(linesOf(bytes.subarray(span.start - start, span.end - start).toString('utf8')));
    }
    Object.values(node).forEach(visit);
  };
  visit(tree.body);
  return found;
}
