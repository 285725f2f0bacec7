import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { StreamOrder } from './stream-order.ts';

function placesOf(places: StreamOrder, names: readonly string[]): Record<string, number> {
  return Object.fromEntries(places.of(new Map(names.map((name) => [name, true]))));
}

describe('places', () => {
  it('are those in the file', () => {
    expect(placesOf(new StreamOrder(), ['b', 'a', 'c'])).toEqual({ b: 0, a: 1, c: 2 });
  });

  it('stay when others go and come at the end', () => {
    const places = new StreamOrder();
    placesOf(places, ['a', 'b', 'c']);
    expect(placesOf(places, ['b', 'c'])).toEqual({ b: 1, c: 2 });
    expect(placesOf(places, ['b', 'c', 'd'])).toEqual({ b: 1, c: 2, d: 3 });
    expect(placesOf(places, ['b', 'c', 'd', 'a'])).toEqual({ b: 1, c: 2, d: 3, a: 4 });
  });

  it('begin anew with another order', () => {
    const places = new StreamOrder();
    placesOf(places, ['a', 'b', 'c']);
    expect(placesOf(places, ['a', 'new', 'b', 'c'])).toEqual({ a: 0, new: 1, b: 2, c: 3 });
    expect(placesOf(places, ['c', 'b'])).toEqual({ c: 0, b: 1 });
  });

  it('are different for every stream and rise with the file, whatever is done to it', () => {
    const names = fc.shuffledSubarray(['a', 'b', 'c', 'd', 'e', 'f']);
    fc.assert(
      fc.property(fc.array(names, { maxLength: 8 }), (files) => {
        const places = new StreamOrder();
        for (const file of files) {
          const values = Object.entries(placesOf(places, file)).map(
            ([name, place]) => [file.indexOf(name), place] as const,
          );
          const rising = values.toSorted(([a], [b]) => a - b).map(([, place]) => place);
          expect(rising.every((place, index) => index === 0 || place > (rising[index - 1] ?? 0))).toBe(true);
        }
      }),
    );
  });
});
