import { nextTurn } from '../../lib/turns.ts';
import { H264Assembler } from '../../media/codecs/h264/assembler.ts';
import { H265Assembler } from '../../media/codecs/h265/assembler.ts';
import { FileBlock, type FileBytes } from '../../media/containers/file-bytes.ts';
import type { MovieTrack } from '../../media/containers/isobmff/movie-track.ts';
import type { SampleCursor } from '../../media/containers/isobmff/sample-cursor.ts';
import { ListedSamples } from './listed-samples.ts';

/** Bytes per read while a file is scanned. */
const READ_BYTES = 1 << 20;
const MAX_SAMPLE_BYTES = 16 << 20;
const SAMPLES_PER_STEP = 200;

/**
 * Finds random access points in the media itself, as sample numbers, for tracks whose tables mark none (ISO/IEC 14496-12,
 * 8.6.2.1). Undefined if the tables mark any.
 */
export async function findRandomAccess(
  file: FileBytes,
  { track, nalLengthBytes }: MovieTrack,
  walk: () => SampleCursor,
): Promise<ReadonlySet<number> | undefined> {
  if (track.content !== 'video' || (await hasSync(walk()))) return undefined;
  const options = { trackId: track.id, problem: () => undefined };
  const assembler = track.codec === 'h264' ? new H264Assembler(options) : new H265Assembler(options);
  assembler.configure(track.decoderConfig);
  const found = new Set<number>();
  const block = new FileBlock(file, READ_BYTES);
  const cursor = walk();
  for (let index = 0; cursor.next(); index++) {
    const bytes = cursor.sizeBytes <= MAX_SAMPLE_BYTES && (await block.view(cursor.offset, cursor.sizeBytes));
    if (bytes && assembler.assembleSample(bytes, nalLengthBytes)?.isRandomAccess) found.add(index);
    if (index % SAMPLES_PER_STEP === 0) await nextTurn();
  }
  return found;
}

/** List of the same samples, in which the numbered samples are sync samples. */
export async function withRandomAccess(
  samples: ListedSamples,
  points: ReadonlySet<number> | undefined,
): Promise<ListedSamples> {
  if (!points) return samples;
  const marked = new ListedSamples();
  const cursor = samples.cursor();
  for (let index = 0; cursor.next(); index++) {
    const { offset, sizeBytes, storedBytes, dtsTicks, compositionOffsetTicks, durationTicks } = cursor;
    const isSync = points.has(index);
    marked.add({ offset, sizeBytes, storedBytes, dtsTicks, compositionOffsetTicks, durationTicks, isSync });
    if (index % SAMPLES_PER_STEP === 0) await nextTurn();
  }
  return marked;
}

async function hasSync(cursor: SampleCursor): Promise<boolean> {
  for (let index = 1; cursor.next(); index++) {
    if (cursor.isSync) return true;
    if (index % SAMPLES_PER_STEP === 0) await nextTurn();
  }
  return false;
}
