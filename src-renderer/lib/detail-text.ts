import { DETAILS, DETAILS_EN } from './detail-texts.ts';

type Detail = keyof typeof DETAILS_EN;

/** Longer texts are of other programs, and are shown as they are. */
const MOST_CHARS = 500;
const PATTERNS = Object.entries(DETAILS_EN).map(([name, english]) => {
  const parts = english.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  // The keys of the table are its key type.
  return { name: name as Detail, pattern: new RegExp(`^${parts.join('([^\\n]+?)')}$`) };
});
/** Which input it is of, before what it says. */
const OF_INPUT = /^(input \d+): ([^\n]+)$/;

/** What the server says in detail, in the language of the desk where it is one of its own sentences; else as it is. */
export function detailText(text: string): string {
  if (text.length > MOST_CHARS) return text;
  const [, input, rest] = OF_INPUT.exec(text) ?? [];
  if (input !== undefined && rest !== undefined) return `${input}: ${detailText(rest)}`;
  for (const { name, pattern } of PATTERNS) {
    const found = pattern.exec(text);
    if (!found) continue;
    let at = 1;
    return DETAILS[name].replace(/\*/g, () => detailText(found[at++] ?? ''));
  }
  return text;
}
