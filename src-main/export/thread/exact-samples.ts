import { forEachSample } from '../../media/containers/isobmff/chunk-reader.ts';
import { chunkHeaderBytes } from '../../media/containers/isobmff/chunk-shape.ts';
import { writeChunkHeader } from '../../media/containers/isobmff/chunk.ts';
import { createSampleTable } from '../../media/containers/isobmff/sample-table.ts';
import { trackNumber, type Track } from '../../media/track.ts';
import type { RowChunks } from './archive-rows.ts';

/** Sample of a track with its times in ticks. */
export interface Sample {
  readonly data: Uint8Array;
  readonly dtsTicks: number;
  readonly ptsTicks: number;
  readonly durationTicks: number;
  readonly isSync: boolean;
}

/** Samples of consecutive chunks in decoding order, as views of the bytes. */
export function samplesOf(bytes: Uint8Array): Sample[] {
  const samples: Sample[] = [];
  for (let at = 0; at >= 0 && at < bytes.length;)
    at = forEachSample(
      bytes,
      (start, sizeBytes, dtsTicks, ptsTicks, durationTicks, isSync) => {
        const data = bytes.subarray(start, start + sizeBytes);
        samples.push({ data, dtsTicks, ptsTicks, durationTicks, isSync });
      },
      at,
    );
  return samples;
}

/** Packs samples in decoding order into one chunk in memory. Undefined for none. */
export function chunkOf(track: Track, samples: readonly Sample[]): RowChunks | undefined {
  const [first] = samples;
  if (!first) return undefined;
  const table = createSampleTable(samples.length);
  for (const [index, { data, durationTicks, ptsTicks, dtsTicks, isSync }] of samples.entries()) {
    table.sizes[index] = data.length;
    table.durations[index] = durationTicks;
    table.compositionOffsets[index] = ptsTicks - dtsTicks;
    table.isSync[index] = isSync ? 1 : 0;
    table.count = index + 1;
  }
  const room = chunkHeaderBytes(samples.length, { content: track.content, hasWall: false });
  const header = new Uint8Array(room);
  const start = writeChunkHeader(header, room, {
    trackNumber: trackNumber(track.id),
    sequenceNumber: 1,
    baseDecodeTicks: first.dtsTicks,
    samples: table,
    content: track.content,
  });
  const bytes = Buffer.concat([header.subarray(start), ...samples.map(({ data }) => data)]);
  const durationTicks = samples.reduce((sum, sample) => sum + sample.durationTicks, 0);
  const startTicks = Math.min(...samples.map(({ ptsTicks }) => ptsTicks));
  return {
    track,
    startTicks,
    durationTicks,
    sizeBytes: bytes.length,
    pieces: [{ offset: 0, sizeBytes: bytes.length }],
    // The reader owns the bytes and may write to them.
    file: {
      read: async (offset, sizeBytes) => Promise.resolve(Uint8Array.from(bytes.subarray(offset, offset + sizeBytes))),
    },
  };
}
