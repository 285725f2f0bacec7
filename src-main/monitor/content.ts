import type { Fault } from '../../src-preload/contract/api/alarm-faults.ts';
import type { StreamRules } from './alarm-rules.ts';
import type { Reading } from './alarm-watch.ts';
import { isOutside } from './limits.ts';
import { LOUDNESS_ALARMS } from './loudness-conditions.ts';
import type { LoudnessNow } from './loudness/recent-loudness.ts';

/** Alarms of the sound level. */
const SOUND_ALARMS = ['silence', 'silence_frozen', 'level'] as const;
type SoundAlarm = (typeof SOUND_ALARMS)[number];

/** A decoded picture, scaled down. */
export interface ProbedPicture {
  /** Luma, 128 × 72, full range, row by row. */
  readonly luma: Uint8Array;
  /** Presentation time, in epoch milliseconds. */
  readonly atMs: number;
  /** Time without pictures before this one, in milliseconds. It does not count for alarms. */
  readonly gapMs: number;
}

/** A decoded block of sound. Times are epoch milliseconds. */
export interface ProbedSound {
  /** Largest absolute sample; 1 is full scale. */
  readonly peak: number;
  /** Start of the block. */
  readonly fromMs: number;
  /** Time without sound before this block, in milliseconds. It does not count for alarms. */
  readonly gapMs: number;
}

/** State of picture and sound of a stream. Times are epoch milliseconds. */
export interface ProbedContent {
  readonly luma: Uint8Array | null;
  readonly pictureMs: number;
  /** Start of the black picture; null while it is not black. */
  readonly blackSinceMs: number | null;
  /**
   * Start of the frozen picture. Null while the picture moves, and until several pictures were equal, because two
   * pictures of a loop may be equal by chance.
   */
  readonly frozenSinceMs: number | null;
  /** Number of consecutive equal pictures, and the time of the first of them. */
  readonly stillProbes: number;
  readonly stillSinceMs: number;
  /** Peak in dBFS; null without sound. */
  readonly peakDb: number | null;
  /** Start of the faulty level, by alarm; null while the level is good. */
  readonly soundSinceMs: Readonly<Record<SoundAlarm, number | null>>;
  /** Current loudness; null if it is not measured. */
  readonly loudness: LoudnessNow | null;
  /** Time of the last probe. */
  readonly atMs: number;
}

/** State before the first probe. */
export const NOTHING_PROBED: ProbedContent = {
  luma: null,
  pictureMs: 0,
  blackSinceMs: null,
  frozenSinceMs: null,
  stillProbes: 0,
  stillSinceMs: 0,
  peakDb: null,
  soundSinceMs: { silence: null, silence_frozen: null, level: null },
  loudness: null,
  atMs: 0,
};

/** Maximum luma of a black pixel: a tenth of the range, as in FFmpeg's blackdetect. */
const BLACK_LUMA = 25;
/** Minimum share of black pixels in a black picture, as in FFmpeg's blackdetect. */
const BLACK_SHARE = 0.98;
/** Side length of the squares in which motion is detected, in pixels. Motion in one square is enough. */
const SQUARE = 8;
const WIDTH = 128;
/** Maximum mean difference of luma at which a square counts as still. Encoding a picture twice causes smaller differences. */
const STILL_LUMA = 1.5;
/** Number of consecutive equal pictures from which on the picture counts as frozen. */
const STILL_PROBES = 2;
/** Validity of a probe, in milliseconds. The next probe follows earlier, unless the machine is overloaded. */
export const PROBE_VALID_MS = 4000;
/**
 * Minimum gap between two probes after which a fault starts again, in milliseconds, because the content may have changed in the
 * gap.
 */
const MAX_GAP_MS = 8000;
/** Level used for digital silence, in dBFS. */
const LOWEST_DB = -120;

/** Content state after another picture. */
export function addPicture(before: ProbedContent, { luma, atMs, gapMs }: ProbedPicture): ProbedContent {
  const isBlack = isBlackPicture(luma);
  // A black picture does not count as frozen, because it has its own alarm.
  const isNext = before.luma !== null && gapMs <= MAX_GAP_MS;
  const isStill = !isBlack && isNext && isSamePicture(luma, before.luma);
  const stillProbes = isStill ? before.stillProbes + 1 : 0;
  const stillSinceMs = (stillProbes > 1 ? before.stillSinceMs : before.pictureMs) + gapMs;
  return {
    ...before,
    luma,
    pictureMs: atMs,
    stillProbes,
    stillSinceMs,
    blackSinceMs: isBlack ? sinceOf(before.blackSinceMs, gapMs, atMs) : null,
    frozenSinceMs: stillProbes >= STILL_PROBES ? stillSinceMs : null,
  };
}

/** Reports whether two pictures may be the same scene: both black, or equal. */
export function isSameScene(before: ProbedContent, after: ProbedContent): boolean {
  return after.stillProbes > 0 || (before.blackSinceMs !== null && after.blackSinceMs !== null);
}

/** Content state after more sound. */
export function addSound(before: ProbedContent, sound: ProbedSound, rules: StreamRules): ProbedContent {
  const peakDb = Math.max(LOWEST_DB, Math.round(200 * Math.log10(sound.peak)) / 10);
  const since = (alarm: SoundAlarm): number | null =>
    isLevelOf(alarm, peakDb, rules) ? sinceOf(before.soundSinceMs[alarm], sound.gapMs, sound.fromMs) : null;
  const soundSinceMs = { silence: since('silence'), silence_frozen: since('silence_frozen'), level: since('level') };
  return { ...before, peakDb, soundSinceMs };
}

/**
 * Start of a fault: the previous start, moved later by the gap, or the current time if the gap was too long.
 * @param unknownMs time without a probe, which does not count
 */
function sinceOf(beforeMs: number | null, unknownMs: number, nowMs: number): number {
  return beforeMs === null || unknownMs > MAX_GAP_MS ? nowMs : beforeMs + unknownMs;
}

/** Reports whether a level is faulty for an alarm. */
function isLevelOf(alarm: SoundAlarm, peakDb: number, rules: StreamRules): boolean {
  const { min, max } = rules[alarm];
  return alarm === 'level' ? isOutside(peakDb, min, max) : peakDb <= (max ?? LOWEST_DB);
}

/** Reports whether nearly all of a picture is black. */
function isBlackPicture(luma: Uint8Array): boolean {
  let dark = 0;
  for (const value of luma) if (value <= BLACK_LUMA) dark++;
  return dark >= luma.length * BLACK_SHARE;
}

/** Reports whether no square moved between two pictures. */
function isSamePicture(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  const rows = a.length / WIDTH;
  for (let top = 0; top < rows; top += SQUARE)
    for (let left = 0; left < WIDTH; left += SQUARE) {
      let sum = 0;
      for (let row = top; row < top + SQUARE; row++)
        for (let at = row * WIDTH + left; at < row * WIDTH + left + SQUARE; at++)
          sum += Math.abs((a[at] ?? 0) - (b[at] ?? 0));
      if (sum > STILL_LUMA * SQUARE * SQUARE) return false;
    }
  return true;
}

/** End of validity of a content state, in epoch milliseconds. */
export function untilOf(content: ProbedContent | null): number {
  return (content?.atMs ?? 0) + PROBE_VALID_MS;
}

/**
 * Enabled conditions of picture and sound.
 * @param content null if the stream was not probed or gives no frames
 */
export function* contentConditions(
  content: ProbedContent | null,
  rules: StreamRules,
): Generator<
  Reading &
    Fault & {
      readonly alarm: 'black' | 'frozen' | SoundAlarm;
      readonly value?: number | null;
    }
> {
  const { blackSinceMs, frozenSinceMs, peakDb, soundSinceMs } = content ?? NOTHING_PROBED;
  const untilMs = untilOf(content);
  const lasting = (sinceMs: number | null): Reading =>
    sinceMs === null ? { isFaulty: false } : { isFaulty: true, sinceMs, untilMs };
  if (rules.black.isOn) yield { alarm: 'black', ...lasting(blackSinceMs), fault: 'black', facts: {} };
  if (rules.frozen.isOn) yield { alarm: 'frozen', ...lasting(frozenSinceMs), fault: 'frozen', facts: {} };
  const still = frozenSinceMs ?? blackSinceMs;
  for (const alarm of SOUND_ALARMS) {
    const { isOn, min, max } = rules[alarm];
    if (!isOn) continue;
    // The level is compared again, because the limits may have changed since the probe.
    const isFaulty = peakDb !== null && isLevelOf(alarm, peakDb, rules);
    const quietMs = isFaulty ? soundSinceMs[alarm] : null;
    // Silence together with a frozen picture starts at the later of the two starts.
    const sinceMs =
      alarm !== 'silence_frozen' || quietMs === null ? quietMs : still === null ? null : Math.max(quietMs, still);
    const facts = alarm === 'level' ? { value: peakDb, min, max } : { value: peakDb };
    yield { alarm, value: peakDb, ...lasting(sinceMs), fault: SOUND_FAULTS[alarm], facts };
  }
}

const SOUND_FAULTS = {
  silence: 'silent',
  silence_frozen: 'silent_and_frozen',
  level: 'level_out_of_range',
} as const;

/** Parts of a stream that must be decoded. */
export interface Needs {
  readonly picture: boolean;
  readonly sound: boolean;
  /** True if loudness is measured, too. */
  readonly loudness: boolean;
}

/** Parts of a stream that must be decoded for its alarms and its loudness log. */
export function neededContent(rules: StreamRules, isLoudnessLogged: boolean): Needs {
  const needsBoth = rules.silence_frozen.isOn;
  const loudness = isLoudnessLogged || LOUDNESS_ALARMS.some((kind) => rules[kind].isOn);
  return {
    picture: needsBoth || rules.black.isOn || rules.frozen.isOn,
    sound: needsBoth || loudness || rules.silence.isOn || rules.level.isOn,
    loudness,
  };
}
