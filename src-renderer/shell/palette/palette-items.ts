/** Entry of the palette: a destination or an action. */
export interface PaletteItem {
  /** Unique key. */
  readonly key: string;
  readonly title: string;
  /** Text beside the title: the kind of item, or the title of a stream. It is searched as well. */
  readonly hint: string;
  /** Further text that is searched and not shown. */
  readonly text?: string;
  readonly run: () => void;
}

/** Maximum number of items in the list. */
const MAX_SHOWN = 50;

/**
 * Finds items that contain all words of a query in title, hint or text. Order: title starts with the query, title contains it, others.
 * An empty query finds all items.
 *
 * @returns at most `limit`
 */
export function searchItems(items: Iterable<PaletteItem>, query: string, limit = MAX_SHOWN): readonly PaletteItem[] {
  const search = query.trim().toLowerCase();
  const words = search.split(/\s+/).filter(Boolean);
  const ranks: [PaletteItem[], PaletteItem[], PaletteItem[]] = [[], [], []];
  for (const item of items) {
    const title = item.title.toLowerCase();
    const text = `${title}\n${item.hint.toLowerCase()}\n${item.text?.toLowerCase() ?? ''}`;
    if (!words.every((word) => text.includes(word))) continue;
    const rank = title.startsWith(search) ? ranks[0] : title.includes(search) ? ranks[1] : ranks[2];
    if (rank.length < limit) rank.push(item);
  }
  return ranks.flat().slice(0, limit);
}
