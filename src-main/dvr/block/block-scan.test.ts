import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fileOf, RecordingStage } from '../../../tests/helpers/recording-stage.ts';
import { spliceInsert } from '../../../tests/helpers/splice-sections.ts';
import { testMedia } from '../../../tests/helpers/test-media.ts';
import { settled } from '../../../tests/helpers/settled.ts';
import { readChunk } from '../../media/containers/isobmff/chunk-reader.ts';
import { readMovie } from '../../media/containers/isobmff/movie.ts';
import { findBox } from '../../media/containers/isobmff/box.ts';
import { writeInitSegment } from '../../media/containers/isobmff/init-segment.ts';
import { trackNumber } from '../../media/track.ts';
import { bytesInMemory, type MediaBytes } from '../../segment/media-bytes.ts';
import { writeIndexBox, type BlockIndex } from './block-index.ts';
import { scanBlock } from './block-scan.ts';

/** Number of random cuts. Set AIRDESK_RUNS to test more of them. */
const RUNS = Number(process.env['AIRDESK_RUNS'] ?? 1000);
const SECONDS = 12;
const CLOCK_MS = 1_800_000_000_000;

const folder = mkdtempSync(join(tmpdir(), 'airdesk-blocks-'));
/** Finished block of real H.264 and AAC with splice points, and the same media from the live window. */
let block: Uint8Array;
let index: BlockIndex;
/** The same block while it was being written. */
let open: Uint8Array;
let live: { readonly init: Uint8Array; readonly chunks: readonly Uint8Array[] }[];

beforeAll(async () => {
  const stage = new RecordingStage();
  const media = testMedia();
  await stage.record();
  const { stream } = stage;
  stream.hub.tracks([media.video, media.audio]);
  let first: number | undefined;
  let turn = 0;
  for (const unit of media.units(SECONDS)) {
    first ??= unit.dtsTicks;
    stream.clock.advance(Math.max(0, CLOCK_MS + (unit.dtsTicks - first) / 90 - stream.clock.now()));
    stream.playUnits([media.video, media.audio], [unit]);
    if (++turn % 20 === 0) await settled();
    if (turn % 200 === 0) {
      const { clock } = stream;
      const section = Buffer.from(spliceInsert({ eventId: turn })).toString('base64');
      stream.run.apply([
        { type: 'splice', kind: 'out', eventId: turn, durationMs: 30_000, atMs: clock.now() + 2000, section },
      ]);
    }
  }
  await settled();
  open = [...stage.disks.files.values()][0] ?? new Uint8Array();
  await stage.close();
  const [scanned, ...others] = await stage.scan();
  expect(others).toEqual([]);
  block = scanned?.bytes ?? new Uint8Array();
  index = scanned?.index ?? { segments: [], splices: [] };
  const bytesOf = (part: MediaBytes): Uint8Array => Buffer.from(bytesInMemory(part) ?? []);
  live = stream.window.tracks.map(({ track }) => ({
    init: writeInitSegment(track),
    chunks: stream.window.segments(track.id).flatMap(({ segment }) => segment.parts.map(bytesOf)),
  }));
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

function file(name: string, bytes: Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

/** Decoded frames of a track of a file: times, sizes and hashes. */
function frames(path: string, map: string): string[] {
  const args = ['-v', 'warning', '-xerror', '-i', path, '-map', map, '-c', 'copy', '-copyts', '-f', 'framemd5', '-'];
  return execFileSync('ffmpeg', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .map((line) => line.replace(/^\d+,/, ''));
}

/** Number of media bytes of an index before an offset. */
function piecesBefore({ segments }: BlockIndex, endBytes: number): number {
  return segments
    .flatMap(({ pieces }) => pieces)
    .reduce((bytes, { offset, sizeBytes }) => bytes + Math.max(0, Math.min(sizeBytes, endBytes - offset)), 0);
}

describe('a block', () => {
  it('decodes in ffmpeg to the same frames as the live tracks, whether finished or open', () => {
    for (const [name, bytes] of [
      ['finished.mp4', block],
      ['open.mp4', open],
    ] as const) {
      const path = file(name, bytes);
      for (const [stream, { init, chunks }] of live.entries()) {
        const expected = frames(file(`${name}-${stream}.mp4`, Buffer.concat([init, ...chunks])), '0:0');
        const found = frames(path, `0:${stream}`);
        // An open file lacks pending data of at most one second.
        expect(found.length).toBeGreaterThan(name === 'open.mp4' ? expected.length - 50 : expected.length - 1);
        expect(found.slice(0, -1)).toEqual(expected.slice(0, found.length - 1));
      }
      const probed = execFileSync(
        'ffprobe',
        ['-v', 'warning', '-show_entries', 'stream=codec_name', '-of', 'csv', path],
        {
          encoding: 'utf8',
        },
      );
      expect(probed.trim().split('\n')).toEqual(['stream,h264', 'stream,aac']);
    }
  });

  it('has a moov box with every track and its number', () => {
    const box = findBox(block, ['moov']);
    const movie = box && readMovie(block.subarray(box.start, box.end));
    expect(movie?.tracks.map(({ fileTrackId }) => fileTrackId)).toEqual([1, 2]);
  });

  it('contains the same chunks as the live window, byte for byte', () => {
    for (const [at, id] of ['v1', 'a1'].entries()) {
      const mine = index.segments.filter((segment) => segment.trackNumber === trackNumber(id));
      const bytes = mine.flatMap(({ pieces }) =>
        pieces.map((piece) => block.subarray(piece.offset, piece.offset + piece.sizeBytes)),
      );
      expect(Buffer.concat(bytes).equals(Buffer.concat(live[at]?.chunks ?? []))).toBe(true);
      expect(mine.every(({ isComplete, isIndependent }) => isComplete && isIndependent)).toBe(true);
      expect(mine.every(({ durationTicks }) => durationTicks > 0)).toBe(true);
      const first = mine[0]?.pieces[0];
      expect(readChunk(block, first?.offset)?.samples.isSync[0]).toBe(1);
    }
    expect(index.splices.length).toBeGreaterThan(2);
    expect(index.splices[0]).toMatchObject({ kind: 'out', eventId: 200, durationMs: 30_000 });
  });

  it('gives the same index when read from its chunks as when read from its index box', async () => {
    const withoutEnd = block.subarray(0, block.length - writeIndexBox(index).length);
    const scanned = await scanBlock(fileOf(withoutEnd), withoutEnd.length);
    expect(scanned?.isFinished).toBe(false);
    expect(scanned?.endBytes).toBe(withoutEnd.length);
    expect(scanned?.index).toEqual(index);
  });

  it('keeps every complete chunk before a cut at any byte, and reports the offset to truncate at', async () => {
    const undamaged = await scanBlock(fileOf(block), block.length);
    const headBytes = index.segments[0]?.pieces[0]?.offset ?? 0;
    const ends = chunkEnds();
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: block.length - 1 }), async (length) => {
        const cut = block.slice(0, length);
        const scanned = await scanBlock(fileOf(cut), length);
        if (!scanned) {
          expect(length).toBeLessThan(headBytes);
          return;
        }
        expect(scanned.head).toEqual(undamaged?.head);
        expect(scanned.endBytes).toBeLessThanOrEqual(length);
        expect(piecesBefore(scanned.index, Infinity)).toBe(
          ends.filter(({ end }) => end <= length).reduce((sum, { size }) => sum + size, 0),
        );
        // A truncated file is valid, also after its index is appended.
        const kept = cut.subarray(0, scanned.endBytes);
        const again = await scanBlock(fileOf(kept), kept.length);
        expect(again).toEqual({ ...scanned, isFinished: false });
        const repaired = Buffer.concat([kept, writeIndexBox(scanned.index)]);
        const finished = await scanBlock(fileOf(repaired), repaired.length);
        expect(finished).toEqual({ ...scanned, endBytes: repaired.length, isFinished: true });
      }),
      { numRuns: RUNS },
    );
  });

  it('loses only the media damaged by zeros at the end or by flipped bits', async () => {
    const sizes = chunkEnds();
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: open.length - 1 }),
        fc.constantFrom<'zeros' | 'bit'>('zeros', 'bit'),
        fc.integer({ min: 0, max: 7 }),
        async (at, fault, bit) => {
          const damaged = Uint8Array.from(open);
          if (fault === 'zeros') damaged.fill(0, at);
          else damaged[at] = (damaged[at] ?? 0) ^ (1 << bit);
          const scanned = await scanBlock(fileOf(damaged), damaged.length);
          if (!scanned) return;
          // Bytes that were zero before count as undamaged.
          let upTo = at;
          while (upTo < open.length && damaged[upTo] === open[upTo]) upTo++;
          expect(scanned.endBytes).toBeLessThanOrEqual(upTo);
          const kept = sizes.filter(({ end }) => end <= upTo).reduce((sum, { size }) => sum + size, 0);
          expect(piecesBefore(scanned.index, Infinity)).toBe(kept);
        },
      ),
      { numRuns: RUNS },
    );
  });
});

/** End of each chunk, from the chunks themselves. */
function chunkEnds(): { end: number; size: number }[] {
  return index.segments.flatMap(({ pieces }) =>
    pieces.flatMap(({ offset, sizeBytes }) => {
      const found: { end: number; size: number }[] = [];
      for (let at = offset; at < offset + sizeBytes;) {
        const end = readChunk(block, at)?.end ?? Infinity;
        found.push({ end, size: end - at });
        at = end;
      }
      return found;
    }),
  );
}
