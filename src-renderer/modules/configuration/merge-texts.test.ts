import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergeTexts } from './merge-texts.ts';

const BASE = 'http 8080;\nrtmp 1935;\n\nstream a { }\nstream b { }\nstream c { }\n';
const edited = (from: string, to: string): string => BASE.replace(from, to);
const text = fc
  .array(fc.constantFrom('', 'a;', 'b;', '}', 'stream x {'), { maxLength: 12 })
  .map((lines) => lines.join('\n'));

describe('mergeTexts', () => {
  it('merges two copies that changed different lines', () => {
    expect(mergeTexts(BASE, edited('8080', '8081'), edited('stream c { }', 'stream c { title C; }'))).toEqual({
      text: edited('8080', '8081').replace('stream c { }', 'stream c { title C; }'),
      conflicts: 0,
    });
    expect(mergeTexts(BASE, edited('stream b { }\n', ''), `# top\n${BASE}`).text).toBe(
      `# top\n${edited('stream b { }\n', '')}`,
    );
  });

  it('adds conflict marks if both copies changed the same line differently', () => {
    const { text: merged, conflicts } = mergeTexts(BASE, edited('8080', '8081'), edited('8080', '8082'));
    expect(conflicts).toBe(1);
    expect(merged.split('\n').slice(0, 6)).toEqual([
      '<<<<<<< your text',
      'http 8081;',
      '=======',
      'http 8082;',
      '>>>>>>> in force now',
      'rtmp 1935;',
    ]);
    expect(mergeTexts(BASE, edited('8080', '8081'), edited('8080', '8081'))).toEqual({
      text: edited('8080', '8081'),
      conflicts: 0,
    });
  });

  it('returns the other copy if one is unchanged', () => {
    fc.assert(
      fc.property(text, text, (base, copy) => {
        expect(mergeTexts(base, copy, base)).toEqual({ text: copy, conflicts: 0 });
        expect(mergeTexts(base, base, copy)).toEqual({ text: copy, conflicts: 0 });
        expect(mergeTexts(base, copy, copy)).toEqual({ text: copy, conflicts: 0 });
      }),
    );
  });

  it('keeps every line that either copy added', () => {
    fc.assert(
      fc.property(text, text, text, (base, mine, theirs) => {
        const merged = mergeTexts(base, mine, theirs);
        const lines = new Set(merged.text.split('\n'));
        const inBase = new Set(base.split('\n'));
        for (const line of [...mine.split('\n'), ...theirs.split('\n')])
          if (!inBase.has(line)) expect(lines).toContain(line);
      }),
    );
  });
});
