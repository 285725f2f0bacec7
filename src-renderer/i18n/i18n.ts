import { createI18n } from 'vue-i18n';

/** Languages of the desk. */
export type Language = 'en' | 'de';

const figures = {
  fixed0: { maximumFractionDigits: 0, useGrouping: false },
  fixed1: { minimumFractionDigits: 1, maximumFractionDigits: 1, useGrouping: false },
  fixed2: { minimumFractionDigits: 2, maximumFractionDigits: 2, useGrouping: false },
} as const;

/** Days and months as each language writes them; the time of a day has 24 hours everywhere. */
const dates = {
  // With a name, so that no month can be taken for a day.
  day: { year: 'numeric', month: 'short', day: 'numeric' },
  month: { year: 'numeric', month: 'long' },
  minute: { hour: '2-digit', minute: '2-digit', hour12: false },
} as const;

/** What all texts, figures and dates of the desk are taken from. Texts come in through `translated`. */
export const i18n = createI18n({
  legacy: false,
  locale: 'en',
  fallbackLocale: 'en',
  messages: { en: {}, de: {} },
  numberFormats: { en: figures, de: figures },
  datetimeFormats: { en: dates, de: dates },
});

/** A figure with as many decimals as wanted, as the language writes it: `4.02`, `4,02`. */
export function formatFixed(value: number, decimals: 0 | 1 | 2): string {
  return i18n.global.n(value, `fixed${decimals}`);
}

/** A moment in the zone of this machine as the language writes it: its day, its month with the year, or hour and minute. */
export function formatDate(epochMs: number, part: keyof typeof dates): string {
  return i18n.global.d(epochMs, part);
}
