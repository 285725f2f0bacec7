import { runInTurns } from '../../lib/turns.ts';
import { INPUT_TIMESCALE } from '../../media/access-unit.ts';
import type { FileRefusal } from './file-index.ts';
import { listedTracks } from './listed-source.ts';
import type { IndexedFile, SourceTracks } from './source-track.ts';
import { TsScan } from './ts-scan.ts';
import type { UnpackedSegments } from './unpacked-segments.ts';

/** Bytes of one read while a file is looked through, and those that are looked at in one step. */
const READ_BYTES = 1 << 20;
const STEP_BYTES = 64 * 1024;

/** The tracks of an MPEG transport stream, which the file is read through for. */
export async function readTransportTracks(
  file: IndexedFile,
  unpacked: UnpackedSegments,
): Promise<SourceTracks | FileRefusal> {
  const scan = new TsScan();
  const block = Buffer.alloc(READ_BYTES);
  for (let position = 0; position < file.sizeBytes;) {
    const length = await file.read(block, position);
    if (length === 0) break;
    await runInTurns(scanBlock(scan, block.subarray(0, length), position));
    if (scan.refusal) return scan.refusal;
    position += length;
  }
  scan.end();
  const { program, tracks, startTicks } = scan;
  if (scan.refusal) return scan.refusal;
  if (!program || tracks.length === 0) return { code: 'vod_file_not_supported', detail: scan.reason };
  const listed = tracks.map(({ track, samples, recordings }) => ({
    ...{ track, timescale: INPUT_TIMESCALE, shiftTicks: -startTicks, samples },
    transport: { program, recordings },
  }));
  return listedTracks(listed, file, unpacked);
}

function* scanBlock(scan: TsScan, block: Buffer, position: number): Generator<void, void> {
  for (let at = 0; at < block.length && !scan.refusal; at += STEP_BYTES) {
    scan.push(block.subarray(at, Math.min(at + STEP_BYTES, block.length)), position + at);
    yield;
  }
}
