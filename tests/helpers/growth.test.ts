import { expect, test } from 'vitest';
import { expectLinear } from './growth.ts';

/** Small, because what is too dear is measured again and again; far apart, because a busy machine may take twice as long for one of them. */
const SIZES = [20, 500];
const spaces = (size: number) => `A=${' '.repeat(size)}`;

test('accepts cost that grows with the size', async () => {
  await expectLinear({ make: spaces, run: (text) => text.split(' ').length });
  await expectLinear({ make: spaces, run: (text) => [...text].sort() });
  await expectLinear({ make: spaces, run: async (text) => Promise.resolve(text.toLowerCase()) });
});

test('refuses sizes between which quadratic cost cannot be distinguished from linear cost', async () => {
  const run = (text: string) => text.length;
  await expect(expectLinear({ make: spaces, sizes: [100, 400, 1600], run })).rejects.toThrow('400');
  await expectLinear({ make: spaces, sizes: [100, 800], run });
});

test.each([
  ['quadratic', /A=\s*(,|$)|\s+,/],
  ['cubic', /\s*\s*,/],
])('names %s cost', async (_name, regex) => {
  await expect(expectLinear({ make: spaces, sizes: SIZES, run: (text) => regex.exec(`${text}x`) })).rejects.toThrow(
    /cost grew/,
  );
});
