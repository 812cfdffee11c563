/** Shorter values would make every text unreadable and hide nothing. */
const SHORTEST = 4;
/** Of a line that tells something by itself: one of a key, not a brace. */
const SHORTEST_LINE = 16;
const BYTES_PER_GROUP = 3;
const CHARS_PER_GROUP = 4;

/** Every text in which programs show a secret: as it is, in JSON, in addresses, in base64, in hex; line by line where it has
 * several. Longest first, because one may contain another. */
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

/** What is escaped, and in which letters, differs from program to program. */
function inAddresses(secret: string): readonly string[] {
  const text = Buffer.from(secret).toString(); // a half of a surrogate pair has no place in an address
  const component = encodeURIComponent(text);
  const strict = component.replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
  const upper = [component, strict, encodeURI(text)];
  const paths = upper.map((form) => form.replaceAll('%2F', '/'));
  const forms = upper.map((form) => form.replaceAll('%20', '+'));
  const all = [...upper, ...paths, ...forms];
  return [...all, ...all.map((form) => form.replace(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase()))];
}

/** By itself, with and without padding, and inside something longer: there it begins at one of three places of a group, and
 * the characters that it shares with its neighbours tell too little of it to be worth hiding. */
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
