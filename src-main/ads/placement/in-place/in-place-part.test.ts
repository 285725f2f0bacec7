import { expect, it } from 'vitest';
import { ListWindow } from '../../../../tests/helpers/list-window.ts';
import { testTracks } from '../../../../tests/helpers/ad-windows.ts';
import { chunkHeaderBytes } from '../../../media/containers/isobmff/chunk-shape.ts';
import { forEachSample } from '../../../media/containers/isobmff/chunk-reader.ts';
import { writeChunkHeader } from '../../../media/containers/isobmff/chunk.ts';
import { createSampleTable } from '../../../media/containers/isobmff/sample-table.ts';
import type { Track } from '../../../media/track.ts';
import { readMedia } from '../../../segment/media-bytes.ts';
import type { Part, WindowSegment } from '../../../segment/segment-window.ts';
import { ClipLoop } from '../../clips/clip-loop.ts';
import { clipPart } from './in-place-part.ts';

const TIMESCALE = 48_000;
const UNIT_TICKS = 1024;
const SECONDS = 9;
const SOUND: Track = {
  id: 'a1',
  content: 'audio',
  codec: 'aac',
  timescale: TIMESCALE,
  codecString: 'mp4a.40.2',
  decoderConfig: new Uint8Array([1]),
  sampleRate: TIMESCALE,
  channels: 2,
  samplesPerFrame: UNIT_TICKS,
};

/** An audio part in which the size of each unit is its number. */
function soundPart(startTicks: number, units: readonly number[]): Part {
  const samples = createSampleTable(units.length);
  for (const [index, size] of units.entries()) {
    samples.sizes[index] = size;
    samples.durations[index] = UNIT_TICKS;
    samples.isSync[index] = 1;
  }
  samples.count = units.length;
  const headerBytes = chunkHeaderBytes(units.length, { content: 'audio', hasWall: false });
  const dataBytes = units.reduce((sum, size) => sum + size, 0);
  const bytes = new Uint8Array(headerBytes + dataBytes);
  const chunk = { trackNumber: 2, sequenceNumber: 1, baseDecodeTicks: startTicks, samples, content: 'audio' } as const;
  const header = writeChunkHeader(bytes, headerBytes, chunk);
  const [head, data] = [bytes.slice(header, headerBytes), bytes.slice(headerBytes)];
  return {
    index: 0,
    startTicks,
    durationTicks: units.length * UNIT_TICKS,
    isIndependent: true,
    arrivedMs: 0,
    sizeBytes: head.length + data.length,
    pieces: [{ bytes: head }, { bytes: data }],
  };
}

function entry(trackId: string, second: number, startTicks: number, part: Part): WindowSegment {
  const { durationTicks, sizeBytes } = part;
  const times = { startTicks, durationTicks, startMs: second * 1000 };
  const segment = { ...times, trackId, parts: [part], sizeBytes, isComplete: true, isGap: false, initId: 0 };
  return {
    segment,
    msn: second,
    startMs: second * 1000,
    isDiscontinuity: false,
    discontinuitySequence: 0,
    address: `${second}`,
  };
}

/**
 * A clip whose audio starts with its picture, as in a file: each audio unit belongs to the second in which it starts.
 */
function clipWithSound(): ClipLoop {
  const tracks = [...testTracks(), SOUND];
  const [picture] = tracks as [Track];
  const seconds = Array.from({ length: SECONDS }, (_, second) => second);
  const sound = seconds.map((second) => {
    const first = Math.ceil((second * TIMESCALE) / UNIT_TICKS);
    const units = Array.from(
      { length: Math.ceil(((second + 1) * TIMESCALE) / UNIT_TICKS) - first },
      (_, index) => first + index + 1,
    );
    return entry('a1', second, first * UNIT_TICKS, soundPart(first * UNIT_TICKS, units));
  });
  const pictures = seconds.map((second) => {
    const part = { ...soundPart(0, [1]), startTicks: second * 90_000, durationTicks: 90_000 };
    return entry('v1', second, second * 90_000, part);
  });
  const window = new ListWindow({
    tracks: [
      { track: picture, segments: pictures },
      { track: SOUND, segments: sound },
    ],
  });
  return new ClipLoop([{ path: 'a', window, addressPrefix: 'a-' }]);
}

it.each(Array.from({ length: 8 }, (_, eighth) => eighth))(
  'a part contains each audio unit once when units of the stream start %d eighths of a unit after those of the clip',
  async (eighth) => {
    const loop = clipWithSound();
    const shown: number[] = [];
    const startOf = (second: number): number => {
      const phase = (eighth * UNIT_TICKS) / 8;
      return Math.ceil((second * TIMESCALE - phase) / UNIT_TICKS) * UNIT_TICKS + phase;
    };
    for (let second = 1; second < SECONDS; second++) {
      const units = (startOf(second + 1) - startOf(second)) / UNIT_TICKS;
      const source = soundPart(
        startOf(second) + (second % 3) - 1,
        Array.from({ length: units }, () => 1),
      );
      const position = {
        track: SOUND,
        segmentTicks: source.startTicks,
        leaderTicks: second * TIMESCALE,
        sequenceNumber: 1,
      };
      const part = clipPart(source, { loop, step: second - 1, key: {} }, position, () => undefined);
      if (!part) throw new Error(`there is nothing in second ${second}`);
      forEachSample(await readMedia(part), (_offset, sizeBytes) => shown.push(sizeBytes));
    }
    expect(shown).toEqual(Array.from(shown, (_, index) => (shown[0] ?? 0) + index));
  },
);

it('a part presents no picture of a clip before its decode time, when the part decodes later than its segment starts', async () => {
  const [track] = testTracks();
  if (!track) throw new Error('there is no track');
  const source = { ...soundPart(90_044, [1]), durationTicks: 90_000 };
  const position = { track, segmentTicks: 90_000, leaderTicks: 90_000, sequenceNumber: 1 };
  const part = clipPart(source, { loop: clipWithSound(), step: 0, key: {} }, position, () => undefined);
  if (!part) throw new Error('there is no picture');
  const compositionOffsets: number[] = [];
  forEachSample(await readMedia(part), (_offset, _sizeBytes, dtsTicks, ptsTicks) =>
    compositionOffsets.push(ptsTicks - dtsTicks),
  );
  expect(compositionOffsets[0]).toBe(0);
  expect(Math.min(...compositionOffsets)).toBe(0);
});
