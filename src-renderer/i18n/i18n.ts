import { createI18n } from 'vue-i18n';

/** Languages of the desk. */
export type Language = 'en' | 'de';

const figures = {
  fixed0: { maximumFractionDigits: 0, useGrouping: false },
  fixed1: { minimumFractionDigits: 1, maximumFractionDigits: 1, useGrouping: false },
  fixed2: { minimumFractionDigits: 2, maximumFractionDigits: 2, useGrouping: false },
} as const;

/** Date formats of each language; times always use the 24-hour clock. */
const dates = {
  month: { year: 'numeric', month: 'long' },
  minute: { hour: '2-digit', minute: '2-digit', hour12: false },
} as const;

/** Source of all texts, numbers and dates of the desk. `translated` adds the texts. */
export const i18n = createI18n({
  legacy: false,
  locale: 'en',
  fallbackLocale: 'en',
  messages: { en: {}, de: {} },
  numberFormats: { en: figures, de: figures },
  datetimeFormats: { en: dates, de: dates },
});

/** Formats a number with a fixed number of decimals: `4.02`, `4,02`. */
export function formatFixed(value: number, decimals: 0 | 1 | 2): string {
  return i18n.global.n(value, `fixed${decimals}`);
}

/** Formats a number with at most `decimals` decimals. */
export function formatFigure(value: number, decimals = 2): string {
  return new Intl.NumberFormat(i18n.global.locale.value, { maximumFractionDigits: decimals }).format(value);
}

/** Formats a local date or time: its month with the year, or hour and minute. */
export function formatDate(epochMs: number, part: keyof typeof dates): string {
  return i18n.global.d(epochMs, part);
}
