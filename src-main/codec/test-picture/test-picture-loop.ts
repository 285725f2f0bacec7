import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import { type EncodedTrack, encodePictures, encodeTone } from './loop-encoder.ts';
import { INDEX_FIELDS, type TestPictureLoop } from './loop-file.ts';
import { planLoop, TONE_SAMPLE_RATE, TONE_SAMPLES_PER_FRAME } from './loop-plan.ts';
import { type TestPictureOptions, testPictureFault } from './test-picture-options.ts';
import { drawTone } from './test-tone.ts';

const IS_RANDOM_ACCESS = 1;
const IS_AUDIO = 2;

/** Draws and encodes one loop of a test picture. Takes seconds of one core, so run it in a separate process. */
export function makeTestPictureLoop(options: TestPictureOptions): TestPictureLoop {
  const fault = testPictureFault(options);
  if (fault) throw new AirdeskError('bad_request', fault);
  const plan = planLoop(options);
  if (!plan)
    throw new AirdeskError('bad_request', 'no short loop of this frame rate holds a whole number of audio frames');

  const pictures = encodePictures(options, plan);
  const tone = encodeTone(drawTone(options, plan), plan);
  if (pictures.units.length !== plan.pictures || tone.units.length !== plan.audioFrames) {
    throw new AirdeskError('internal', 'The encoders returned fewer frames than they received');
  }

  const ticksPerPicture = (90_000 * options.fpsDenominator) / options.fpsNumerator;
  const ticksPerSample = 90_000 / TONE_SAMPLE_RATE;
  const units = [...timed(pictures, ticksPerPicture, 0), ...timed(tone, ticksPerSample, IS_AUDIO)].sort(
    (a, b) => a.dts - b.dts,
  );
  const index = new SharedArrayBuffer(units.length * INDEX_FIELDS * 4);
  const numbers = new Int32Array(index);
  const bytes = new SharedArrayBuffer(units.reduce((sum, unit) => sum + unit.data.length, 0));
  const target = new Uint8Array(bytes);
  let offset = 0;
  units.forEach((unit, i) => {
    target.set(unit.data, offset);
    numbers.set([offset, unit.data.length, unit.dts, unit.pts, unit.flags], i * INDEX_FIELDS);
    offset += unit.data.length;
  });

  const { width, height, fpsNumerator, fpsDenominator } = options;
  return {
    video: { decoderConfig: pictures.decoderConfig, width, height, fpsNumerator, fpsDenominator },
    audio: {
      decoderConfig: tone.decoderConfig,
      sampleRate: TONE_SAMPLE_RATE,
      channels: 2,
      samplesPerFrame: TONE_SAMPLES_PER_FRAME,
    },
    loopTicks: plan.loopTicks,
    units: units.length,
    index,
    bytes,
  };
}

function timed(
  track: EncodedTrack,
  ticks: number,
  flags: number,
): { dts: number; pts: number; flags: number; data: Buffer }[] {
  return track.units.map((unit) => ({
    dts: Math.round(unit.dts * ticks),
    pts: Math.round(unit.pts * ticks),
    flags: flags + (unit.isRandomAccess ? IS_RANDOM_ACCESS : 0),
    data: unit.data,
  }));
}
