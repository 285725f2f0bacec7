import { BoxWriter } from '../../media/containers/isobmff/box-writer.ts';
import type { ExportedChapter } from './export-request.ts';

/** Maximum number of chapters: the count has 8 bits. */
export const MAX_CHAPTERS = 255;
/** Ticks of 100 ns per millisecond, the unit of the list. */
const UNITS_OF_MS = 10_000;
const MAX_TITLE_BYTES = 255;

/**
 * Writes the box `udta` with a chapter list (`chpl`) as FFmpeg, VLC and Nero read it. No standard defines it; unlike other forms,
 * it needs no track.
 */
export function writeChapterList(chapters: readonly ExportedChapter[]): Uint8Array {
  const out = new BoxWriter();
  const listed = chapters.slice(0, MAX_CHAPTERS);
  out.open('udta').openFull('chpl', 1, 0).u32(0).u8(listed.length);
  for (const { atMs, title } of listed) {
    const bytes = titleBytes(title);
    out
      .u64(Math.max(0, Math.round(atMs)) * UNITS_OF_MS)
      .u8(bytes.length)
      .bytes(bytes);
  }
  return out.close().close().finish();
}

/** Title cut to the maximum length at a character boundary. */
function titleBytes(title: string): Uint8Array {
  const { written } = new TextEncoder().encodeInto(title, scratch);
  return Uint8Array.from(scratch.subarray(0, written));
}

const scratch = new Uint8Array(MAX_TITLE_BYTES);
