/** A place to go to or a thing to do. */
export interface PaletteItem {
  /** Distinguishes it from the others. */
  readonly key: string;
  readonly title: string;
  /** What is beside the title: what kind of item it is, or the title of a stream. It is searched as well. */
  readonly hint: string;
  readonly run: () => void;
}

/** Items that the list shows at most. */
const MAX_SHOWN = 50;

/**
 * Items that have all words of a query in their title or hint: those whose title begins with the query first, then those that have it in the title,
 * then the others, each in their order. All of them for an empty query.
 *
 * @returns at most 50
 */
export function searchItems(items: Iterable<PaletteItem>, query: string): readonly PaletteItem[] {
  const wanted = query.trim().toLowerCase();
  const words = wanted.split(/\s+/).filter(Boolean);
  const ranks: [PaletteItem[], PaletteItem[], PaletteItem[]] = [[], [], []];
  for (const item of items) {
    const title = item.title.toLowerCase();
    const text = `${title}\n${item.hint.toLowerCase()}`;
    if (!words.every((word) => text.includes(word))) continue;
    const rank = title.startsWith(wanted) ? ranks[0] : title.includes(wanted) ? ranks[1] : ranks[2];
    if (rank.length < MAX_SHOWN) rank.push(item);
  }
  return ranks.flat().slice(0, MAX_SHOWN);
}
