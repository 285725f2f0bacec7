/** What is kept by a key, in the order in which it was put in: a `Map` or a `Set`. */
interface Kept<K> {
  readonly size: number;
  keys(): Iterable<K>;
  delete(key: K): boolean;
}

/** Forgets the oldest until there are no more than `most`. */
export function keepNewest<K>(kept: Kept<K>, most: number): void {
  for (const oldest of kept.keys()) {
    if (kept.size <= most) return;
    kept.delete(oldest);
  }
}

/** What is kept by a key, or is made for it, as the newest of at most so many: what is asked for stays. */
export function newestOf<K, V>(kept: Map<K, V>, key: K, most: number, make: () => V): V {
  const found = kept.get(key) ?? make();
  kept.delete(key);
  kept.set(key, found);
  keepNewest(kept, most);
  return found;
}
