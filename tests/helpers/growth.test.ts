import { expect, test } from 'vitest';
import { expectLinear } from './growth.ts';

const spaces = (size: number) => `A=${' '.repeat(size)}`;

test('expectLinear accepts cost that grows linearly, or slightly more', async () => {
  await expectLinear({ make: spaces, run: (text) => text.split(' ').length });
  await expectLinear({ make: spaces, run: (text) => [...text].sort() });
  await expectLinear({ make: spaces, run: async (text) => Promise.resolve(text.toLowerCase()) });
});

test('expectLinear refuses sizes too close to distinguish quadratic cost from linear cost', async () => {
  const run = (text: string) => text.length;
  await expect(expectLinear({ make: spaces, sizes: [100, 400, 1600], run })).rejects.toThrow('400');
  await expectLinear({ make: spaces, sizes: [100, 800], run });
});

test.each([
  { name: 'quadratic', regex: /A=\s*(,|$)|\s+,/, sizes: [50, 8_000] },
  { name: 'cubic', regex: /\s*\s*,/, sizes: [20, 500] },
])('expectLinear reports $name cost', async ({ regex, sizes }) => {
  await expect(expectLinear({ make: spaces, sizes, run: (text) => regex.exec(`${text}x`) })).rejects.toThrow(
    /cost grew/,
  );
});
