import { MAX_BOX_START_BYTES, readBoxStart } from './box.ts';
import { findRecordsInFile } from './in-band-records.ts';
import { MAX_MOOV_BYTES, readMovie } from './movie.ts';
import type { Movie } from './movie.ts';
import type { FileBytes } from '../file-bytes.ts';

/** Maximum number of boxes before `moov`. */
const MAX_BOXES = 10_000;

/**
 * Searches an MP4 or QuickTime file for `moov` and reads it; returns a sentence for the operator if it is missing or unreadable.
 */
export async function openMovie(file: FileBytes): Promise<Movie | string> {
  const head = new Uint8Array(MAX_BOX_START_BYTES);
  let at = 0;
  for (let step = 0; step < MAX_BOXES && at < file.sizeBytes; step++) {
    const length = await file.read(head, at);
    const start = readBoxStart(head, 0, length);
    if (!start) return `The file holds no box at byte ${at}.`;
    const sizeBytes = start.sizeBytes === 0 ? file.sizeBytes - at : start.sizeBytes;
    if (start.type === 'moov') return readMoov(file, at, sizeBytes);
    at += sizeBytes;
  }
  return 'The file has no moov box: it was not finished, or is a segment without its init segment.';
}

async function readMoov(file: FileBytes, at: number, sizeBytes: number): Promise<Movie | string> {
  if (sizeBytes > MAX_MOOV_BYTES) return `The moov box has ${sizeBytes} bytes; ${MAX_MOOV_BYTES} is the limit.`;
  if (at + sizeBytes > file.sizeBytes) return 'The file ends inside its moov box.';
  const bytes = new Uint8Array(sizeBytes);
  const movie = (await file.read(bytes, at)) === sizeBytes ? readMovie(bytes) : undefined;
  if (movie && movie.inBand.length > 0) {
    const records = await findRecordsInFile(movie.inBand, file);
    return readMovie(bytes, records) ?? movie;
  }
  return movie ?? 'The moov box cannot be read.';
}
