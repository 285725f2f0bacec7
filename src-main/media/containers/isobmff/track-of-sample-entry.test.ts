import { expect, it } from 'vitest';
import { ffmpeg } from '../../../../tests/helpers/ffmpeg-media.ts';
import { findBox } from './box.ts';
import { readMovie } from './movie.ts';

/** Aspect ratio of a file whose parameter sets state 27:64, with another ratio in the sample entry. */
function aspectOf(entry: readonly [width: number, height: number]): (number | undefined)[] {
  const source = ['-f', 'lavfi', '-i', 'testsrc2=size=320x176:rate=25:duration=0.2', '-c:v', 'libx264'];
  const file = Buffer.from(
    ffmpeg([...source, '-vf', 'setsar=27/64', '-f', 'mp4', '-movflags', 'frag_keyframe+empty_moov']),
  );
  const at = file.indexOf('pasp');
  file.writeUInt32BE(entry[0], at + 4);
  file.writeUInt32BE(entry[1], at + 8);
  // The track header (8.3.2) states the size in square pixels.
  const tkhd = findBox(file, ['moov', 'trak', 'tkhd']) ?? expect.fail('no tkhd');
  file.writeUInt32BE(320 * 0x1_0000, tkhd.end - 8);
  const track = readMovie(file)?.tracks[0]?.track;
  return track?.content === 'video' ? [track.sarWidth, track.sarHeight] : [];
}

it.each([
  { entry: [1, 1], expected: [1, 1], why: 'the entry overrides the parameter sets' },
  { entry: [16, 11], expected: [16, 11], why: 'the entry overrides the parameter sets' },
  { entry: [0x1_0000, 0x1_0000], expected: [1, 1], why: 'the ratio is reduced' },
  { entry: [0, 0], expected: [27, 64], why: 'the entry says nothing' },
] as const)('the pixel aspect ratio with the sample entry $entry is $expected: $why', ({ entry, expected }) => {
  expect(aspectOf(entry)).toEqual(expected);
});

/** Picture size of a file whose sample entry states another size. */
function sizeOf(coded: string, width: number, height: number): (number | undefined)[] {
  const source = ['-f', 'lavfi', '-i', `testsrc2=size=${coded}:rate=25:duration=0.2`, '-c:v', 'libx264'];
  const file = Buffer.from(ffmpeg([...source, '-f', 'mp4', '-movflags', 'frag_keyframe+empty_moov']));
  const stsd = findBox(file, ['moov', 'trak', 'mdia', 'minf', 'stbl', 'stsd']) ?? expect.fail('no stsd');
  // VisualSampleEntry (ISO/IEC 14496-12, 12.1.3).
  file.writeUInt16BE(width, stsd.bodyStart + 8 + 32);
  file.writeUInt16BE(height, stsd.bodyStart + 8 + 34);
  const track = readMovie(file)?.tracks[0]?.track;
  return track?.content === 'video' ? [track.width, track.height] : [];
}

it.each([
  { coded: '1920x1088', entry: [1920, 1080], expected: [1920, 1080], why: 'less than a macroblock is left out' },
  { coded: '1920x1088', entry: [1920, 1072], expected: [1920, 1088], why: 'a whole macroblock would be' },
  { coded: '1920x1080', entry: [1920, 1072], expected: [1920, 1080], why: 'the parameter sets crop' },
  { coded: '320x176', entry: [640, 352], expected: [320, 176], why: 'the entry is larger' },
  { coded: '320x176', entry: [0, 0], expected: [320, 176], why: 'the entry says nothing' },
])('the size of $coded pictures with the sample entry $entry is $expected: $why', ({ coded, entry, expected }) => {
  expect(sizeOf(coded, entry[0] ?? 0, entry[1] ?? 0)).toEqual(expected);
});
