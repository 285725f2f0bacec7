import { runInTurns } from '../../lib/turns.ts';
import { INPUT_TIMESCALE } from '../../media/access-unit.ts';
import type { FileRefusal } from './file-index.ts';
import { listedTracks } from './source-of-facts.ts';
import { ReadAhead } from './read-ahead.ts';
import type { IndexedFile, SourceTracks } from './source-track.ts';
import { TsScan } from './ts-scan.ts';
import type { UnpackedSegments } from './unpacked-segments.ts';

/** Bytes processed in one step. */
const STEP_BYTES = 64 * 1024;

/** Reads the tracks of an MPEG transport stream, which takes a full pass over the file. */
export async function readTransportTracks(
  file: IndexedFile,
  unpacked: UnpackedSegments,
): Promise<SourceTracks | FileRefusal> {
  const scan = new TsScan();
  const ahead = new ReadAhead(file);
  for (let position = 0; await ahead.view(position, 1);) {
    const from = position - ahead.start;
    await runInTurns(scanBlock(scan, ahead.bytes.subarray(from), position));
    if (scan.refusal) return scan.refusal;
    position = ahead.start + ahead.bytes.length;
  }
  scan.end();
  const { program, tracks, startTicks, leftOut } = scan;
  if (scan.refusal) return scan.refusal;
  if (!program || tracks.length === 0) return { code: 'vod_file_not_supported', ...scan.reason };
  const listed = tracks.map(({ track, formats, samples, transport }) => ({
    track,
    ...(formats.length > 0 ? { formats } : {}),
    timescale: INPUT_TIMESCALE,
    shiftTicks: -startTicks,
    samples: samples.pack(),
    transport,
  }));
  return listedTracks(listed, file.media, unpacked, leftOut);
}

function* scanBlock(scan: TsScan, block: Uint8Array, position: number): Generator<void, void> {
  for (let at = 0; at < block.length && !scan.refusal; at += STEP_BYTES) {
    scan.push(block.subarray(at, Math.min(at + STEP_BYTES, block.length)), position + at);
    yield;
  }
}
