import { expect, it } from 'vitest';
import { ffmpeg } from '../../../../tests/helpers/ffmpeg-media.ts';
import { RecordingSink } from '../../../../tests/helpers/recording-sink.ts';
import { MpegTsReader } from './reader.ts';

const FRAME_TICKS = 9000;

/** Eight seconds of pictures without reordering, with one PTS each. */
function programme(size: string): Uint8Array {
  const source = ['-f', 'lavfi', '-i', `testsrc2=s=${size}:r=10`, '-t', '8'];
  return ffmpeg([
    ...source,
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-g',
    '20',
    '-pix_fmt',
    'yuv420p',
    '-f',
    'mpegts',
  ]);
}

it('MpegTsReader follows presentation times that step back by seconds, and does not mistake the step for reordering', () => {
  const sink = new RecordingSink();
  const reader = new MpegTsReader(sink, { isLive: true });
  for (const size of ['64x64', '96x64']) reader.push(programme(size));
  reader.flush();
  const times = sink.units().map(({ dtsTicks }) => dtsTicks);
  const steps = times.slice(1).map((ticks, index) => ticks - (times[index] ?? 0));
  expect(steps.filter((step) => step !== FRAME_TICKS)).toHaveLength(1);
  expect(Math.min(...steps)).toBeLessThan(-7 * 90_000);
});
