/** Groups of streams, sorted: the part of a name before a slash. */
export function groupsOf(names: readonly string[]): readonly string[] {
  const groups = new Set<string>();
  for (const name of names)
    for (let slash = name.indexOf('/'); slash > 0; slash = name.indexOf('/', slash + 1))
      groups.add(name.slice(0, slash));
  return [...groups].sort((one, other) => one.localeCompare(other));
}

/** True if a stream belongs to a group: the part of its name before a slash. */
export function isInGroup(name: string, group: string): boolean {
  return name.startsWith(`${group}/`);
}

/** Filter of the wall. */
interface WallFilter {
  readonly group: string | null;
  /** Words that must all occur in name or title, case-insensitive. */
  readonly find: string;
  readonly titles: ReadonlyMap<string, string>;
}

/** Names that match a filter. */
export function filtered(names: readonly string[], { group, find, titles }: WallFilter): readonly string[] {
  const words = find
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (group === null && words.length === 0) return names;
  return names.filter((name) => {
    const text = `${name} ${titles.get(name) ?? ''}`.toLowerCase();
    return (group === null || isInGroup(name, group)) && words.every((word) => text.includes(word));
  });
}
