import { describe, expect, it } from 'vitest';
import { runAtOnce } from '../../lib/turns.ts';
import { endOfStatementLines } from './split-text.ts';

function split(text: string): string[] {
  const parts: string[] = [];
  for (let at = 0; at < text.length;) {
    const end = runAtOnce(endOfStatementLines(text, at));
    parts.push(text.slice(at, end));
    at = end;
  }
  return parts;
}

describe('endOfStatementLines', () => {
  it.each<[string, string[]]>([
    ['', []],
    ['a;\nb;\n', ['a;\n', 'b;\n']],
    ['a;\r\n\r\n# c\r\nb {\r\n x;\r\n}\r\n# end', ['a;\r\n', '\r\n# c\r\nb {\r\n x;\r\n}\r\n', '# end']],
    ['a; b;\rc;', ['a; b;\r', 'c;']],
    ['a {\n} b\n;\nc;\n', ['a {\n} b\n;\n', 'c;\n']],
    ['a "}\\";" k="{" x=#; # }{\nb;', ['a "}\\";" k="{" x=#; # }{\n', 'b;']],
    ['a "torn\n;\nb;', ['a "torn\n;\n', 'b;']],
    ['}\na;\n', ['}\n', 'a;\n']],
    ['a\n', ['a\n']],
  ])('splits a text after complete statements: %j', (text, expected) => {
    expect(split(text)).toEqual(expected);
  });
});
