/** The part of `Map` and `Set` that `keepNewest` needs; both have insertion order. */
interface Entries<K> {
  readonly size: number;
  keys(): Iterable<K>;
  delete(key: K): boolean;
}

/** Removes the oldest entries until at most `limit` are left. */
export function keepNewest<K>(entries: Entries<K>, limit: number): void {
  for (const oldest of entries.keys()) {
    if (entries.size <= limit) return;
    entries.delete(oldest);
  }
}

/** Returns the entry of a key, created if it is missing, and makes it the newest of at most `limit` entries. */
export function newestOf<K, V>(entries: Map<K, V>, key: K, limit: number, make: () => V): V {
  const found = entries.get(key) ?? make();
  entries.delete(key);
  entries.set(key, found);
  keepNewest(entries, limit);
  return found;
}
