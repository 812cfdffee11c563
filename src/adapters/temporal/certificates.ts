import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Name that certificates of a Temporal server have beside its addresses. */
export const SERVER_NAME = 'temporal';

/** Returns whose certificate is over, and since when. Null if it is not, or cannot be read: the server says what it lacks. */
export function expiry(crt: Buffer, nowMs: number): string | null {
  try {
    const { subject, validTo } = new X509Certificate(crt);
    return Date.parse(validTo) <= nowMs ? `${subject} expired on ${validTo}` : null;
  } catch {
    return null;
  }
}

/** Returns what is wrong with the certificate NAME of a home's door, or null. */
export function certificateFault(folder: string, name: string, nowMs: number): string | null {
  try {
    const [ca, own] = ['ca', name].map((one) => new X509Certificate(readFileSync(join(folder, `${one}.pem`))));
    const key = createPrivateKey(readFileSync(join(folder, `${name}.key`)));
    for (const { validTo, subject } of [ca!, own!])
      if (Date.parse(validTo) <= nowMs) return `the certificate ${subject} in ${folder} expires on ${validTo}`;
    if (!own!.verify(ca!.publicKey) || !own!.checkPrivateKey(key))
      return `${join(folder, `${name}.pem`)} is not of this home: it fits neither ca.pem nor ${name}.key`;
    return null;
  } catch (error) {
    return `a certificate in ${folder} cannot be read: ${(error as Error).message}`;
  }
}
