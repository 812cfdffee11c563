import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ID_PREFIXES, type IdPrefix } from '../../src/model/id-prefixes.js';
import { FAMILIES } from '../../src/model/proved-records.js';
import { ROOT } from '../support/pages.js';

const POLICY = 'config/s3-policy.json';
const RUN = `runs/${'?'.repeat(36)}`;
interface Policy {
  readonly Statement: readonly { readonly Sid: string; readonly Resource: readonly string[] }[];
}
const { Statement } = JSON.parse(readFileSync(join(ROOT, POLICY), 'utf8')) as Policy;
const refused = Statement.find(({ Sid }) => Sid === 'OnlyControlWritesThese')!.Resource;

/** Returns the lines to add where builders may write records of such names. */
const lacking = (names: readonly string[]): readonly string[] =>
  names
    .map((name) => `arn:aws:s3:::BUCKET/records/${name}*`)
    .filter((line) => !refused.some((one) => one.endsWith('*') && line.startsWith(one.slice(0, -1))))
    .map((line) => `Add the line "${line}" to OnlyControlWritesThese in ${POLICY}.`);

test('given a prefix of ids that control signs, then the policy of an S3 store lets only control write its results', () => {
  const signed = Object.entries<IdPrefix>(ID_PREFIXES).flatMap(([prefix, row]) =>
    row.signedBy === 'control' ? [prefix] : [],
  );
  expect(signed).toEqual(expect.arrayContaining(['seal', 'attest', 'gates', 'publish', 'point']));
  expect(lacking(signed.flatMap((prefix) => [`${RUN}/results/${prefix}`, `${RUN}/results@?/${prefix}`]))).toEqual([]);
});

test('given a family of records that control signs, then the policy of an S3 store lets only control write it', () => {
  const signed = Object.entries(FAMILIES).flatMap(([name, { signer }]) => (signer === 'control' ? [name] : []));
  expect(signed).toEqual(expect.arrayContaining(['approvals', 'indexed-gone', 'runs/rounds']));
  expect(lacking(signed.map((name) => name.replace(/^runs/, RUN)))).toEqual([]);
});

test('given another name, then the line to add is told', () => {
  expect(lacking(['pools', 'indexed-gone', `${RUN}/pools`])).toEqual([
    'Add the line "arn:aws:s3:::BUCKET/records/pools*" to OnlyControlWritesThese in config/s3-policy.json.',
    `Add the line "arn:aws:s3:::BUCKET/records/${RUN}/pools*" to OnlyControlWritesThese in config/s3-policy.json.`,
  ]);
});
