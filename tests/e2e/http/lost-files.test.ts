import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AirdeskProcess } from '../../helpers/airdesk-process.ts';
import { EncoderProcess } from '../../helpers/encoder-process.ts';
import { until } from '../../helpers/until.ts';

// Files of the data folder that are lost or damaged between two starts.

const LIMIT_MS = 60_000;
const API = '/streamer/api-v4';

let server: AirdeskProcess;

beforeAll(async () => {
  server = await AirdeskProcess.start('live studio { dvr records; segment_duration 1; }');
  const encoder = EncoderProcess.publish({ url: `${server.rtmpUrl}/studio/a`, isEndless: true });
  await until(
    'five seconds of it',
    async () => (await depth()) >= 5,
    LIMIT_MS,
    () => server.printed,
  );
  await encoder.stop();
  // Its last block is finished then.
  await server.restart();
}, 120_000);
afterAll(async () => {
  await server?.dispose();
});

async function depth(): Promise<number> {
  const answered = await fetch(`${server.url}/streamer/api/v3/streams/studio%2Fa`);
  if (answered.status !== 200) return 0;
  const { stats } = (await answered.json()) as { stats: { dvr_info: { depth: number } | null } };
  return stats.dvr_info?.depth ?? 0;
}

async function json<T>(path: string): Promise<T> {
  return (await (await fetch(`${server.url}${API}${path}`)).json()) as T;
}

const inData = (name: string): string => join(server.folder, 'data', name);

async function startWithout(harm: () => void): Promise<void> {
  await server.stop();
  harm();
  await server.crash();
}

describe('a catalog of recordings', () => {
  it.each([
    ['missing', undefined],
    ['empty', 0],
    ['damaged from its beginning on', 1],
    ['damaged behind its first page', 4096],
  ])('that is %s is made again from the disks, while deletion is held', async (_, keptBytes) => {
    const from = server.printed.length;
    const blocks = await json<{ streams: unknown }>('/dvr/catalog');
    await startWithout(() => {
      for (const companion of ['-wal', '-shm']) rmSync(inData(`catalog.db${companion}`), { force: true });
      if (keptBytes === undefined) rmSync(inData('catalog.db'));
      else {
        const bytes = readFileSync(inData('catalog.db'));
        writeFileSync(inData('catalog.db'), keptBytes === 0 ? '' : bytes.fill(7, keptBytes - 1));
      }
    });
    const printed = (): string => server.printed.slice(from);
    await until('the hold', () => printed().includes('nothing is deleted'), LIMIT_MS, printed);
    expect(printed()).toMatch(/nothing is deleted.*catalog/);
    await until(
      'deletion',
      async () => (await json<{ reasons: unknown[] }>('/dvr/hold')).reasons.length === 0,
      LIMIT_MS,
      printed,
    );
    expect(await json('/dvr/rebuild-index')).toMatchObject({ status: 'done', fault_count: 0 });
    expect(await json('/dvr/catalog')).toEqual(blocks);
    await until('the stream of the archive', async () => (await depth()) >= 5, LIMIT_MS, printed);
  });
});
