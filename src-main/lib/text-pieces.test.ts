import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonPieces } from './text-pieces.ts';

async function joined(pieces: AsyncIterable<string>): Promise<string[]> {
  const texts: string[] = [];
  for await (const text of pieces) texts.push(text);
  return texts;
}

describe('jsonPieces', () => {
  it('returns the same text as JSON.stringify', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.jsonValue()), async (items) => {
        expect((await joined(jsonPieces(items, (item) => JSON.stringify(item)))).join('')).toBe(JSON.stringify(items));
      }),
    );
  });

  it('starts and ends with the given texts', async () => {
    expect(await joined(jsonPieces([], String, { before: '{"sessions":[', after: ']}' }))).toEqual(['{"sessions":[]}']);
  });

  it('returns pieces of limited length, and yields between them', async () => {
    let turns = 0;
    let isOver = false;
    const turn = (): void => {
      turns++;
      if (!isOver) setImmediate(turn);
    };
    setImmediate(turn);
    const pieces = await joined(
      jsonPieces(
        Array.from({ length: 3000 }, (_, index) => index),
        (index) => JSON.stringify({ index, text: 'x'.repeat(1000) }),
      ),
    );
    isOver = true;
    expect(JSON.parse(pieces.join(''))).toHaveLength(3000);
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(70_000);
    expect(turns).toBeGreaterThan(pieces.length / 2);
  });

  it('fails if an item cannot be printed', async () => {
    const items = jsonPieces([1], () => {
      throw new Error('no');
    });
    await expect(joined(items)).rejects.toThrow('no');
  });
});
