/** Options of a test picture. Equal values give the same loop, so their hash names the cache file. */
export interface TestPictureOptions {
  /** Width and height in pixels, both even. */
  readonly width: number;
  readonly height: number;
  /** Frames per second as a fraction: 25/1, 30000/1001. */
  readonly fpsNumerator: number;
  readonly fpsDenominator: number;
  /** Distance of key frames, in frames. */
  readonly gopFrames: number;
  /** Target bitrate of the video, in kbit/s. */
  readonly bitrateKbps: number;
  /** Number of B-pictures between two references; 0 for equal decoding and presentation order. */
  readonly bFrames: number;
}

/** Minimum and maximum of each option accepted by a codec process. */
const TEST_PICTURE_LIMITS = {
  width: [64, 3840],
  height: [36, 2160],
  fps: [1, 60],
  gopFrames: [1, 900],
  bitrateKbps: [20, 50_000],
  bFrames: [0, 4],
} as const;

/** Fault of the options; undefined if they are valid. */
export function testPictureFault(options: TestPictureOptions): string | undefined {
  const { width, height, fpsNumerator, fpsDenominator, gopFrames, bitrateKbps, bFrames } = options;
  const integers = [width, height, fpsNumerator, fpsDenominator, gopFrames, bitrateKbps, bFrames];
  if (!integers.every((value) => Number.isSafeInteger(value))) return 'options of a test picture are whole numbers';
  if (width % 2 !== 0 || height % 2 !== 0) return 'width and height are even';
  const within = (value: number, [low, high]: readonly [number, number]): boolean => value >= low && value <= high;
  if (!within(width, TEST_PICTURE_LIMITS.width) || !within(height, TEST_PICTURE_LIMITS.height))
    return 'width or height is out of range';
  if (fpsDenominator < 1 || !within(fpsNumerator / fpsDenominator, TEST_PICTURE_LIMITS.fps))
    return 'the frame rate is out of range';
  if (!within(gopFrames, TEST_PICTURE_LIMITS.gopFrames)) return 'the distance of key frames is out of range';
  if (!within(bitrateKbps, TEST_PICTURE_LIMITS.bitrateKbps)) return 'the bitrate is out of range';
  if (!within(bFrames, TEST_PICTURE_LIMITS.bFrames)) return 'the number of B-pictures is out of range';
  return undefined;
}
