import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyStream, playSteps } from '../../tests/helpers/any-stream.ts';
import { StreamRun } from '../../tests/helpers/stream-run.ts';
import { readChunk } from '../media/containers/isobmff/chunk-reader.ts';
import { viewShared } from './shared-bytes.ts';
import type { ChunkEvent, PartEvent, WindowEvent } from './window-event.ts';

const RUNS = Number(process.env['AIRDESK_RUNS'] ?? 20);
const VIDEO = { fps: 25, gopFrames: 50, bFrames: 2 };

/** Samples of a chunk, and its bytes. */
function samplesOf(bytes: Uint8Array): string[] {
  const read = readChunk(bytes);
  if (!read) return ['no chunk'];
  const { baseDecodeTicks, samples } = read;
  const found: string[] = [];
  let [at, dts] = [read.dataStart, baseDecodeTicks];
  for (let index = 0; index < samples.count; index++) {
    const size = samples.sizes[index] ?? 0;
    const data = Buffer.from(bytes.subarray(at, at + size)).toString('base64');
    found.push([dts, samples.durations[index], samples.compositionOffsets[index], samples.isSync[index], data].join());
    at += size;
    dts += samples.durations[index] ?? 0;
  }
  return found;
}

describe('the chunks of open parts', () => {
  it('contain each sample of the parts once and in order, for any input', () => {
    fc.assert(
      fc.property(anyStream, ({ steps, options }) => {
        const stream = new StreamRun(options);
        const open = new Map<string, string[]>();
        stream.onEvents = (events) => {
          for (const event of events) {
            if (event.type !== 'chunk' && event.type !== 'part') continue;
            const chunks = open.get(event.trackId) ?? [];
            if (event.type === 'chunk') {
              expect(event.index === 0).toBe(chunks.length === 0);
              open.set(event.trackId, [...chunks, `${event.msn}.${event.partIndex}`, ...samplesOf(event.bytes)]);
              continue;
            }
            const place = `${event.msn}.${event.index}`;
            // A restarted run emits no chunks of earlier parts.
            if (chunks.length > 0)
              expect([place, ...chunks.filter((one) => one !== place)]).toEqual([
                place,
                ...samplesOf(viewShared(event.bytes)),
              ]);
            open.delete(event.trackId);
          }
        };
        stream.wantChunks(Infinity);
        playSteps(steps, stream);
      }),
      { numRuns: RUNS },
    );
  });

  it('are cut on request only, while the part is open, and start at the announced time', () => {
    const events: WindowEvent[] = [];
    const stream = new StreamRun({ partMs: 500, segmentMs: 2000 });
    stream.onEvents = (batch) => events.push(...batch);
    const play = stream.playing({ video: VIDEO, audio: { sampleRate: 48_000, lateMs: 0 }, seconds: 4 });
    play(1000);
    expect(events.some(({ type }) => type === 'chunk')).toBe(false);
    stream.wantChunks(stream.clock.now() + 1500);
    play(4000);
    const chunks = events.filter((event): event is ChunkEvent => event.type === 'chunk' && event.trackId === 'v1');
    const parts = events.filter((event): event is PartEvent => event.type === 'part' && event.trackId === 'v1');
    for (const { msn, partIndex, index, startTicks } of chunks)
      if (index === 0)
        expect(startTicks).toBe(parts.find((part) => part.msn === msn && part.index === partIndex)?.startTicks);
    expect(chunks.filter(({ isLast }) => isLast)).toHaveLength(4);
    expect(chunks.length).toBeGreaterThanOrEqual(12);
  });

  it('do not change the window for readers of parts', () => {
    const stream = new StreamRun({ partMs: 500, segmentMs: 2000 });
    let [versions, chunks] = [0, 0];
    stream.wantChunks(Infinity);
    const play = stream.playing({ video: VIDEO, seconds: 2 });
    play(600);
    stream.window.onChange(() => versions++);
    stream.window.chunks.onChange(() => chunks++);
    play(900);
    expect([versions, chunks]).toEqual([0, 3]);
  });
});
