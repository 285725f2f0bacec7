import { i18n } from './i18n.ts';

/** The same texts in another language: strings may be others; what takes figures or names takes the same ones. */
export type Translation<T> = T extends string
  ? string
  : T extends (...values: infer V) => infer R
    ? (...values: V) => Translation<R>
    : { readonly [K in keyof T]: Translation<T[K]> };

/**
 * Texts that are read in the language of the desk, and change with it where they are read while a component is drawn.
 *
 * @param name what they are called among the messages; no others may be called so
 * @param en the texts in English
 * @param de the same in German
 */
export function translated<T extends object>(name: string, en: T, de: Translation<T>): Translation<T> {
  i18n.global.mergeLocaleMessage('en', { [name]: en });
  i18n.global.mergeLocaleMessage('de', { [name]: de });
  return new Proxy(de, { get: (_, key) => Reflect.get(i18n.global.tm(name), key) as unknown });
}
