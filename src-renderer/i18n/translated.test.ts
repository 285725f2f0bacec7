import { mount } from '@vue/test-utils';
import { afterEach, describe, expect, it } from 'vitest';
import { defineComponent, h, nextTick } from 'vue';
import { formatBitrate, formatBytes } from '../lib/format.ts';
import { formatDate, i18n, type Language } from './i18n.ts';
import { useLanguage, useLanguageChoice } from './language-choice.ts';
import { translated } from './translated.ts';

// Loads all texts of the desk, so that they are registered.
import.meta.glob('../**/*texts.ts', { eager: true });

/** Keys of texts with the type of each: a string, or a function with its number of parameters. */
function shapeOf(texts: unknown, path = ''): string[] {
  if (typeof texts === 'function') return [`${path}(${texts.length})`];
  if (typeof texts !== 'object' || texts === null) return [path];
  return Object.entries(texts).flatMap(([key, value]) => shapeOf(value, `${path}/${key}`));
}

const Desk = defineComponent({
  setup() {
    useLanguage();
    const choice = useLanguageChoice();
    return { choice };
  },
  render: () => h('p', TEXTS.count(2)),
});

const TEXTS = translated(
  'test',
  { count: (count: number) => `${count} streams` },
  { count: (count: number) => `${count} Ströme` },
);

describe('the languages of the desk', () => {
  afterEach(() => {
    i18n.global.locale.value = 'en';
    localStorage.clear();
  });

  it('have the same texts', () => {
    const { en, de } = i18n.global.messages.value;
    expect(shapeOf(de).toSorted()).toEqual(shapeOf(en).toSorted());
    expect(shapeOf(en).length).toBeGreaterThan(800);
  });

  it('are switched without a reload, and the choice is stored', async () => {
    const desk = mount(Desk);
    expect([desk.text(), document.documentElement.lang]).toEqual(['2 streams', 'en']);
    desk.vm.choice = 'de';
    await nextTick();
    await nextTick();
    expect([desk.text(), document.documentElement.lang]).toEqual(['2 Ströme', 'de']);
    expect(localStorage.getItem('airdesk-language')).toBe('de');
  });

  it.each<[Language, string[]]>([
    ['en', ['4.02 Mbit/s', '1.2 MB', 'January 2027']],
    ['de', ['4,02 Mbit/s', '1,2 MB', 'Januar 2027']],
  ])('format numbers and dates: %s', (language, expected) => {
    i18n.global.locale.value = language;
    expect([formatBitrate(4020), formatBytes(1_200_000), formatDate(Date.UTC(2027, 0, 15), 'month')]).toEqual(expected);
  });
});
