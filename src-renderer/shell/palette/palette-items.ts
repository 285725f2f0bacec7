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
 * Finds items that contain all words of a query in title, hint or text. Order: title starts with the query, a word of the title
 * does, words anywhere start with those of the query, others. An empty query finds all items.
 *
 * @returns at most `limit`
 */
export function searchItems(items: Iterable<PaletteItem>, query: string, limit = MAX_SHOWN): readonly PaletteItem[] {
  const search = query.trim().toLowerCase();
  const words = search.split(/\s+/).filter(Boolean);
  const ranks: [PaletteItem[], PaletteItem[], PaletteItem[], PaletteItem[]] = [[], [], [], []];
  for (const item of items) {
    const title = item.title.toLowerCase();
    const text = `${title}\n${item.hint.toLowerCase()}\n${item.text?.toLowerCase() ?? ''}`;
    if (!words.every((word) => text.includes(word))) continue;
    const rank = title.startsWith(search)
      ? ranks[0]
      : startsWord(title, search)
        ? ranks[1]
        : words.every((word) => startsWord(text, word))
          ? ranks[2]
          : ranks[3];
    if (rank.length < limit) rank.push(item);
  }
  return ranks.flat().slice(0, limit);
}

/** Whether a word of a text starts with `start`: `obs` does not start a word of `jobs`. */
function startsWord(text: string, start: string): boolean {
  for (let at = text.indexOf(start); at >= 0; at = text.indexOf(start, at + 1))
    if (!/[\p{L}\p{N}]/u.test(text[at - 1] ?? ' ')) return true;
  return false;
}
