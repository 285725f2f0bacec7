import { afterEach, expect, it } from 'vitest';
import { FakeClock } from '../../tests/helpers/fake-clock.ts';
import { until } from '../../tests/helpers/until.ts';
import { silentLog } from '../lib/log.ts';
import { LiveWindow } from '../segment/live-window.ts';
import { RunWindow } from '../segment/run-window.ts';
import { SEGMENTER_DEFAULTS } from '../segment/segmenter-options.ts';
import { Engine } from './engine.ts';
import type { StreamMeasurements, StreamSpec, ThreadStatus } from './messages.ts';

const LIMIT_MS = 15_000;
let engine: Engine;
afterEach(() => engine.close());

it('a stream is measured shortly after an event of its inputs, while other streams and the thread wait for the regular status', async () => {
  const clock = new FakeClock();
  const statuses: (readonly [ThreadStatus | null, readonly StreamMeasurements[]])[] = [];
  const notices: string[] = [];
  const specOf = (id: number, url: string): StreamSpec => ({
    id,
    name: `cam${id}`,
    segmenter: SEGMENTER_DEFAULTS,
    retryLimit: null,
    endMs: 0,
    inputs: [{ url, options: {}, priority: 1, framesTimeoutMs: 3000, sourceTimeoutMs: 20_000 }],
    resume: { nextMsn: 1, nextInitId: 1, isContinuation: false },
  });
  const specs = new Map([
    [1, specOf(1, 'publish://')],
    [2, specOf(2, 'file:///no/such/file.ts')],
  ]);
  engine = new Engine(
    {
      threads: 0,
      fileRoot: '/',
      clock,
      log: silentLog,
      threadEntry: new URL('../media-thread.ts', import.meta.url),
    },
    {
      window: (id) => new RunWindow(new LiveWindow(SEGMENTER_DEFAULTS), specs.get(id) as StreamSpec),
      status: (...status) => statuses.push(status),
      decidePlay: () => Promise.resolve({ code: 'stream_not_found', detail: '' }),
      decidePublish: () => Promise.resolve({ accepted: false, code: 'publish_not_allowed', detail: '' }),
      publishEnded: () => {},
      notice: (_id, { event }) => notices.push(event),
      pushNotice: () => {},
      inputAtFault: () => {},
      streamLost: () => {},
      testPicture: () => Promise.reject(new Error('not here')),
      readExternal: () => ({ ended: Promise.resolve('not here'), close() {} }),
    },
  );
  await engine.start();
  for (const spec of specs.values()) engine.open(spec);
  await until('a notice of the input', () => notices.length > 0, LIMIT_MS);
  clock.advance(100);
  await until('measurements of the stream', () => statuses.length > 0, LIMIT_MS);
  expect(statuses.map(([thread, streams]) => [thread, streams.map(({ id, phase }) => [id, phase])])).toEqual([
    [null, [[2, 'error']]],
  ]);
  clock.advance(1000);
  await until('the status of the thread', () => statuses.some(([thread]) => thread !== null), LIMIT_MS);
  expect(statuses.at(-1)?.[1].map(({ id }) => id)).toEqual([1, 2]);
});
