/** The groups of streams: all that stands before a slash in their names, in the order of the alphabet. */
export function groupsOf(names: readonly string[]): readonly string[] {
  const groups = new Set<string>();
  for (const name of names)
    for (let slash = name.indexOf('/'); slash > 0; slash = name.indexOf('/', slash + 1))
      groups.add(name.slice(0, slash));
  return [...groups].sort((one, other) => one.localeCompare(other));
}
