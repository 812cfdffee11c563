import { short } from '../../model/digest.js';
import type { Report } from '../../model/report.js';
import { plain, table, type Colours } from '../render/paint.js';

/** Returns the lines about published names: digest and address by target, then verifications, then moved pointers. */
export function publishedLines(report: Report, paint: Colours): string[] {
  const targets = [...new Set(report.published.map(({ target }) => target))];
  const verified = report.verified.map(({ target, note }) => `  ${plain(`${target}: ${note}`)}`);
  const pointers = report.pointers.map((pointer) => {
    const to = pointer.digest ? ` → ${short(pointer.digest)}` : '';
    return `  ${plain(`${pointer.target} ${pointer.name}${pointer.moved ? to : ' stays'}  ${pointer.note}`)}`;
  });
  return [
    ...targets.flatMap((target) => ['', paint.bold(`Published to ${plain(target)}`), ...rows(report, target)]),
    ...section('Installed from there and run', verified, paint),
    ...section('Pointers', pointers, paint),
  ];
}

const rows = (report: Report, target: string): string[] =>
  table(
    report.published
      .filter((published) => published.target === target)
      .map(({ name, digest, url }) => [`  ${plain(name)}`, `sha256:${short(digest)}`, plain(url)]),
  );

const section = (title: string, lines: readonly string[], paint: Colours): string[] =>
  lines.length === 0 ? [] : ['', paint.bold(title), ...lines];
