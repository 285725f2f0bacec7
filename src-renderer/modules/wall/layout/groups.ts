/** The groups of streams: all that stands before a slash in their names, in the order of the alphabet. */
export function groupsOf(names: readonly string[]): readonly string[] {
  const groups = new Set<string>();
  for (const name of names)
    for (let slash = name.indexOf('/'); slash > 0; slash = name.indexOf('/', slash + 1))
      groups.add(name.slice(0, slash));
  return [...groups].sort((one, other) => one.localeCompare(other));
}

/** Whether a stream belongs to a group: the group is what stands before a slash of its name. */
export function isInGroup(name: string, group: string): boolean {
  return name.startsWith(`${group}/`);
}

/** What is looked for on the wall. */
interface WallFilter {
  readonly group: string | null;
  /** Words, each of which stands in name or title, in capitals or not. */
  readonly find: string;
  readonly titles: ReadonlyMap<string, string>;
}

/** The names that a filter leaves. */
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
