import { describe, expect, it } from 'vitest';
import { testMedia } from '../../../../tests/helpers/test-media.ts';
import { bodyOf, findBox, readBoxes } from './box.ts';
import { readFileType } from './file-type.ts';
import { writeFileHeader, writeInitSegment } from './init-segment.ts';
import { readMovie } from './movie.ts';
import { readTrackHeader } from './track-header.ts';

const { video, audio } = testMedia();
const second = { ...audio, id: 'a2' };

function brandOf(bytes: Uint8Array): string | undefined {
  const box = findBox(bytes, ['ftyp']);
  return box && readFileType(bodyOf(bytes, box))?.majorBrand;
}

function headersOf(bytes: Uint8Array): unknown[] {
  const moov = findBox(bytes, ['moov']);
  return readBoxes(bytes, moov?.bodyStart, moov?.end)
    .filter(({ type }) => type === 'trak')
    .map((trak) => {
      const tkhd = findBox(bytes, ['tkhd'], trak.bodyStart, trak.end);
      const { trackId, isEnabled, alternateGroup } = (tkhd && readTrackHeader(bodyOf(bytes, tkhd))) ?? {};
      return [trackId, isEnabled, alternateGroup];
    });
}

describe('the header of a file', () => {
  it('is a CMAF header for a single track only', () => {
    expect(brandOf(writeInitSegment(video))).toBe('cmfc');
    expect(headersOf(writeInitSegment(second))).toEqual([[4, true, 0]]);
    expect(brandOf(writeInitSegment(video, audio))).toBe('iso6');
  });

  it('numbers tracks like their chunks, and enables one track of each kind', () => {
    expect(headersOf(writeInitSegment(video, audio, second))).toEqual([
      [1, true, 0],
      [2, true, 2],
      [4, false, 2],
    ]);
  });

  it('contains the first media time and the duration', () => {
    const startTicks = [162_000_000_000_000, 86_400_000_000_000];
    const bytes = writeFileHeader([video, audio], { startTicks, durationMs: 2 ** 40 });
    const movie = readMovie(bytes);
    expect(movie?.isFragmented).toBe(true);
    expect(movie?.tracks.map(({ fileTrackId, shiftTicks }) => [fileTrackId, shiftTicks])).toEqual([
      [1, -162_000_000_000_000],
      [2, -86_400_000_000_000],
    ]);
    expect(movie?.tracks.map(({ track: { decoderConfig } }) => Buffer.from(decoderConfig))).toEqual(
      [video, audio].map(({ decoderConfig }) => Buffer.from(decoderConfig)),
    );
    const mehd = findBox(bytes, ['moov', 'mvex', 'mehd']);
    expect(mehd && [bodyOf(bytes, mehd).u32() >>> 24, mehd.end - mehd.bodyStart]).toEqual([1, 12]);
    expect(findBox(writeFileHeader([video], { startTicks: [0] }), ['moov', 'mvex', 'mehd'])).toBeUndefined();
  });
});
