import { AVMEDIA_TYPE_AUDIO } from 'node-av/constants';
import type { Frame } from 'node-av/lib';
import { LoudnessMeter } from '../sound/loudness-meter.ts';
import { measuringChain, SILENCE_LUFS, type Loudness } from './clip-filters.ts';
import { ClipSource } from './clip-source.ts';
import type { ClipEdit, ClipSound, CodedSound } from './clip-target.ts';

/** Metadata keys of FFmpeg's ebur128 filter. */
const KEYS = { lufs: 'lavfi.r128.I', peakDb: 'lavfi.r128.true_peaks_ch' } as const;
const MAX_CHANNELS = 8;
/** Number of loudness values for each 100 ms; the momentary loudness is the first. */
const VALUES_PER_STEP = 3;
/** Gate of ITU-R BS.1770: 10 LU below the mean, as a factor of the power. */
const RELATIVE_GATE = 0.1;

/**
 * Measures the loudness of a file after its edits; undefined without sound, or for silence.
 * @param between called after each step with the progress, 0 to 1
 */
export async function fileLoudness(
  path: string,
  sound: ClipSound,
  edits: readonly ClipEdit[],
  between: (part: number) => Promise<void>,
): Promise<Loudness | undefined> {
  const source = new ClipSource(path, 1, [AVMEDIA_TYPE_AUDIO]);
  try {
    const track = source.track(AVMEDIA_TYPE_AUDIO);
    if (!track) return undefined;
    track.chain = measuringChain(sound, edits);
    const meter = new Meter();
    for (let isRunning = true; isRunning;) {
      isRunning = source.read();
      for (let frame = track.next(); frame; frame = track.next()) meter.take(frame);
      await between(source.durationS > 0 ? Math.min(1, track.atS / source.durationS) : 0);
    }
    return meter.loudness;
  } finally {
    source.close();
  }
}

/** Loudness of coded sound, in LUFS; undefined for silence. Throws `codec_bad_frame` if it cannot be decoded. */
export function codedLoudness({ units, ...form }: CodedSound): number | undefined {
  const meter = new LoudnessMeter(form, true);
  try {
    const { loudness } = meter.measure(units);
    return integrated(loudness.filter((_value, at) => at % VALUES_PER_STEP === 0));
  } finally {
    meter.close();
  }
}

/**
 * Integrated loudness from momentary values for each 100 ms, with the two gates of ITU-R BS.1770; undefined for
 * silence.
 */
export function integrated(momentary: Iterable<number>): number | undefined {
  const powers = [...momentary].filter((lufs) => lufs > SILENCE_LUFS).map((lufs) => 10 ** (lufs / 10));
  if (powers.length === 0) return undefined;
  const gate = mean(powers) * RELATIVE_GATE;
  return 10 * Math.log10(mean(powers.filter((power) => power > gate)));
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Keeps the values of the newest frame; they apply to all frames so far. */
class Meter {
  #loudness: Loudness | undefined;

  get loudness(): Loudness | undefined {
    return this.#loudness && this.#loudness.lufs > SILENCE_LUFS ? this.#loudness : undefined;
  }

  /** Reads the values of a frame, and frees the frame. */
  take(frame: Frame): void {
    const facts = frame.getMetadata();
    const read = (key: string): number => Number(facts?.get(key) ?? Number.NaN);
    const lufs = read(KEYS.lufs);
    if (Number.isFinite(lufs)) {
      let peak = 0;
      for (let channel = 0; channel < MAX_CHANNELS; channel++)
        peak = Math.max(peak, read(`${KEYS.peakDb}${channel}`) || 0);
      // The filter reports peaks as a share of full scale.
      const peakDb = Math.max(-99, 20 * Math.log10(Math.max(peak, 1e-6)));
      this.#loudness = {
        lufs,
        peakDb: Math.max(peakDb, this.#loudness?.peakDb ?? -99),
      };
    }
    frame.free();
  }
}
