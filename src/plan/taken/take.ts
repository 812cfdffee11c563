/** Parsed key `take`. */
export type Take =
  | { readonly kind: 'source' }
  | { readonly kind: 'commit'; readonly commit: string; readonly owner: string | null }
  | { readonly kind: 'short'; readonly hash: string }
  | { readonly kind: 'branch'; readonly branch: string; readonly owner: string | null }
  | { readonly kind: 'latest' }
  | { readonly kind: 'address'; readonly address: string; readonly commit: string | null }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'store'; readonly release: string };

const COMMIT = /^[0-9a-f]{40}$/;
const SHORT = /^[0-9a-f]{7,39}$/;
const BRANCH = /^(?!.*\.\.)[A-Za-z0-9][A-Za-z0-9._/+-]*$/;
const OWNED = /^([A-Za-z0-9][A-Za-z0-9._-]*):(.+)$/;
/** URL of a branch on a repository host: `https://host/owner/name/tree/branch`. */
const TREE = /^https?:\/\/[^/]+\/([^/]+)\/[^/]+\/tree\/([^?#]+)$/;

/** Parses `take`. Null if it has none of the forms. */
export function readTake(text: string): Take | null {
  if (text === '') return { kind: 'source' };
  if (text === 'latest') return { kind: 'latest' };
  const tree = TREE.exec(text);
  if (tree) return branchOf(tree[2]!, tree[1]!);
  if (/^(https?|s3):\/\//.test(text)) return addressOf(text);
  if (text.startsWith('file:')) return fileOf(text.slice('file:'.length).replace(/^\/\/(?=\/)/, ''));
  const store = /^store: ?([A-Za-z0-9][A-Za-z0-9._-]*)$/.exec(text);
  if (store) return { kind: 'store', release: store[1]! };
  const owned = OWNED.exec(text);
  const [owner, name] = owned ? [owned[1]!, owned[2]!] : [null, text];
  if (COMMIT.test(name)) return { kind: 'commit', commit: name, owner };
  if (owner === null && SHORT.test(name)) return { kind: 'short', hash: name };
  return branchOf(name, owner);
}

const branchOf = (branch: string, owner: string | null): Take | null =>
  BRANCH.test(branch) ? { kind: 'branch', branch, owner } : null;

/** The address of a wheel, or of a folder of wheels. A user or a query may hold a secret, and a plan holds none. */
const ADDRESS = /^(?:https?|s3):\/\/[^\s/?#@]+\/[^\s?#]*$/;

const addressOf = (address: string): Take | null =>
  ADDRESS.test(address) && /(\.whl|\/)$/.test(address)
    ? { kind: 'address', address, commit: /\/([0-9a-f]{40})(?=\/)/.exec(address)?.[1] ?? null }
    : null;

const fileOf = (path: string): Take | null => (path.endsWith('.whl') ? { kind: 'file', path } : null);
