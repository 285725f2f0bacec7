import { forEachSample } from '../../media/containers/isobmff/chunk-reader.ts';
import { chunkHeaderBytes } from '../../media/containers/isobmff/chunk-shape.ts';
import { writeChunkHeader } from '../../media/containers/isobmff/chunk.ts';
import { createSampleTable } from '../../media/containers/isobmff/sample-table.ts';
import { trackNumber, type Track } from '../../media/track.ts';
import type { RowChunks } from './archive-rows.ts';

/** A sample of a track, with its times in ticks. */
export interface Sample {
  readonly data: Uint8Array;
  readonly dtsTicks: number;
  readonly ptsTicks: number;
  readonly durationTicks: number;
  readonly isSync: boolean;
}

/** The samples of chunks, one behind the other, in decoding order: views on the bytes. */
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

/** Samples, in decoding order, as one chunk in memory. Undefined for none. */
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
    // What is read belongs to its reader, who may write in it.
    file: {
      read: async (offset, sizeBytes) => Promise.resolve(Uint8Array.from(bytes.subarray(offset, offset + sizeBytes))),
    },
  };
}
