import { translated } from '../i18n/translated.ts';
import { CONFIG_DETAILS_DE } from './config-texts-de.ts';
import { CONFIG_DETAILS_EN } from './config-texts.ts';

/** Maximum length of a translated text; longer texts come from other programs and are shown unchanged. */
const MAX_CHARS = 500;
const CONFIG_DETAILS = translated('configDetails', CONFIG_DETAILS_EN, CONFIG_DETAILS_DE);

const PATTERNS = Object.entries(CONFIG_DETAILS_EN).map(([name, sentence]) => {
  const parts = sentence.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  // The keys of the table are exactly its key type.
  return { name: name as keyof typeof CONFIG_DETAILS_EN, pattern: new RegExp(`^${parts.join('([^\\n]+?)')}$`) };
});

/**
 * Translates a sentence about the configuration text into the language of the desk, together with the values in place of `*`,
 * and with each sentence of a list separated by `; `.
 */
export function configText(text: string): string {
  if (text.length > MAX_CHARS) return text;
  for (const { name, pattern } of PATTERNS) {
    const found = pattern.exec(text);
    if (!found) continue;
    let at = 1;
    return CONFIG_DETAILS[name].replace(/\*/g, () => configText(found[at++] ?? ''));
  }
  const end = text.indexOf('; ');
  return end === -1 ? text : `${configText(text.slice(0, end))}; ${configText(text.slice(end + 2))}`;
}
