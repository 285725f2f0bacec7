import { describe, expect, it } from 'vitest';
import { ffmpeg } from '../../../../tests/helpers/ffmpeg-media.ts';
import { findBox } from './box.ts';
import { writeFileHeader, writeInitSegment } from './init-segment.ts';
import { readMovie } from './movie.ts';

const FILE = ['-f', 'lavfi', '-i', 'testsrc2=size=160x90:rate=25:duration=1', '-c:v', 'libx264', '-f', 'mp4'];
/** A quarter turn to the right, moved back into view. */
const ROTATED = [0, 0x1_0000, 0, 0xffff_0000, 0, 0, 90 * 0x1_0000, 0, 0x4000_0000];
const SCALED = [0x2_0000, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x4000_0000];
/** Offset from the start of a `tkhd` of version 0 (ISO/IEC 14496-12, 8.3.2). */
const MATRIX_AT = 8 + 40;

function withMatrix(file: Buffer, matrix: readonly number[]): Buffer {
  const bytes = Buffer.from(file);
  const tkhd = findBox(bytes, ['moov', 'trak', 'tkhd']) ?? expect.fail('no tkhd');
  for (const [index, field] of matrix.entries()) bytes.writeUInt32BE(field, tkhd.start + MATRIX_AT + index * 4);
  return bytes;
}

function withSize(file: Buffer, width: number, height: number): Buffer {
  const bytes = Buffer.from(file);
  const tkhd = findBox(bytes, ['moov', 'trak', 'tkhd']) ?? expect.fail('no tkhd');
  bytes.writeUInt32BE(width * 0x1_0000, tkhd.end - 8);
  bytes.writeUInt32BE(height * 0x1_0000, tkhd.end - 4);
  return bytes;
}

function aspectOf(file: Uint8Array): readonly number[] {
  const [movieTrack] = readMovie(file)?.tracks ?? [];
  if (movieTrack?.track.content !== 'video') return expect.fail('no picture');
  return [movieTrack.track.sarWidth, movieTrack.track.sarHeight];
}

function matrixOf(file: Uint8Array): readonly number[] | undefined {
  const [movieTrack] = readMovie(file)?.tracks ?? [];
  if (movieTrack?.track.content !== 'video') return expect.fail('no picture');
  return movieTrack.track.displayMatrix;
}

describe('the display matrix of a file', () => {
  it.each([{ matrix: ROTATED }, { matrix: SCALED }])('is kept in written files: $matrix', ({ matrix }) => {
    const file = ffmpeg([...FILE, '-movflags', 'frag_keyframe+empty_moov']);
    expect(matrixOf(file)).toBeUndefined();
    const turned = withMatrix(file, matrix);
    expect(matrixOf(turned)).toEqual(matrix);
    const track = readMovie(turned)?.tracks[0]?.track ?? expect.fail('no track');
    expect(matrixOf(writeInitSegment(track))).toEqual(matrix);
    expect(matrixOf(writeFileHeader([track], { startTicks: [0] }))).toEqual(matrix);
  });
});

describe('the pixel aspect ratio of a file', () => {
  it.each([
    { name: 'twice as wide', size: [320, 90], expected: [2, 1] },
    { name: 'twice as high', size: [160, 180], expected: [1, 2] },
    { name: 'as 16:10', size: [144, 90], expected: [9, 10] },
    { name: 'scaled only', size: [320, 180], expected: [1, 1] },
    { name: 'rounded', size: [160, 89], expected: [1, 1] },
    { name: 'absent', size: [0, 0], expected: [1, 1] },
    { name: 'stated after a rotation', size: [90, 160], expected: [1, 1] },
    { name: 'implausible', size: [1, 30_000], expected: [1, 1] },
  ])('is derived from the display size of the track: $name', ({ size: [width = 0, height = 0], expected }) => {
    const sized = withSize(ffmpeg([...FILE, '-movflags', 'frag_keyframe+empty_moov']), width, height);
    expect(aspectOf(sized)).toEqual(expected);
    const track = readMovie(sized)?.tracks[0]?.track ?? expect.fail('no track');
    expect(aspectOf(writeInitSegment(track))).toEqual(expected);
  });

  it('is that of the bitstream if the bitstream has one', () => {
    const file = ffmpeg([...FILE.slice(0, -2), '-aspect', '4:3', '-movflags', 'frag_keyframe+empty_moov', '-f', 'mp4']);
    expect(aspectOf(file)).toEqual([3, 4]);
    expect(aspectOf(withSize(file, 320, 90))).toEqual([3, 4]);
  });
});
