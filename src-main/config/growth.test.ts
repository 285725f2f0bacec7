import { describe, expect, it } from 'vitest';
import { expectLinear } from '../../tests/helpers/growth.ts';
import { runAtOnce } from '../lib/turns.ts';
import { configJsonTexts } from './config-json.ts';
import { diffConfig } from './diff-config.ts';
import { ConfigDocument } from './document.ts';
import { editConfig, editDraft } from '../../tests/helpers/edit-config.ts';
import type { ConfigEdit, DraftEdit } from './edit/edit-config.ts';
import { mergeJson } from './edit/json-edits.ts';
import { putBlocks } from './edit/put-blocks.ts';
import { maskText } from './edit/secret-words.ts';
import { unmaskTextInSteps } from './edit/unmask-text.ts';
import { diffLinesInSteps } from './line-diff.ts';
import type { TextBlock } from './parse/text-block.ts';
import type { JsonValue } from './schema/value-schema.ts';

const STREAMS = [60, 960];
const WORDS = [1000, 32_000];
const EMPTY = ConfigDocument.parse('http 80;\n');

function numbered<T>(count: number, item: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => item(index));
}

function streamsText(count: number, title = 't', lineBreak = '\n'): string {
  return numbered(count, (index) => `stream s${index} { title ${title}${index}; input fake://; password p; }`).join(
    lineBreak,
  );
}

function configured(count: number, lineBreak?: string): ConfigDocument {
  return ConfigDocument.parse(`${streamsText(count, 't', lineBreak)}\n`);
}

function streamsJson(count: number, json: (index: number) => JsonValue): JsonValue {
  return { streams: Object.fromEntries(numbered(count, (index) => [`s${index}`, json(index)])) };
}

function partsOf(text: string): readonly TextBlock[] {
  return ConfigDocument.parse(text).textBlocks ?? [];
}

/** Text after an edit that must succeed. */
function edited(document: ConfigDocument, edit: DraftEdit): string {
  const result = editDraft(document, edit);
  expect(result.errors).toEqual([]);
  return result.document.text;
}

function merged(document: ConfigDocument, json: JsonValue): string {
  const { config } = document;
  if (!config) throw new Error('The text has errors');
  return edited(document, (draft) => mergeJson(draft, config, json));
}

describe('the cost is proportional to the size', () => {
  it('of a parsed text', () =>
    expectLinear({ make: streamsText, run: (text) => ConfigDocument.parse(text), sizes: STREAMS }));

  it('of a change of all streams', () =>
    expectLinear({
      make: configured,
      run: (document) => {
        const { size = 0 } = document.config?.streams ?? {};
        const edits = numbered(size, (index): ConfigEdit => ({ edit: 'removeStream', name: `s${index}` }));
        expect(editConfig(document, edits).errors).toEqual([]);
      },
      sizes: STREAMS,
    }));

  it('of a text that is parsed with a previous document', () =>
    expectLinear({
      make: (size) => ({ text: streamsText(size, 'u'), previous: configured(size) }),
      run: ({ text, previous }) => ConfigDocument.parse(text, previous),
      sizes: STREAMS,
    }));

  it.each([
    [
      'streams without their templates',
      (size: number) =>
        numbered(size, (index) => `template t${index} { }\nstream s${index} { template u${index}; }`).join('\n'),
    ],
    [
      'duplicate names',
      (size: number) =>
        numbered(size, (index) => `dvr d${index} { root /a; }`)
          .join('\n')
          .repeat(2),
    ],
    ['wrong words', (size: number) => `auth_backend a { ${'allow_ips x; '.repeat(size)} }`],
    ['inputs', (size: number) => `stream s { ${'input fake://; '.repeat(size)} }`],
    ['options', (size: number) => `stream s { input fake:// ${numbered(size, (index) => `o${index}=1`).join(' ')}; }`],
  ])('of a text with %s', (_name, make) =>
    expectLinear({ make, run: (text) => ConfigDocument.parse(text), sizes: [250, 4000] }),
  );

  it.each([
    [
      'new streams',
      () => EMPTY,
      (size: number) => streamsJson(size, () => ({ title: 'x', inputs: [{ url: 'fake://' }] })),
    ],
    [
      'existing streams',
      configured,
      (size: number) => streamsJson(size, (index) => ({ title: `x${index}`, password: null })),
    ],
    [
      'streams on one line',
      (size: number) => configured(size, ' '),
      (size: number) => streamsJson(size, (index) => ({ title: `x${index}`, comment: 'y' })),
    ],
    ['removed streams', configured, (size: number) => streamsJson(size, () => null)],
    [
      'removed streams on one line',
      (size: number) => configured(size, ' '),
      (size: number) => streamsJson(size, () => null),
    ],
    [
      'other blocks',
      () => EMPTY,
      (size: number) => ({ vods: Object.fromEntries(numbered(size, (index) => [`v${index}`, { path: '/a' }])) }),
    ],
  ] as const)('of a JSON fragment with %s', (_name, before, json) =>
    expectLinear({
      make: (size) => ({ document: before(size), json: json(size) }),
      run: ({ document, json: fragment }) => merged(document, fragment),
      sizes: STREAMS,
    }),
  );

  it.each([
    ['more inputs', '', (index: number) => ({ url: `fake://${index}` })],
    ['other inputs', 'input fake://;', (index: number) => ({ url: `fake://${index}` })],
    ['inputs by index', 'input fake://;', (index: number) => ({ $index: index, url: `fake://${index}` })],
    ['removed inputs', 'input fake://;', (index: number) => ({ $index: index, $delete: true })],
  ] as readonly (readonly [string, string, (index: number) => JsonValue])[])(
    'of a JSON fragment with %s',
    (_name, input, json) =>
      expectLinear({
        make: (size) => ({
          document: ConfigDocument.parse(`stream s { title x; ${`${input} `.repeat(size)}}`),
          fragment: { streams: { s: { inputs: numbered(size, json) } } },
        }),
        run: ({ document, fragment }) => merged(document, fragment),
        sizes: [60, 960],
      }),
  );

  it('of a list of words', () => {
    const addresses = (size: number, net: number): string[] =>
      numbered(size, (index) => `10.${net}.${index >> 8}.${index & 255}`);
    return expectLinear({
      make: (size) => ({
        document: ConfigDocument.parse(`auth_backend a { allow_ips ${addresses(size, 0).join(' ')}; }`),
        fragment: { auth_backends: { a: { allow_ips: [...addresses(size / 2, 0), ...addresses(size, 1)] } } },
      }),
      run: ({ document, fragment }) => merged(document, fragment),
      sizes: WORDS,
    });
  });

  it('of text blocks', () =>
    expectLinear({
      make: (size) => partsOf(streamsText(size)),
      run: (source) => edited(EMPTY, (draft) => putBlocks(draft, EMPTY.config!, source)),
      sizes: STREAMS,
    }));

  it('of text blocks that replace others', () =>
    expectLinear({
      make: (size) => ({ document: configured(size), source: partsOf(streamsText(size, 'u')) }),
      run: ({ document, source }) => edited(document, (draft) => putBlocks(draft, document.config!, source)),
      sizes: STREAMS,
    }));

  it('of the JSON, the masked text and the difference of configurations', () =>
    expectLinear({
      make: (size) => ({ document: configured(size), other: ConfigDocument.parse(streamsText(size, 'u')) }),
      run: ({ document, other }) => {
        if (!document.config || !other.config) throw new Error('The text has errors');
        for (const _ of configJsonTexts(document.config, { inputsKey: 'inputs', isFull: true }));
        diffConfig(document.config, other.config);
        const masked = ConfigDocument.parse(runAtOnce(maskText(document)), document);
        expect(runAtOnce(unmaskTextInSteps(masked, document)).text).toBe(document.text);
      },
      sizes: STREAMS,
    }));

  it('of the difference of two texts', () =>
    expectLinear({
      make: (size) => [streamsText(size), streamsText(size, 'u')] as const,
      run: ([before, after]) => runAtOnce(diffLinesInSteps(before, after)),
      sizes: [2000, 32_000],
    }));
});

it('a stream accepts at most 1000 inputs', () => {
  const inputs = (count: number): JsonValue => ({
    streams: { s: { inputs: numbered(count, () => ({ url: 'fake://' })) } },
  });
  const { config } = EMPTY;
  if (!config) throw new Error('The text has errors');
  expect(editDraft(EMPTY, (draft) => mergeJson(draft, config, inputs(1000))).errors).toEqual([]);
  expect(editDraft(EMPTY, (draft) => mergeJson(draft, config, inputs(20_000))).errors).toMatchObject([
    { code: 'config_bad_value', path: ['streams', 's', 'inputs'] },
  ]);
  expect(ConfigDocument.parse(`stream s { ${'input fake://; '.repeat(1001)} }`).errors).toMatchObject([
    { code: 'config_bad_value', path: ['streams', 's', 'inputs'] },
  ]);
});
