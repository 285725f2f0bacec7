import { expect, it } from 'vitest';
import { desktopTexts } from './desktop-texts.ts';

it.each([
  ['de', 'de'],
  ['de-AT', 'de'],
  ['DE-de', 'de'],
  ['en-GB', 'en'],
  ['den', 'en'],
  ['', 'en'],
])('desktop texts for the locale %j have the language %s', (locale, language) => {
  expect(desktopTexts(locale).language).toBe(language);
});

it('desktop texts are different in both languages', () => {
  const [en, de] = [desktopTexts('en'), desktopTexts('de')];
  const same = Object.entries(en).filter(
    ([key, text]) => typeof text === 'string' && de[key as keyof typeof de] === text,
  );
  expect(same).toEqual([]);
  expect([de.onAir(1), de.onAir(3)]).toEqual(['1 Stream ist auf Sendung', '3 Streams sind auf Sendung']);
});
