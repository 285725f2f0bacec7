import { expect, it } from 'vitest';
import { directiveHelp } from '../../src-main/config/directive-help.ts';
import { BLOCK_DOCS_DE } from '../../src-renderer/modules/configuration/editor/block-texts-de.ts';
import { SERVER_DOCS_DE } from '../../src-renderer/modules/configuration/editor/server-texts-de.ts';
import { STREAM_DOCS_DE } from '../../src-renderer/modules/configuration/editor/stream-texts-de.ts';
import { EXPLANATIONS } from '../../src-preload/contract/index.ts';
import { EXPLANATIONS_DE } from '../../src-renderer/lib/explanation-texts-de.ts';
import { filesUnder, isTest, textOf } from './source-files.ts';

it('explanations have a sentence in both languages, with the same parameters', () => {
  const facts = (text: string): readonly string[] => [...text.matchAll(/\{\w+\}/g)].map(String).sort();
  expect(Object.keys(EXPLANATIONS_DE).sort()).toEqual(Object.keys(EXPLANATIONS).sort());
  const german: Readonly<Record<string, string>> = EXPLANATIONS_DE;
  for (const [code, text] of Object.entries(EXPLANATIONS)) expect(facts(german[code] ?? ''), code).toEqual(facts(text));
});

it('the server uses all explanations', () => {
  const sources = [...filesUnder('src-main', /\.ts$/), ...filesUnder('src-preload/contract', /\.ts$/)]
    .filter((file) => !isTest(file) && !file.includes('/explanations/'))
    .map(textOf)
    .join('\n');
  expect(Object.keys(EXPLANATIONS).filter((code) => !sources.includes(`'${code}'`))).toEqual([]);
});

/** English sentences of a folder in places that need a code of an explanation. */
function unexplained(folders: readonly string[], before: string): readonly string[] {
  return folders
    .flatMap((folder) => filesUnder(`src-main/${folder}`, /\.ts$/))
    .filter((file) => !isTest(file))
    .flatMap((file) => [...textOf(file).matchAll(new RegExp(`(?:${before})(?:'([^'\\n]+)'|\`([^\`\\n]+)\`)`, 'g'))])
    .map(([, plain, template = '']) => plain ?? template)
    .filter((text) => text.includes(' '));
}

it('inputs and streams explain their faults by codes', () => {
  const folders = ['ingest', 'stream', 'streams', 'engine', 'media', 'codec/url', 'codec/jobs'];
  expect(unexplained(folders, 'detail: ')).toEqual([]);
});

it('exports, clips and VOD files explain their errors by codes', () => {
  const found = unexplained(
    ['export', 'clips', 'codec/clip', 'vod', 'ads'],
    String.raw`(?:AirdeskError|Failure)\(\s*'[a-z_]+',\s*|detail: `,
  );
  // The message about a closed channel is never displayed.
  expect(found.filter((text) => text !== 'the index thread was closed')).toEqual([]);
});

it('the configuration explains its errors and expected values by codes', () => {
  expect(unexplained(['config'], String.raw`valueSchema\(\s*|commaListSchema\([^,]+,\s*|EditProblem\(\s*`)).toEqual([]);
  expect(
    unexplained(['config'], String.raw`(?:error|warning)\((?:[^;]*?),\s*'config_[a-z_]+',\s*[^;]*?\],\s*`),
  ).toEqual([]);
});

it('the desk describes each directive in German, by its code', () => {
  const docs = new Map(
    Object.values(directiveHelp()).flatMap((block) => block.map(({ doc, doc_code: code }) => [code, doc] as const)),
  );
  const german = { ...SERVER_DOCS_DE, ...STREAM_DOCS_DE, ...BLOCK_DOCS_DE };
  expect(Object.keys(german).sort()).toEqual([...docs.keys()].sort());
  // Text between backquotes belongs to the configuration, and is the same in both languages.
  const words = (text: string): readonly string[] => [...text.matchAll(/`[^`]+`/g)].map(String).sort();
  for (const [code, text] of Object.entries(german)) expect(words(text), text).toEqual(words(docs.get(code) ?? ''));
});

it('each code of a description has exactly one description', () => {
  const found = Object.values(directiveHelp()).flatMap((block) => block.map(({ doc, doc_code: code }) => [code, doc]));
  const codes = new Set(found.map(([code]) => code));
  expect(new Set(found.map((pair) => pair.join('\n'))).size).toBe(codes.size);
});

it('dialogs with a form are submitted by the Enter key, for which a button outside the form must name it', () => {
  const forms = filesUnder('src-renderer', /\.vue$/)
    .map(textOf)
    .filter((text) => text.includes(' #actions>'))
    .map((text) => [/<form[^>]*\sid="([^"]+)"/.exec(text)?.[1], text] as const);
  expect(forms.filter(([id]) => id !== undefined).length).toBeGreaterThan(5);
  const without = forms.flatMap(([id, text]) =>
    id === undefined || text.includes(`is-submit form="${id}"`) ? [] : [id],
  );
  // A change of settings may interrupt a stream, so it needs a click.
  expect(without).toEqual(['stream-settings']);
});
