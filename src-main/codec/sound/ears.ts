import { Ear, type Heard, type PackedUnits, type SoundForm } from './ear.ts';

/** Where sound stands in a stream whose loudness is measured: what goes on where the last call ended is measured as one. */
export interface SoundPlace {
  /** Names the stream. */
  readonly key: string;
  /** Begin and end, in milliseconds. */
  readonly fromMs: number;
  readonly toMs: number;
}

/** Streams whose sound is measured at most; the one that was heard longest ago is forgotten. */
const MOST_EARS = 500;
/** So much may begin and end be apart where sound goes on, in milliseconds. */
const JOIN_MS = 50;

interface Kept {
  readonly ear: Ear;
  readonly form: SoundForm;
  readonly toMs: number;
}

/** The streams whose loudness is measured in this process. */
const kept = new Map<string, Kept>();

/** Hears sound once, or as what goes on from the last time. */
export function hearSound(form: SoundForm, units: PackedUnits, place: SoundPlace | null): Heard {
  if (!place) {
    const ear = new Ear(form, false);
    try {
      return ear.hear(units);
    } finally {
      ear.close();
    }
  }
  const { key, fromMs, toMs } = place;
  const before = kept.get(key);
  kept.delete(key);
  const goesOn = before && Math.abs(before.toMs - fromMs) <= JOIN_MS && isSameForm(before.form, form);
  if (!goesOn) before?.ear.close();
  const ear = goesOn ? before.ear : new Ear(form, true);
  try {
    const heard = ear.hear(units);
    forgetOldest();
    kept.set(key, { ear, form, toMs });
    return heard;
  } catch (error) {
    ear.close();
    throw error;
  }
}

function forgetOldest(): void {
  if (kept.size < MOST_EARS) return;
  for (const [key, { ear }] of kept) {
    ear.close();
    kept.delete(key);
    return;
  }
}

function isSameForm(a: SoundForm, b: SoundForm): boolean {
  return a.codec === b.codec && Buffer.compare(a.decoderConfig, b.decoderConfig) === 0;
}
