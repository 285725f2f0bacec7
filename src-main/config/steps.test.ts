import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runAtOnce } from '../lib/turns.ts';
import { configJsonTexts } from './config-json.ts';
import { diffConfigInSteps } from './diff-config.ts';
import { ConfigDocument } from './document.ts';
import { editDraftInSteps, makeEdits, type DraftEdit } from './edit/edit-config.ts';
import { mergeJson } from './edit/json-edits.ts';
import { putBlocks } from './edit/put-blocks.ts';
import type { JsonValue } from './schema/value-schema.ts';

// A thread can do other work between two steps. Their number shows that each step does only a small part of the work.

function lines(count: number, line: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => `${line(index)}\n`).join('');
}

const STREAMS = 10_000;
let many = ConfigDocument.parse('');

beforeAll(() => {
  many = ConfigDocument.parse(lines(STREAMS, (index) => `stream s${index} { input publish://; }`));
});

afterAll(() => {
  // Test files share a process, and this document takes 30 MB.
  many = ConfigDocument.parse('');
});

function stepsOf(work: Generator<void, unknown>): number {
  return [...work].length;
}

function stepsOfEdit(document: ConfigDocument, edit: DraftEdit): number {
  let steps = 0;
  const work = editDraftInSteps(document, edit);
  for (;;) {
    const step = work.next();
    if (step.done) {
      expect(step.value.errors).toEqual([]);
      return steps;
    }
    steps++;
  }
}

function merge(document: ConfigDocument, json: JsonValue): number {
  const { config } = document;
  if (!config) throw new Error('The text has errors');
  return stepsOfEdit(document, (draft) => mergeJson(draft, config, json));
}

describe('work on a long configuration is split into steps', () => {
  it.each([
    ['blocks', lines(4000, (index) => `stream s${index} { input publish://; }`), 4000],
    [
      'blocks on one line',
      lines(4000, (index) => `stream s${index} { input publish://; }`).replaceAll('\n', ' '),
      4000,
    ],
    ['settings', lines(4000, (index) => `api_token t${index} { hash x; }`), 4000],
    [
      'statements of one block',
      `auth_backend a {\n${lines(20_000, (index) => `allow_token t${index};`)}}`,
      20_000 / 50,
    ],
    ['words of one statement', `template t { prefix ${lines(20_000, (index) => `p${index}`)}; }`, 20_000 / 200],
  ])('while parsing %s', (_name, text, minSteps) => {
    expect(stepsOf(ConfigDocument.parseInSteps(text))).toBeGreaterThanOrEqual(minSteps);
  });

  it('while editing one of many streams', () => {
    // Every edit scans the statements and joins them again.
    const minSteps = (3 * STREAMS) / 500;
    expect(merge(many, { streams: { new: { inputs: [{ url: 'publish://' }] } } })).toBeGreaterThanOrEqual(minSteps);
    const edit = (draft: Parameters<DraftEdit>[0]): Generator<void, void> =>
      makeEdits(
        draft,
        [
          { edit: 'removeStream', name: 's1' },
          { edit: 'removeStream', name: 's2' },
        ],
        many.config,
      );
    expect(stepsOfEdit(many, edit)).toBeGreaterThanOrEqual(minSteps);
  });

  it('while making many edits', () => {
    const empty = ConfigDocument.parse('http 80;\n');
    const streams = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`s${index}`, { title: 'x' }]));
    expect(merge(empty, { streams })).toBeGreaterThanOrEqual(3000);
    const words = Array.from({ length: 20_000 }, (_, index) => `10.0.${index >> 8}.${index & 255}`);
    expect(merge(empty, { auth_backends: { a: { allow_ips: words } } })).toBeGreaterThanOrEqual((3 * 20_000) / 200);
    const { textBlocks = [] } = many;
    expect(stepsOfEdit(empty, (draft) => putBlocks(draft, empty.config!, textBlocks))).toBeGreaterThanOrEqual(
      3 * STREAMS,
    );
  });

  it('while comparing and printing', () => {
    const { config } = many;
    if (!config) throw new Error('The text has errors');
    const other = ConfigDocument.parse(many.text.replaceAll('publish://', 'fake://')).config;
    if (!other) throw new Error('The text has errors');
    expect(stepsOf(diffConfigInSteps(config, other))).toBe(STREAMS);
    const texts = [...configJsonTexts(config, { inputsKey: 'inputs', isFull: true })];
    expect(texts.length).toBeGreaterThan(STREAMS);
    expect(JSON.parse(texts.join(''))).toMatchObject({ streams: { s9999: { inputs: [{ url: 'publish://' }] } } });
  });

  it('and does not check the items of a list that is too long', () => {
    const { config } = many;
    if (!config) throw new Error('The text has errors');
    let reads = 0;
    const item = new Proxy<Readonly<Record<string, JsonValue>>>(
      { url: 'publish://' },
      {
        get: (target, key) => {
          reads++;
          return Reflect.get(target, key) as unknown;
        },
      },
    );
    const inputs = Array.from({ length: 20_000 }, () => item);
    const { errors } = runAtOnce(
      editDraftInSteps(many, (draft) => mergeJson(draft, config, { streams: { s1: { inputs } } })),
    );
    expect(errors).toMatchObject([{ code: 'config_bad_value', path: ['streams', 's1', 'inputs'] }]);
    expect(reads).toBe(0);
  });
});
