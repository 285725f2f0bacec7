import { describe, expect, it } from 'vitest';
import {
  kWeighting,
  loudnessFraction,
  meanSquare,
  ShortTermLoudness,
  type FilterCoefficients,
} from './short-term-loudness.ts';

/** Reference implementation of `IIRFilterNode`. */
function filtered(samples: Float32Array, { feedforward: b, feedback: a }: FilterCoefficients): Float32Array {
  const out = new Float32Array(samples.length);
  for (let n = 0; n < samples.length; n++) {
    let value = 0;
    for (let k = 0; k < 3; k++)
      value += (b[k] ?? 0) * (samples[n - k] ?? 0) - (k > 0 ? (a[k] ?? 0) * (out[n - k] ?? 0) : 0);
    out[n] = value;
  }
  return out;
}
/** Loudness of a tone in some channels. */
function loudnessOf(hertz: number, dbfs: number, channels: readonly boolean[], sampleRate = 48_000): number | null {
  const tone = Float32Array.from(
    { length: sampleRate },
    (_, n) => 10 ** (dbfs / 20) * Math.sin((2 * Math.PI * hertz * n) / sampleRate),
  );
  const [head, low] = kWeighting(sampleRate);
  const power = meanSquare(filtered(filtered(tone, head), low).subarray(sampleRate / 2));
  const loudness = new ShortTermLoudness();
  for (let ms = 0; ms <= 4000; ms += 40)
    loudness.feed(
      channels.map((isOn) => (isOn ? power : 0)),
      ms,
    );
  return loudness.lufs;
}

describe('short-term loudness', () => {
  it.each([
    // EBU Tech 3341, cases 1 and 2; ITU-R BS.1770: a tone of 997 Hz in one channel at full scale is -3.01 LUFS.
    [1000, -23, [true, true], -23],
    [1000, -33, [true, true], -33],
    [997, 0, [true, false], -3.01],
    // Low frequencies weigh less, the LFE channel does not count, and surround channels weigh more.
    [1000, -20, [false, false, false, true, false, false], null],
    [1000, -24, [true, true, true, false, true, true], -23 + 10 * Math.log10((3 + 2 * 1.41) / 2) - 1],
  ] as const)('of %i Hz at %i dBFS in %j is %s LUFS', (hertz, dbfs, channels, lufs) => {
    const found = loudnessOf(hertz, dbfs, channels);
    if (lufs === null) expect(found).toBeNull();
    else expect(found).toBeCloseTo(lufs, 1);
  });

  it('is the same at other sample rates', () => {
    expect(loudnessOf(1000, -23, [true, true], 44_100)).toBeCloseTo(-23, 1);
  });

  it('covers only the last three seconds, and is null for silence', () => {
    const loudness = new ShortTermLoudness();
    loudness.feed([1], 0);
    loudness.feed([0.01], 3000);
    expect(loudness.lufs).toBeCloseTo(-20.69, 1);
    loudness.feed([0], 6000);
    expect(loudness.lufs).toBeNull();
    expect([new ShortTermLoudness().lufs, meanSquare(new Float32Array())]).toEqual([null, 0]);
    expect([-50, -41, -23, -14, 0].map(loudnessFraction)).toEqual([0, 0, 18 / 27, 1, 1]);
  });
});
