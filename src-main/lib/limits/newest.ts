/** A `Map` or a `Set`, in insertion order. */
interface Kept<K> {
  readonly size: number;
  keys(): Iterable<K>;
  delete(key: K): boolean;
}

/** Removes the oldest entries until at most `most` are left. */
export function keepNewest<K>(kept: Kept<K>, most: number): void {
  for (const oldest of kept.keys()) {
    if (kept.size <= most) return;
    kept.delete(oldest);
  }
}

/** Entry of a key, created if it is missing, as the newest of at most `most` entries: recently used entries stay. */
export function newestOf<K, V>(kept: Map<K, V>, key: K, most: number, make: () => V): V {
  const found = kept.get(key) ?? make();
  kept.delete(key);
  kept.set(key, found);
  keepNewest(kept, most);
  return found;
}
