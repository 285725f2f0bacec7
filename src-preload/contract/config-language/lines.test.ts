import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineTable } from './lines.ts';

describe('LineTable', () => {
  it('counts lines as the editor does', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', 'bc', '\n', '\r\n', '\r', '')).map((parts) => parts.join('')),
        (text) => {
          const table = new LineTable(text);
          expect(table.count).toBe(text.split(/\r\n|\r|\n/).length);
          for (let offset = 0; offset <= text.length; offset++) {
            const before = text.slice(0, offset).split(/\r\n|\r(?!$)|\r$(?!\n)|\n/);
            // The line ends after both CR and LF.
            if (text[offset - 1] === '\r' && text[offset] === '\n') continue;
            expect(table.positionAt(offset)).toEqual({ line: before.length, column: (before.at(-1)?.length ?? 0) + 1 });
          }
        },
      ),
    );
  });
});
