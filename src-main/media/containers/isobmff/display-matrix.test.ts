import { describe, expect, it } from 'vitest';
import { ffmpeg } from '../../../../tests/helpers/ffmpeg-media.ts';
import { findBox } from './box.ts';
import { writeFileHeader, writeInitSegment } from './init-segment.ts';
import { readMovie } from './movie.ts';

const FILE = ['-f', 'lavfi', '-i', 'testsrc2=size=160x90:rate=25:duration=1', '-c:v', 'libx264', '-f', 'mp4'];
/** Quarter turn to the right, moved back into view. */
const ROTATED = [0, 0x1_0000, 0, 0xffff_0000, 0, 0, 90 * 0x1_0000, 0, 0x4000_0000];
const SCALED = [0x2_0000, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x4000_0000];
/** Offset from the start of `tkhd` of version 0 (ISO/IEC 14496-12, 8.3.2). */
const MATRIX_AT = 8 + 40;

function withMatrix(file: Buffer, matrix: readonly number[]): Buffer {
  const bytes = Buffer.from(file);
  const tkhd = findBox(bytes, ['moov', 'trak', 'tkhd']) ?? expect.fail('no tkhd');
  for (const [index, field] of matrix.entries()) bytes.writeUInt32BE(field, tkhd.start + MATRIX_AT + index * 4);
  return bytes;
}

function matrixOf(file: Uint8Array): readonly number[] | undefined {
  const [movieTrack] = readMovie(file)?.tracks ?? [];
  if (movieTrack?.track.content !== 'video') return expect.fail('no picture');
  return movieTrack.track.displayMatrix;
}

describe('rotation and scale of a file', () => {
  it.each([{ matrix: ROTATED }, { matrix: SCALED }])('stay in the written file: $matrix', ({ matrix }) => {
    const file = ffmpeg([...FILE, '-movflags', 'frag_keyframe+empty_moov']);
    expect(matrixOf(file)).toBeUndefined();
    const turned = withMatrix(file, matrix);
    expect(matrixOf(turned)).toEqual(matrix);
    const track = readMovie(turned)?.tracks[0]?.track ?? expect.fail('no track');
    expect(matrixOf(writeInitSegment(track))).toEqual(matrix);
    expect(matrixOf(writeFileHeader([track], { startTicks: [0] }))).toEqual(matrix);
  });
});
