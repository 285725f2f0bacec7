import { i18n } from './i18n.ts';

/** The same texts in another language: strings may differ, functions take the same parameters. */
export type Translation<T> = T extends string
  ? string
  : T extends (...values: infer V) => infer R
    ? (...values: V) => Translation<R>
    : { readonly [K in keyof T]: Translation<T[K]> };

/**
 * Texts in the language of the desk. Components that read them are drawn again when the language changes.
 *
 * @param name unique key among the messages
 * @param en English texts
 * @param de German texts
 */
export function translated<T extends object>(name: string, en: T, de: Translation<T>): Translation<T> {
  i18n.global.mergeLocaleMessage('en', { [name]: en });
  i18n.global.mergeLocaleMessage('de', { [name]: de });
  return new Proxy(de, { get: (_, key) => Reflect.get(i18n.global.tm(name), key) as unknown });
}
