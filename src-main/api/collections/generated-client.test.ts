import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CollectionStage } from '../../../tests/helpers/collection-stage.ts';
import { convertedFile } from '../../../tests/helpers/made-media.ts';

/** Program that uses the generated client. */
const PROGRAM = `
import { client } from './client.gen.ts';
import { playbackInfo, streamDelete, streamGet, streamList, streamSave } from './sdk.gen.ts';

export async function use(baseUrl: string): Promise<unknown[]> {
  client.setConfig({ baseUrl });
  const list = await streamList({ query: { title: 'A', limit: 10, sort: ['-name'] } });
  const inOrder = await streamList({ query: { sort: ['static', '-name'], name_ne: 'x' } });
  const filtered = await streamList({
    query: { segment_duration_lt: 5, title_like: 'A', comment_is: 'null', title_is_not: 'null', named_by: ['config'], static: true },
  });
  const none = await streamList({ query: { segment_duration_gte: 5 } });
  const info = await playbackInfo({ path: { name: 'a' } });
  const infoAddress: string | undefined = info.request?.url;
  const saved = await streamSave({ path: { name: 'live/b' }, body: { title: 'B', inputs: [{ url: 'publish://' }] } });
  const one = await streamGet({ path: { name: 'live/b' } });
  const gone = await streamDelete({ path: { name: 'live/b' } });
  const missing = await streamGet({ path: { name: 'live/b' } });
  return [
    list.data?.streams.map(({ name }) => name),
    inOrder.data?.streams.map(({ name }) => name),
    filtered.data?.streams.map(({ name }) => name),
    none.data?.streams.length,
    infoAddress,
    saved.data?.title,
    one.data?.name,
    gone.response?.status,
    missing.error?.errors[0]?.code,
  ];
}
`;

let stage: CollectionStage;
const folder = mkdtempSync(join(tmpdir(), 'airdesk-client-'));
beforeAll(async () => {
  stage = await CollectionStage.start('http 80; stream a { input fake://; title A; }\nstream c { input fake://; }\n');
});
afterAll(async () => {
  await stage.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Generates a client into a folder and compiles it with the program. Returns the files that do not compile. */
async function compiled(input: string, output: string): Promise<readonly string[]> {
  const [{ createClient }, { default: ts }] = await Promise.all([import('@hey-api/openapi-ts'), import('typescript')]);
  await createClient({
    input,
    output: { path: output, module: { extension: '.ts' } },
    plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
    logs: { level: 'silent', file: false },
  });
  const program = join(output, 'program.ts');
  writeFileSync(program, PROGRAM);
  const checked = ts.createProgram([program], {
    noEmit: true,
    strict: true,
    skipLibCheck: true,
    types: [],
    allowImportingTsExtensions: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  });
  return ts.getPreEmitDiagnostics(checked).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

it('a client generated from the OpenAPI document compiles, and lists, filters, saves and deletes streams', async () => {
  const input = join(folder, 'openapi.json');
  writeFileSync(input, JSON.stringify(stage.document));
  // The cache key covers the installed packages and this file.
  const inputs = [import.meta.url, new URL('../../../package-lock.json', import.meta.url)].map((url) =>
    readFileSync(fileURLToPath(url), 'utf8'),
  );
  // The document and these programs determine fifty thousand lines. An unchanged document is compiled once per machine,
  // and then reused.
  const client = await convertedFile(process.execPath, input, inputs, async (output) => {
    expect(await compiled(input, output)).toEqual([]);
  });
  const program = join(client, 'program.ts');
  const { use } = (await import(/* @vite-ignore */ program)) as { use: (baseUrl: string) => Promise<unknown[]> };
  expect(await use(`${stage.url}/mediaserver/api/v3`)).toEqual([
    ['a'],
    ['c', 'a'],
    ['a'],
    0,
    `${stage.url}/mediaserver/api/v3/a/info.json`,
    'B',
    'live/b',
    204,
    'stream_not_found',
  ]);
});
