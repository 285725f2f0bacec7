import { afterAll, expect, it } from 'vitest';
import { HlsFolder } from '../../../tests/helpers/hls-folder.ts';
import { RecordingInput } from '../../../tests/helpers/recording-input.ts';
import { until } from '../../../tests/helpers/until.ts';
import { systemClock } from '../../lib/clock.ts';
import { ByteBudget } from '../byte-budget.ts';

const folder = new HlsFolder();
afterAll(() => folder.close());

it('a partly loaded segment counts in the byte budget of all inputs, and the largest holder is evicted', async () => {
  let drip: ((bytes: number) => void) | undefined;
  folder.handlers.set('/live.m3u8', (_request, response) =>
    response.end('#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\nlarge.ts\n#EXTINF:2,\nnext.ts\n'),
  );
  folder.handlers.set('/large.ts', (_request, response) => {
    drip = (bytes) => void response.write(Buffer.alloc(bytes));
    drip(1 << 20);
  });
  const budget = new ByteBudget(6 << 20);
  const evicted: string[] = [];
  const other = budget.open(({ code }) => evicted.push(code));
  other.setBytes(2 << 20);
  const sink = new RecordingInput();
  folder.open(`${await folder.serve()}/live.m3u8`, sink, {}, systemClock, budget);
  await until('the first bytes', () => budget.counters.usedBytes >= 3 << 20, 30_000);
  expect(budget.counters.evicted).toBe(0);
  drip?.(5 << 20);
  expect(await sink.end()).toMatchObject({ code: 'input_too_large' });
  expect(evicted).toEqual([]);
  expect(budget.counters).toEqual({ usedBytes: 2 << 20, holders: 1, evicted: 1 });
});

it('loaded segments return their bytes to the budget', async () => {
  folder.handlers.set('/short.m3u8', (_request, response) =>
    response.end('#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\nsmall.ts\n#EXT-X-ENDLIST\n'),
  );
  folder.handlers.set('/small.ts', (_request, response) => response.end(Buffer.alloc(1 << 20)));
  const budget = new ByteBudget(6 << 20);
  const sink = new RecordingInput();
  folder.open(`${await folder.serve()}/short.m3u8`, sink, {}, systemClock, budget);
  await sink.end();
  await until(
    'the release of all memory',
    () => budget.counters.usedBytes === 0 && budget.counters.holders === 0,
    30_000,
  );
  expect(budget.counters.evicted).toBe(0);
});
