import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from '@swc/core';
import { atMost, row } from './rows.mjs';

/** Lines per file and per function of the sources. */
export async function sizes({ root }) {
  const files = execFileSync('git', ['ls-files', 'src/*.ts'], { cwd: root, encoding: 'utf8' }).trim().split('\n');
  const texts = files.map((file) => readFileSync(join(root, file), 'utf8'));
  return [
    ...spread('a source file', texts.map(linesOf), [70, 250, 400]),
    ...spread('a function', texts.flatMap(functionsOf), [null, 40, null]),
  ];
}

function spread(what, numbers, wanted) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
  return [at(0.5), at(0.95), sorted.at(-1)].map((lines, index) =>
    row(`lines of ${what}, ${['median', 'p95', 'longest'][index]}`, lines, 'lines', {
      goal: wanted[index] && atMost(wanted[index]),
    }),
  );
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
