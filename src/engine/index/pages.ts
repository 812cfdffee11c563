import { hexOf } from '../../model/digest.js';
import type { JsonObject } from '../../model/json.js';
import { OWN_MARK, SIDECAR, STATEMENT } from '../../model/python/index-entry.js';
import { projectOf, versionsOf, type Listed } from './listed.js';

/** Version of the simple API. Source: packaging.python.org/specifications/simple-repository-api. */
const API = '1.4';

/** A document in both formats. The same entries give the same bytes: no page has a time of its own, and keys have a fixed
 * order. */
export interface Page {
  readonly json: string;
  readonly html: string;
}

/** Draws the page of one project.
 * @param listed its wheels, sorted */
export function projectPage(project: string, listed: readonly Listed[]): Page {
  const json = JSON.stringify({
    meta: { 'api-version': API },
    name: project,
    versions: versionsOf(listed),
    files: listed.map(fileOf),
  });
  return { json: `${json}\n`, html: htmlPage(`Links for ${project}`, listed.map(anchorOf)) };
}

/** Draws the list of all projects.
 * @param projects normal names */
export function rootPage(projects: readonly string[]): Page {
  const names = [...new Set(projects)].sort();
  const json = JSON.stringify({ meta: { 'api-version': API }, projects: names.map((name) => ({ name })) });
  return { json: `${json}\n`, html: htmlPage('Simple index', names.map(projectLink)) };
}

/** Link from the root to the page of a project. */
export const projectLink = (name: string): string =>
  `<a href="${escaped(encodeURIComponent(name))}/">${escaped(name)}</a>`;

/** Path from a project's page to a file beside the wheel. */
const urlOf = (file: string): string =>
  `../../files/${encodeURIComponent(projectOf(file))}/${encodeURIComponent(file)}`;

function fileOf({ file, digest, size, requiresPython, metadata, uploadTime, yanked }: Listed): JsonObject {
  const sidecar = { sha256: hexOf(metadata) };
  return {
    filename: file,
    url: urlOf(file),
    hashes: { sha256: hexOf(digest) },
    size,
    'upload-time': uploadTime,
    ...(requiresPython !== null && { 'requires-python': requiresPython }),
    'core-metadata': sidecar,
    'dist-info-metadata': sidecar,
    // An empty text counts as not yanked (PEP 691).
    yanked: yanked === undefined ? false : yanked || true,
    // PEP 740 gives "provenance" another meaning, so ours is a private key.
    _slipway: { statement: urlOf(file) + STATEMENT, metadata: urlOf(file) + SIDECAR },
  };
}

function anchorOf({ file, digest, requiresPython, metadata, yanked }: Listed): string {
  const attributes = [
    `href="${escaped(urlOf(file))}#sha256=${hexOf(digest)}"`,
    ...(requiresPython === null ? [] : [`data-requires-python="${escaped(requiresPython)}"`]),
    `data-core-metadata="sha256=${hexOf(metadata)}"`,
    `data-dist-info-metadata="sha256=${hexOf(metadata)}"`,
    ...(yanked === undefined ? [] : [`data-yanked="${escaped(yanked)}"`]),
  ];
  return `<a ${attributes.join(' ')}>${escaped(file)}</a>`;
}

const htmlPage = (title: string, anchors: readonly string[]): string => `<!DOCTYPE html>
<html>
<head>
<meta charset="utf-8">
<meta name="pypi:repository-version" content="${API}">
${OWN_MARK}
<title>${escaped(title)}</title>
</head>
<body>
<h1>${escaped(title)}</h1>
${anchors.map((anchor) => `${anchor}<br>\n`).join('')}</body>
</html>
`;

const MARKS: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
export const escaped = (text: string): string => text.replace(/[&<>"']/g, (mark) => MARKS[mark]!);
