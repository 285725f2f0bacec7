import { LoudnessMeter, type SoundMeasurement, type PackedUnits, type SoundForm } from './loudness-meter.ts';

/**
 * Position of sound in a stream whose loudness is measured. Sound that follows the sound of the previous call directly is
 * measured together with it.
 */
export interface SoundPosition {
  /** Id of the stream. */
  readonly key: string;
  /** Start and end, in milliseconds. */
  readonly fromMs: number;
  readonly toMs: number;
}

/** Maximum number of streams with loudness measurement; the least recently used is dropped. */
const MAX_METERS = 500;
/** Maximum gap or overlap of continuous sound, in milliseconds. */
const JOIN_MS = 50;

interface CachedMeter {
  readonly meter: LoudnessMeter;
  readonly form: SoundForm;
  readonly toMs: number;
}

/** Loudness meters of this process by stream. */
const cache = new Map<string, CachedMeter>();

/** Measures sound as the continuation of the previous call at this position; without a position, only its peak. */
export function measureSound(form: SoundForm, units: PackedUnits, position: SoundPosition | null): SoundMeasurement {
  if (!position) {
    const meter = new LoudnessMeter(form, false);
    try {
      return meter.measure(units);
    } finally {
      meter.close();
    }
  }
  const { key, fromMs, toMs } = position;
  const before = cache.get(key);
  cache.delete(key);
  const isContinued = before && Math.abs(before.toMs - fromMs) <= JOIN_MS && isSameForm(before.form, form);
  if (!isContinued) before?.meter.close();
  const meter = isContinued ? before.meter : new LoudnessMeter(form, true);
  try {
    const measurement = meter.measure(units);
    forgetOldest();
    cache.set(key, { meter, form, toMs });
    return measurement;
  } catch (error) {
    meter.close();
    throw error;
  }
}

function forgetOldest(): void {
  if (cache.size < MAX_METERS) return;
  for (const [key, { meter }] of cache) {
    meter.close();
    cache.delete(key);
    return;
  }
}

function isSameForm(a: SoundForm, b: SoundForm): boolean {
  return a.codec === b.codec && Buffer.compare(a.decoderConfig, b.decoderConfig) === 0;
}
