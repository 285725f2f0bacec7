/** Whether a name of path segments is one of some prefixes, or lies below one. */
export function isBelowAny(prefixes: readonly string[], name: string): boolean {
  return prefixes.some((prefix) => name === prefix || name.startsWith(`${prefix}/`));
}
