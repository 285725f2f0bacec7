import { parentPort } from 'node:worker_threads';
import { AdtsSplitter } from '../../src-main/media/codecs/aac/splitter.ts';
import { Ac3Splitter } from '../../src-main/media/codecs/ac3/splitter.ts';
import { MpegAudioSplitter } from '../../src-main/media/codecs/mp3/splitter.ts';
import { FlvTagReader } from '../../src-main/media/containers/flv/flv-tag-reader.ts';
import { readBoxes } from '../../src-main/media/containers/isobmff/box.ts';
import { elementsIn } from '../../src-main/media/containers/matroska/element.ts';
import { MpegTsReader } from '../../src-main/media/containers/mpegts/reader.ts';
import { indexFiles } from '../../src-main/vod/outline/index-file.ts';
import type { IndexedFile } from '../../src-main/vod/index/source-track.ts';
import { UnpackedSegments } from '../../src-main/vod/index/unpacked-segments.ts';
import type { MediaSink } from '../../src-main/media/access-unit.ts';

// Runs container readers over bytes that are sent to this thread, and reports the number of reads of each reader. A
// reader without progress blocks or reads forever in this thread, and does not block the test.

/** Order of a test. */
export interface ProgressOrder {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Number of reads after which indexing is aborted. */
  readonly maxReads: number;
}

/** Result of an order: number of reads by form of the index; `maxReads` if indexing was aborted. */
export interface ProgressReport {
  readonly name: string;
  readonly reads: readonly number[];
}

const SINK: MediaSink = {
  tracks: () => undefined,
  accessUnit: () => undefined,
  splice: () => undefined,
  problem: () => undefined,
};

/** Indexes a file in memory; returns the number of reads. */
async function indexReads({ name, bytes, maxReads }: ProgressOrder, outlineFromBytes: number): Promise<number> {
  let reads = 0;
  const fill = (target: Uint8Array, position: number): number => {
    if (++reads > maxReads) throw new Error('too many reads');
    const found = bytes.subarray(position, position + target.length);
    target.set(found);
    return found.length;
  };
  const file: IndexedFile = {
    path: `/${name}`,
    version: name,
    sizeBytes: bytes.length,
    read: (target, position) => Promise.resolve(fill(target, position)),
    media: {
      sizeBytes: bytes.length,
      read: (offset, sizeBytes) => {
        const target = new Uint8Array(sizeBytes);
        fill(target, offset);
        return Promise.resolve(target);
      },
    },
  };
  await indexFiles([file], { segmentMs: 4000, unpacked: new UnpackedSegments(), outlineFromBytes }).catch(
    (error: unknown) => {
      // Any other error means that the file is refused.
      if (error instanceof Error && error.message === 'too many reads') reads = maxReads;
    },
  );
  return Math.min(reads, maxReads);
}

/** Passes bytes to the readers that read from connections. */
function feed(bytes: Uint8Array): void {
  new MpegTsReader(SINK).push(bytes);
  const flv = new FlvTagReader(SINK);
  for (let at = 0, step = 1; at < bytes.length && step < 400; at += step, step += 7)
    for (const type of [8, 9, 18] as const) flv.push(type, at, bytes.subarray(at, at + step));
  const options = { trackId: 'a1', problem: () => undefined };
  for (const splitter of [new AdtsSplitter(options), new MpegAudioSplitter(options), new Ac3Splitter(options)])
    splitter.split(bytes, () => undefined);
  readBoxes(bytes);
  Array.from(elementsIn(bytes, 0, bytes.length));
}

parentPort?.on('message', (order: ProgressOrder) => {
  void (async () => {
    const reads = [await indexReads(order, Infinity), await indexReads(order, 0)];
    feed(order.bytes.subarray(0, 1_000_000));
    parentPort?.postMessage({ name: order.name, reads } satisfies ProgressReport);
  })();
});
