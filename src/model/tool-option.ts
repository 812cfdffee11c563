/** Splits `--name value` or `--name=value`. */
export function optionOf(text: string): { readonly name: string; readonly value: string | null } {
  const [, name, value] = /^([^\s=]+)(?:=|\s+)?(.*)$/s.exec(text.trim()) ?? [];
  return { name: name ?? '', value: value === undefined || value === '' ? null : value };
}
