import { translated } from '../i18n/translated.ts';
import { CONFIG_DETAILS_DE } from './config-texts-de.ts';
import { CONFIG_DETAILS_EN } from './config-texts.ts';
import { DETAILS, DETAILS_EN } from './detail-texts.ts';
import { systemFault } from './system-faults.ts';

/** Maximum length of a translated text; longer texts come from other programs and are shown unchanged. */
const MAX_CHARS = 500;
const PARTS = translated(
  'detailParts',
  { input: (number: string) => `input ${number}` },
  { input: (number: string) => `Eingang ${number}` },
);
const CONFIG_DETAILS = translated('configDetails', CONFIG_DETAILS_EN, CONFIG_DETAILS_DE);
/** Prefix with the number of the input, and suffix with its address. */
const OF_INPUT = /^input (\d+): ([^\n]+)$/;
const OF_PEER = /^([^\n]+) (\([\d.]+:\d+\)|\([\da-f:[\]]+\))$/;

/** Translates a detail of the server into the language of the desk; other texts stay as they are. */
export const detailText: (text: string) => string = translator(DETAILS_EN, DETAILS, (text) => {
  const [, input, rest] = OF_INPUT.exec(text) ?? [];
  if (input !== undefined && rest !== undefined) return `${PARTS.input(input)}: ${detailText(rest)}`;
  const [, words, peer] = OF_PEER.exec(text) ?? [];
  return words === undefined || peer === undefined ? systemFault(text) : `${detailText(words)} ${peer}`;
});

/** Translates a sentence about the configuration text into the language of the desk. */
export const configText = translator(CONFIG_DETAILS_EN, CONFIG_DETAILS, () => undefined);

/**
 * Creates a function that finds the sentence of a table which a text matches, and translates it. Values in place of `*` are
 * translated too, and so is each sentence of a list separated by `; `.
 *
 * @param special translates texts outside the table; undefined for all others
 */
function translator<N extends string>(
  english: Readonly<Record<N, string>>,
  texts: Readonly<Record<N, string>>,
  special: (text: string) => string | undefined,
): (text: string) => string {
  // The keys of the table are exactly its key type.
  const patterns = (Object.entries(english) as [N, string][]).map(([name, sentence]) => {
    const parts = sentence.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    return { name, pattern: new RegExp(`^${parts.join('([^\\n]+?)')}$`) };
  });
  const translate = (text: string): string => {
    if (text.length > MAX_CHARS) return text;
    for (const { name, pattern } of patterns) {
      const found = pattern.exec(text);
      if (!found) continue;
      let at = 1;
      return texts[name].replace(/\*/g, () => translate(found[at++] ?? ''));
    }
    const known = special(text);
    if (known !== undefined) return known;
    const end = text.indexOf('; ');
    return end === -1 ? text : `${translate(text.slice(0, end))}; ${translate(text.slice(end + 2))}`;
  };
  return translate;
}
