import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../../tests/helpers/any-character.ts';
import { isWhitespace } from './characters.ts';
import { MAX_DEPTH, MAX_SYNTAX_PROBLEMS, parseConfigText } from './parse.ts';
import { parser } from './parser.ts';
import type { ConfigDirective } from './syntax.ts';

/** Fragments of configurations, with mistakes. */
const PIECES = [
  'stream',
  'http',
  'a',
  '8080',
  '2s',
  'k=',
  'k=v',
  'k="v w"',
  '{',
  '}',
  ';',
  ' ',
  '\n',
  '\r\n',
  '\t',
  '#',
  '# c\n',
  '"',
  '"a b"',
  '\\',
  '\\"',
  '=',
  'udp://h:1?a=b',
  'é',
  '\u00a0',
  '\ud800',
  '\0',
  '\u2028',
];
const roughText = fc
  .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: anyCharacter, maxLength: 5 })), { maxLength: 60 })
  .map((pieces) => pieces.join(''));

/** Prints a statement in one line, without its positions. */
function brief({ name, args, options, block }: ConfigDirective): string {
  const words = [
    ...args.map(({ kind, value }) => `${kind}:${value}`),
    ...options.map(({ key, value }) => `${key}=>${value}`),
  ];
  return `${[name, ...words].join(' ')}${block ? ` { ${block.map(brief).join(', ')} }` : ''}`;
}

function read(text: string): string[] {
  const { directives, problems } = parseConfigText(text);
  expect(problems).toEqual([]);
  return directives.map(brief);
}

function mistakes(text: string): string[] {
  const { problems, lines } = parseConfigText(text);
  return problems.map(({ from, reason, expected, found }) => {
    const { line, column } = lines.positionAt(from);
    return `${line}:${column} ${reason.detail} | ${expected} | ${found}`;
  });
}

describe('the generated parser', () => {
  it('has the same white space as the tokenizers', () => {
    for (let code = 0; code < 0x10000; code++) {
      const character = String.fromCharCode(code);
      const endsName = parser.parse(`a${character}b;`).topNode.firstChild?.firstChild?.to === 1;
      if (endsName !== (isWhitespace(code) || '{};'.includes(character))) expect.fail(`code ${code} within`);
      const isSkipped = parser.parse(`${character}b;`).topNode.firstChild?.from === 1;
      if (isSkipped !== isWhitespace(code)) expect.fail(`code ${code} before`);
    }
  });
});

describe('configuration statements', () => {
  it.each<[string, string[]]>([
    ['http 80; rtmp 1935;', ['http number:80', 'rtmp number:1935']],
    [
      'stream a { input udp://239.0.0.1:1234 priority=1; } ',
      ['stream word:a { input url:udp://239.0.0.1:1234 priority=>1 }'],
    ],
    ['stream a{title "x";}', ['stream word:a { title text:x }']],
    [
      'dvr @storage 7d 97% 500G 1.5h 2048k;',
      ['dvr word:@storage number:7d number:97% number:500G number:1.5h number:2048k'],
    ],
    [
      'http 127.0.0.1:80 [::1]:80 2d12h 1.2.3 -5;',
      ['http word:127.0.0.1:80 word:[::1]:80 word:2d12h word:1.2.3 word:-5'],
    ],
    [
      'input http://a/b?x=y&z=1#f%20"q" user_agent="A B/1" empty= colour=#fff eq=a=b;',
      ['input url:http://a/b?x=y&z=1#f%20"q" user_agent=>A B/1 empty=> colour=>#fff eq=>a=b'],
    ],
    ['title "a \\"b\\" \\\\ \\n\\t\\r \\u{1f4fa} ; { } #";', ['title text:a "b" \\ \n\t\r 📺 ; { } #']],
    ['# only a comment', []],
    ['a;# b;\nc; # "', ['a', 'c']],
    ['a b # comment ; {\n  c\n;;;', ['a word:b word:c']],
    ['\ufeffa\u00a0b;', ['a word:b']],
    ['a {} b { } c\n{\n}', ['a {  }', 'b {  }', 'c {  }']],
    ['ключ значение=1 k-e.y_1=2;', ['ключ word:значение=1 k-e.y_1=>2']],
    ['', []],
  ])('are parsed from %j', (text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  it('have positions', () => {
    const { directives } = parseConfigText('http 80;\r\nstream a {\r\n\tinput udp://h k="v";\r\n}');
    const [, stream] = directives;
    expect(stream).toMatchObject({ line: 2, column: 1, from: 10, to: 46, blockFrom: 19, blockTo: 46 });
    expect(stream?.block?.[0]).toMatchObject({
      line: 3,
      column: 2,
      args: [{ from: 29, to: 36 }],
      options: [{ from: 37, valueFrom: 39, to: 42 }],
    });
  });
});

describe('syntax errors', () => {
  it.each<[string, string[]]>([
    ['http 80', ['1:8 The directive http is not ended | ; or { | the end of the text']],
    ['stream a { title x }', ['1:19 The directive title is not ended | ; or { | }']],
    ['a;\n}\nb;', ['2:1 This } closes nothing | a directive | }']],
    [
      'stream a;\n{ title x; }',
      ['2:1 This { follows no directive; is there a ; too many before it? | a directive | {'],
    ],
    [
      'x;\nstream a {\n  b { c;\n',
      [
        '4:1 The block that starts in line 2 is not closed | } | the end of the text',
        '4:1 The block that starts in line 3 is not closed | } | the end of the text',
      ],
    ],
    ['title "abc;\nb;', ['1:7 The closing quotation mark is missing in this line | a closing " | the end of the line']],
    ['title "a"b;', ['1:10 A space is missing after the closing " | a space or ; | b']],
    [
      'title "C:\\videos";',
      ['1:10 This escape is unknown; write a backslash as \\\\ | \\" \\\\ \\n \\r \\t or \\u{hex} | \\v'],
    ],
    [
      '"title" x;',
      ['1:1 A statement starts with the name of a directive | the name of a directive | a text in quotation marks'],
    ],
  ])('are found in %j', (text, expected) => {
    expect(mistakes(text).sort()).toEqual(expected.sort());
  });

  it('do not affect the statements around them', () => {
    const { directives } = parseConfigText('http 80;\n}\ntitle "a;\nrtmp 1;');
    expect(directives.map(brief)).toEqual(['http number:80', 'title text:a; word:rtmp number:1']);
  });

  it('are limited in depth and number', () => {
    expect(mistakes('a{'.repeat(100_000)).some((text) => text.includes(`more than ${MAX_DEPTH} deep`))).toBe(true);
    expect(parseConfigText('}'.repeat(10_000)).problems).toHaveLength(MAX_SYNTAX_PROBLEMS);
  });
});

describe('parseConfigText', () => {
  it('returns for any text a tree without error nodes, directives in order, and problems within the text', () => {
    fc.assert(
      fc.property(roughText, (text) => {
        const { tree, directives, problems } = parseConfigText(text);
        tree.iterate({ enter: ({ type }) => void expect(type.isError).toBe(false) });
        let last = 0;
        for (const { from, to, name, nameTo } of directives) {
          expect(from).toBeGreaterThanOrEqual(last);
          expect(nameTo).toBeLessThanOrEqual(to);
          expect(name).not.toBe('undefined');
          last = to;
        }
        for (const { from } of problems) expect(from >= 0 && from <= text.length).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
