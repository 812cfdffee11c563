/** Redacting shorter values would make text unreadable and hide nothing. */
const SHORTEST = 4;
/** Shortest line of a multi-line secret that is redacted alone, so that braces stay. */
const SHORTEST_LINE = 16;
const BYTES_PER_GROUP = 3;
const CHARS_PER_GROUP = 4;

/** Returns all forms in which programs print a secret: plain, JSON, URL, base64, hex, and single lines of a
 * multi-line secret. Longest first, because one form may contain another. */
export function formsOf(secret: string): readonly string[] {
  const bare = secret.trim();
  const lines = bare.includes('\n') ? bare.split('\n').map((line) => line.trim()) : [];
  const all = [
    ...new Set([secret, bare]),
    JSON.stringify(bare).slice(1, -1),
    ...inAddresses(bare),
    ...inBase64(Buffer.from(bare)),
    Buffer.from(bare).toString('hex'),
    Buffer.from(bare).toString('hex').toUpperCase(),
    ...lines.filter((line) => line.length >= SHORTEST_LINE && !line.startsWith('-----')),
  ];
  return [...new Set(all)].filter((form) => form.length >= SHORTEST).sort((a, b) => b.length - a.length);
}

/** Programs differ in which characters they escape, and in the letter case of escapes. */
function inAddresses(secret: string): readonly string[] {
  const text = Buffer.from(secret).toString(); // replaces half surrogate pairs, which encodeURIComponent refuses
  const component = encodeURIComponent(text);
  const strict = component.replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
  const upper = [component, strict, encodeURI(text)];
  const paths = upper.map((form) => form.replaceAll('%2F', '/'));
  const forms = upper.map((form) => form.replaceAll('%20', '+'));
  const all = [...upper, ...paths, ...forms];
  return [...all, ...all.map((form) => form.replace(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase()))];
}

/** Returns base64 forms: alone with and without padding, and inside a longer text at each of three offsets.
 * Characters shared with neighbours are dropped; they reveal too little. */
function inBase64(secret: Buffer): readonly string[] {
  const inside = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), secret]).toString('base64');
    const whole = Math.floor(((before + secret.length) * CHARS_PER_GROUP) / BYTES_PER_GROUP);
    return text.slice(Math.ceil((before * CHARS_PER_GROUP) / BYTES_PER_GROUP), whole);
  });
  const alone = secret.toString('base64');
  const all = [alone, alone.replaceAll('=', ''), ...inside];
  return [...all, ...all.map((form) => form.replaceAll('+', '-').replaceAll('/', '_'))];
}
