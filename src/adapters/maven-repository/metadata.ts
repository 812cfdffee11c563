import type { Coordinates } from './coordinates.js';

export const versionsIn = (xml: string): readonly string[] =>
  [...xml.matchAll(/<version>\s*([^<\s]+)\s*<\/version>/g)].map(([, version]) => version!);

/** Renders `maven-metadata.xml`. `release` and `latest` are `newest`, not the latest upload.
 * @param at UTC, `yyyyMMddHHmmss` */
export function metadata(of: Coordinates, versions: readonly string[], newest: string, at: string): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<metadata>',
    `  <groupId>${of.groupId}</groupId>`,
    `  <artifactId>${of.artifactId}</artifactId>`,
    '  <versioning>',
    `    <latest>${newest}</latest>`,
    `    <release>${newest}</release>`,
    '    <versions>',
    ...versions.map((version) => `      <version>${version}</version>`),
    '    </versions>',
    `    <lastUpdated>${at}</lastUpdated>`,
    '  </versioning>',
    '</metadata>',
    '',
  ].join('\n');
}

/** Returns a UTC time as `lastUpdated` of maven-metadata.xml has it: `20261121093000`. */
export const stamp = (time: Date): string => time.toISOString().replace(/\D/g, '').slice(0, 14);
