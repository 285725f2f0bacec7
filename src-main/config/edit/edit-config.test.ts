import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../../tests/helpers/any-character.ts';
import { configOf } from '../../../tests/helpers/config-of.ts';
import type { Config } from '../schema/config.ts';
import { ConfigDocument, type ConfigResult } from '../document.ts';
import { editConfig } from '../../../tests/helpers/edit-config.ts';
import type { ConfigEdit } from './edit-config.ts';
import { parseConfig } from '../../../tests/helpers/parse-config.ts';

function editText(
  text: string,
  edits: readonly ConfigEdit[],
): Pick<ConfigResult, 'config' | 'errors'> & { readonly text: string } {
  const { document, errors } = editConfig(ConfigDocument.parse(text), edits);
  return { text: document.text, config: document.config, errors };
}

/** Text after edits that must succeed, and the configurations before and after, each parsed from its text. */
function editedConfigs(
  text: string,
  ...edits: ConfigEdit[]
): { readonly text: string; readonly before: Config; readonly after: Config } {
  const source = ConfigDocument.parse(text);
  const { document, errors } = editConfig(source, edits);
  expect(errors).toEqual([]);
  const after = configOf(document.text);
  expect(document.config).toEqual(after);
  return { text: document.text, before: source.config ?? configOf(text), after };
}

/** Text after edits that must succeed. */
function edited(text: string, ...edits: ConfigEdit[]): string {
  const result = editText(text, edits);
  expect(result.errors).toEqual([]);
  expect(result.config).toEqual(parseConfig(result.text).config);
  return result.text;
}

const set = (name: string, directive: string, ...args: string[]): ConfigEdit => ({
  edit: 'setStreamDirective',
  name,
  directive: { name: directive, args },
});
const add = (name: string, directive: string, ...args: string[]): ConfigEdit => ({
  edit: 'setStreamDirective',
  name,
  directive: { name: directive, args },
  index: 1000,
});
const removeDirective = (name: string, directive: string, index?: number): ConfigEdit => ({
  edit: 'removeStreamDirective',
  name,
  directive,
  ...(index === undefined ? {} : { index }),
});
const remove = (name: string): ConfigEdit => ({ edit: 'removeStream', name });
const addStream = (name: string, ...args: string[]): ConfigEdit => ({
  edit: 'addStream',
  name,
  directives: args.map((url) => ({ name: 'input', args: [url] })),
});

describe('a new stream', () => {
  it.each<[string, string]>([
    ['', 'stream n {\n  input fake://;\n}\n'],
    ['http 80;', 'http 80;\nstream n {\n  input fake://;\n}'],
    ['http 80; # c\n', 'http 80; # c\nstream n {\n  input fake://;\n}\n'],
    [
      'stream a {\n\ttitle x;\n} # end\n\nlive l;\n',
      'stream a {\n\ttitle x;\n} # end\nstream n {\n\tinput fake://;\n}\n\nlive l;\n',
    ],
    [
      'http 80;\r\n\r\nstream a {\r\n    title x;\r\n}',
      'http 80;\r\n\r\nstream a {\r\n    title x;\r\n}\r\n\r\nstream n {\r\n    input fake://;\r\n}',
    ],
    ['stream a {} live l {\n}\n', 'stream a {}\nstream n {\n  input fake://;\n}\n live l {\n}\n'],
    ['  stream a;\n', '  stream a;\n  stream n {\n    input fake://;\n  }\n'],
  ])('is inserted in %j', (text, expected) => {
    expect(edited(text, addStream('n', 'fake://'))).toBe(expected);
  });
});

describe('a removed stream', () => {
  it.each<[string, string]>([
    ['stream a {\n  title x;\n}\nstream b;\n', 'stream b;\n'],
    ['stream b;\r\nstream a {\r\n}', 'stream b;\r\n'],
    ['stream b;\nstream a; # note\nhttp 80;\n', 'stream b;\n# note\nhttp 80;\n'],
    ['stream b; stream a; http 80;\n', 'stream b; http 80;\n'],
    ['stream b; stream a;', 'stream b;'],
    ['stream "a" {title x;}stream b;', 'stream b;'],
  ])('is removed from %j', (text, expected) => {
    expect(edited(text, remove('a'))).toBe(expected);
  });
});

describe('the edit of a directive', () => {
  it.each<[string, ConfigEdit, string]>([
    ['stream a {\n  title  x; # c\n}', set('a', 'title', 'new title'), 'stream a {\n  title  "new title"; # c\n}'],
    [
      'stream a {\n  input fake://; # c\n  # last\n}',
      set('a', 'title', 'y'),
      'stream a {\n  input fake://; # c\n  title y;\n  # last\n}',
    ],
    ['stream a { input fake://; }', set('a', 'title', 'y'), 'stream a { input fake://; title y; }'],
    ['stream a {\n\tinput fake://; }', set('a', 'title', 'y'), 'stream a {\n\tinput fake://; title y; }'],
    ['stream a {}', set('a', 'title', 'y'), 'stream a { title y; }'],
    ['stream a { }', set('a', 'title', 'y'), 'stream a { title y; }'],
    ['stream a;', set('a', 'title', 'y'), 'stream a { title y; }'],
    ['stream a { # c\n}\n', set('a', 'title', 'y'), 'stream a { # c\n  title y;\n}\n'],
    ['stream a\r\n{\r\n}\r\n', set('a', 'title', 'y'), 'stream a\r\n{\r\n  title y;\r\n}\r\n'],
    ['stream a { disabled; }', set('a', 'disabled', 'false'), 'stream a { disabled false; }'],
    ['stream a { disabled\t no ; }', set('a', 'disabled'), 'stream a { disabled ; }'],
    ['stream a { password a=b; }', set('a', 'password', 'c=d'), 'stream a { password "c=d"; }'],
    [
      'stream a { url x://1;\n input x://2; title t;\n}',
      add('a', 'input', 'x://3'),
      'stream a { url x://1;\n input x://2; input x://3; title t;\n}',
    ],
    [
      'stream a {\n  url x://1;\n  title t;\n}',
      add('a', 'input', 'x://3'),
      'stream a {\n  url x://1;\n  input x://3;\n  title t;\n}',
    ],
    [
      'stream a { url x://1; input x://2; }',
      { edit: 'setStreamDirective', name: 'a', directive: { name: 'input', args: ['y://3'] }, index: 1 },
      'stream a { url x://1; input y://3; }',
    ],
    ['stream a { url x://1; input x://2; }', removeDirective('a', 'input', 0), 'stream a { input x://2; }'],
    ['stream a { url x://1; title t; input x://2; }', removeDirective('a', 'input'), 'stream a { title t; }'],
    [
      'stream a {\n  title x; # c\n  input x://1;\n}',
      removeDirective('a', 'title'),
      'stream a {\n  # c\n  input x://1;\n}',
    ],
    ['stream a {\n  title x;\n  input x://1;\n}', removeDirective('a', 'title'), 'stream a {\n  input x://1;\n}'],
    ['stream a { title x; }', removeDirective('a', 'comment'), 'stream a { title x; }'],
    ['live a { } stream b;', { ...set('a', 'password', 'x'), block: 'live' }, 'live a { password x; } stream b;'],
  ])('changes only the directive in %j', (text, edit, expected) => {
    expect(edited(text, edit)).toBe(expected);
  });

  it('keeps unchanged options, and the comments between them', () => {
    const text = 'stream a {\n  input udp://h:1 # address\n    priority=1  # order\n    k="v w" gone=1;\n}';
    const edit: ConfigEdit = {
      edit: 'setStreamDirective',
      name: 'a',
      directive: { name: 'url', args: ['udp://h:2'], options: { k: 'v w', priority: '2', new: 'a b' } },
    };
    expect(edited(text, edit)).toBe(
      'stream a {\n  input udp://h:2 # address\n    priority=2  # order\n    k="v w" new="a b";\n}',
    );
  });
});

describe('an invalid edit', () => {
  it.each<[string, ConfigEdit, string]>([
    ['stream a;', addStream('a'), 'stream_exists'],
    ['stream a;', addStream('b c'), 'bad_stream_name'],
    ['stream a;', addStream('b { } stream c'), 'bad_stream_name'],
    ['stream a;', remove('b'), 'stream_not_found'],
    ['stream a;', set('a', 'titel', 'x'), 'config_unknown_directive'],
    ['stream a;', set('a', 'title x; input', 'x'), 'config_unknown_directive'],
    ['stream a;', set('a', 'segment_duration', '9h'), 'config_bad_value'],
    ['stream a;', set('a', 'title', 'x', 'y'), 'config_bad_value'],
    [
      'stream a;',
      { edit: 'setStreamDirective', name: 'a', directive: { name: 'input', args: ['x://y'], options: { 'a b': 'c' } } },
      'config_bad_value',
    ],
    [
      'stream a;',
      { edit: 'setStreamDirective', name: 'a', directive: { name: 'title', args: ['x'], options: { a: 'c' } } },
      'config_bad_value',
    ],
    ['stream a; }', set('a', 'title', 'x'), 'config_syntax'],
  ])('changes nothing in %j (%j)', (text, edit, code) => {
    const result = editText(text, [edit]);
    expect(result.text).toBe(text);
    expect(result.errors.map((error) => error.code)).toEqual([code]);
  });

  it('undoes the edits before it', () => {
    expect(editText('stream a;\n', [remove('a'), remove('b')]).text).toBe('stream a;\n');
  });

  it('is distinguished from earlier errors in the text, which edits can correct', () => {
    const text = 'stream a { segment_count 1; }\nstream b { foo; }\n';
    expect(edited(text, set('b', 'title', 'x'))).toBe('stream a { segment_count 1; }\nstream b { foo; title x; }\n');
    expect(edited(text, set('a', 'segment_count', '5'))).toBe('stream a { segment_count 5; }\nstream b { foo; }\n');
  });
});

/**
 * Configurations as people write them: comments, blank lines, tabs, one-liners, both kinds of line ends, with and
 * without the last one.
 */
const names = ['a', 'b', 'c/d', 'e'];
const statement = fc.constantFrom(
  'title t;',
  'title "two words";',
  'disabled;',
  'input udp://h:1 k=v;',
  'url fake:// # why\n  k="a b";',
  'segment_count 5;',
  '# note',
  '',
  'dvr @x 2d;',
  'password p ;',
);
const streamText = (name: string): fc.Arbitrary<string> =>
  fc
    .record({
      body: fc.uniqueArray(statement, { maxLength: 4, selector: (text) => text.slice(0, 4) }),
      indent: fc.constantFrom('  ', '\t', ''),
      form: fc.nat(3),
      note: fc.constantFrom('', ' # note', '\n', '  '),
    })
    .map(({ body, indent, form, note }) => {
      const lines = form === 0 ? body.filter((text) => !text.includes('#')) : body;
      if (form === 0) return `stream ${name} { ${lines.join(' ')} }${note}`;
      if (form === 1 && body.length === 0) return `stream ${name};${note}`;
      return [
        `stream ${name} {${note}`,
        ...lines.map((line) => indent + line),
        `${form === 2 ? indent : ''}}${note}`,
      ].join('\n');
    });
const fileText = fc
  .record({
    streams: fc.tuple(...names.slice(0, 3).map(streamText)),
    between: fc.array(fc.constantFrom('# comment', '', 'http 80;', 'live l { } # l', '  \t'), {
      minLength: 4,
      maxLength: 4,
    }),
    lineBreak: fc.constantFrom('\n', '\r\n'),
    isEnded: fc.boolean(),
    mark: fc.constantFrom('', '\ufeff'),
  })
  .map(({ streams, between, lineBreak, isEnded, mark }) => {
    const parts = between.flatMap((text, index) => [
      text.startsWith('http') ? `http 8${index};` : text.startsWith('live') ? `live l${index} { } # l` : text,
      ...(streams[index] === undefined ? [] : [streams[index]]),
    ]);
    return mark + parts.join('\n').replaceAll('\n', lineBreak) + (isEnded ? lineBreak : '');
  });

const anyValue = fc
  .oneof(
    fc.string({ minLength: 1, maxLength: 20 }),
    fc.constantFrom('x; } stream evil { title y', '"', '\\', '# c', '{', 'a=b', ' ', 'é 📺', '} http 1;'),
  )
  .filter((value) => !/\p{Cc}/u.test(value));

/** Number of lines of `before` that an edit in one place removed or rewrote, including line ends. */
function rewrittenLines(before: string, after: string): number {
  const old = before.split('\n');
  const now = after.split('\n');
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < old.length - head && tail < now.length - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++;
  return old.length - head - tail;
}

describe('a random edit', () => {
  it('of a title changes only the title, for any text', () => {
    fc.assert(
      fc.property(fileText, fc.constantFrom('a', 'b', 'c/d'), anyValue, (text, name, title) => {
        const { text: result, before, after } = editedConfigs(text, set(name, 'title', title));
        expect([...after.streams.keys()]).toEqual([...before.streams.keys()]);
        for (const [key, stream] of before.streams)
          expect(after.streams.get(key)).toEqual(key === name ? { ...stream, title } : stream);
        expect({ ...after, streams: null }).toEqual({ ...before, streams: null });
        expect(rewrittenLines(text, result)).toBeLessThanOrEqual(1);
      }),
      { numRuns: 150 },
    );
  });

  it('that adds a stream keeps every other byte, and adds nothing else', () => {
    fc.assert(
      fc.property(fileText, anyValue, anyValue, (text, title, password) => {
        const url = `udp://${encodeURI(title.toWellFormed())};{}`.replaceAll(/\s/g, '_');
        const {
          text: result,
          before,
          after,
        } = editedConfigs(text, {
          edit: 'addStream',
          name: 'new',
          directives: [
            { name: 'title', args: [title] },
            { name: 'input', args: [url], options: { key: password } },
            { name: 'password', args: [password] },
          ],
        });
        expect(after.streams.get('new')).toMatchObject({
          title,
          password,
          inputs: [{ url, options: { key: password } }],
        });
        expect([...after.streams.keys()]).toEqual([...before.streams.keys(), 'new']);
        // One text was inserted; the text before and after it is unchanged.
        let start = 0;
        while (start < text.length && text[start] === result[start]) start++;
        expect(result.endsWith(text.slice(start))).toBe(true);
        if (text.includes('\r\n')) expect(result).not.toMatch(/[^\r]\n/);
        // Removing the stream restores the text.
        expect(editedConfigs(result, remove('new')).after).toEqual(before);
      }),
      { numRuns: 150 },
    );
  });

  it('that removes a directive or stream keeps the rest', () => {
    fc.assert(
      fc.property(
        fileText,
        fc.constantFrom('a', 'b', 'c/d'),
        fc.constantFrom('title', 'input', 'disabled', 'dvr', undefined),
        (text, name, directive) => {
          const { before, after } = editedConfigs(
            text,
            directive === undefined ? remove(name) : removeDirective(name, directive),
          );
          for (const [key, stream] of before.streams) if (key !== name) expect(after.streams.get(key)).toEqual(stream);
          expect(after.streams.has(name)).toBe(directive !== undefined);
          expect({ ...after, streams: null }).toEqual({ ...before, streams: null });
        },
      ),
      { numRuns: 150 },
    );
  });

  it('of several settings equals the single edits in sequence', () => {
    const one = fc
      .tuple(fc.constantFrom('a', 'b', 'c/d', 'e'), fc.constantFrom('title', 'disabled', 'segment_count'), fc.nat(3))
      .map(([name, directive, way]): ConfigEdit => {
        if (way === 0) return remove(name);
        if (way === 1) return removeDirective(name, directive);
        return set(name, directive, ...(directive === 'disabled' ? [] : ['7']));
      });
    fc.assert(
      fc.property(fileText, fc.array(one, { maxLength: 6 }), (text, edits) => {
        const together = editText(text, edits);
        fc.pre(together.errors.length === 0);
        // A new line is indented like the existing lines, even in blocks that are removed together with it.
        const inward = (lines: string): string => lines.replaceAll(/^[ \t]+/gm, '');
        expect(inward(together.text)).toBe(inward(edits.reduce((before, edit) => editText(before, [edit]).text, text)));
      }),
      { numRuns: 150 },
    );
  });

  it('with any words results in an error or in a text with the same other settings', () => {
    const word = fc.oneof(
      anyValue,
      fc.string({ unit: anyCharacter, maxLength: 8 }),
      fc.constantFrom('title', 'input', 'k'),
    );
    const edit: fc.Arbitrary<ConfigEdit> = fc.oneof(
      fc.record({
        edit: fc.constant('addStream' as const),
        name: word,
        directives: fc.array(
          fc.record({
            name: fc.constantFrom('title', 'input', 'dvr', 'x'),
            args: fc.array(word, { maxLength: 2 }),
            options: fc.dictionary(word, word, { maxKeys: 2 }),
          }),
          { maxLength: 2 },
        ),
      }),
      fc.record({
        edit: fc.constant('setStreamDirective' as const),
        name: fc.constantFrom(...names),
        directive: fc.record({
          name: fc.constantFrom('title', 'input', 'dvr', 'push'),
          args: fc.array(word, { maxLength: 2 }),
          options: fc.dictionary(word, word, { maxKeys: 2 }),
        }),
        index: fc.nat(2),
      }),
      fc.record({
        edit: fc.constant('removeStreamDirective' as const),
        name: fc.constantFrom(...names),
        directive: word,
      }),
    );
    fc.assert(
      fc.property(fileText, fc.array(edit, { minLength: 1, maxLength: 3 }), (text, edits) => {
        const result = editText(text, edits);
        if (result.errors.length > 0) expect(result.text).toBe(text);
        const { config, errors } = parseConfig(result.text);
        expect(errors).toEqual([]);
        const touched = new Set(edits.map(({ name }) => name));
        for (const [key, stream] of configOf(text).streams)
          if (!touched.has(key)) expect(config?.streams.get(key)).toEqual(stream);
        for (const key of config?.streams.keys() ?? []) expect(names.includes(key) || touched.has(key)).toBe(true);
      }),
      { numRuns: 150 },
    );
  });
});
