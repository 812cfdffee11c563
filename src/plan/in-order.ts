export const inOrder = <P extends { readonly place?: { readonly line?: number; readonly column?: number } }>(
  found: readonly P[],
): P[] =>
  [...found].sort(
    (a, b) => (a.place?.line ?? 0) - (b.place?.line ?? 0) || (a.place?.column ?? 0) - (b.place?.column ?? 0),
  );
