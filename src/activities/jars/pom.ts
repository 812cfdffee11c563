/** What we read of a POM: its own values only, nothing inherited or computed. */
export interface Pom {
  readonly groupId: string | null;
  readonly artifactId: string | null;
  readonly version: string | null;
  readonly packaging: string;
  readonly modules: readonly string[];
  /** It inherits, or binds goals of its own: only its whole lifecycle builds what its authors meant. */
  readonly ownLifecycle: boolean;
}

/** Reads the direct children of `<project>`; Maven itself reads all the rest. */
export function readPom(xml: string): Pom {
  const children = childrenOf(xml.replace(/<!--[\s\S]*?-->/g, ''));
  const text = (name: string): string | null => children.get(name)?.trim() ?? null;
  const parent = childrenOf(`<project>${children.get('parent') ?? ''}</project>`);
  return {
    groupId: text('groupId') ?? parent.get('groupId')?.trim() ?? null,
    artifactId: text('artifactId'),
    version: text('version') ?? parent.get('version')?.trim() ?? null,
    packaging: text('packaging') ?? 'jar',
    modules: [...(children.get('modules') ?? '').matchAll(/<module>\s*([^<]+?)\s*<\/module>/g)].map(
      (match) => match[1]!,
    ),
    ownLifecycle: children.has('parent') || /<execution>|<extensions>\s*true/.test(children.get('build') ?? ''),
  };
}

/** Inner text of each element one level below the root. */
function childrenOf(xml: string): Map<string, string> {
  const children = new Map<string, string>();
  const open: { name: string; from: number }[] = [];
  for (const match of xml.matchAll(/<(\/?)([A-Za-z][\w.:-]*)(?:\s[^<>]*?)?(\/?)>/g)) {
    const [whole, closing, name, empty] = match;
    if (closing) {
      const last = open.pop();
      if (open.length === 1 && last?.name === name && !children.has(name!))
        children.set(name!, xml.slice(last!.from, match.index));
    } else if (!empty) open.push({ name: name!, from: match.index + whole.length });
  }
  return children;
}
