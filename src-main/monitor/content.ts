import type { Fault } from '../../src-preload/contract/api/alarm-words.ts';
import type { StreamRules } from './alarm-rules.ts';
import type { Reading } from './alarm-watch.ts';
import { isOutside } from './limits.ts';
import { LOUDNESS_ALARMS } from './loudness/loudness-conditions.ts';
import type { LoudnessNow } from './loudness/recent-loudness.ts';

/** Alarms of the level of the sound. */
const SOUND_ALARMS = ['silence', 'silence_frozen', 'level'] as const;
type SoundAlarm = (typeof SOUND_ALARMS)[number];

/** A small picture. */
export interface SeenPicture {
  /** Luma, 128 × 72, full range, row by row. */
  readonly luma: Uint8Array;
  /** When it was shown, epoch milliseconds. */
  readonly atMs: number;
  /** How long before it nothing was looked at, in milliseconds: that time counts for no alarm. */
  readonly unseenMs: number;
}

/** Sound that follows on what was heard before. Times are epoch milliseconds. */
export interface HeardSound {
  /** Largest absolute sample, 1 is full scale. */
  readonly peak: number;
  /** When it began. */
  readonly fromMs: number;
  /** How long before it nothing was heard, in milliseconds. */
  readonly unheardMs: number;
}

/** What was seen and heard of a stream. Times are epoch milliseconds. */
export interface SeenContent {
  readonly luma: Uint8Array | null;
  readonly pictureMs: number;
  /** Since when the picture is black; null while it is not. */
  readonly blackSinceMs: number | null;
  /** Since when it does not move; null while it does, and until that was seen more than once: of a loop two pictures may be the same. */
  readonly frozenSinceMs: number | null;
  /** How often in a row it was the same as before, and since when. */
  readonly stillLooks: number;
  readonly stillSinceMs: number;
  /** In dBFS; null without sound. */
  readonly peakDb: number | null;
  /** Since when the level is what an alarm is for; null while it is not. */
  readonly soundSinceMs: Readonly<Record<SoundAlarm, number | null>>;
  /** Null where it is not measured. */
  readonly loudness: LoudnessNow | null;
  /** When was looked. */
  readonly atMs: number;
}

/** A stream before it is looked at. */
export const NOTHING_SEEN: SeenContent = {
  ...{ luma: null, pictureMs: 0, blackSinceMs: null, frozenSinceMs: null, stillLooks: 0, stillSinceMs: 0 },
  ...{ peakDb: null, soundSinceMs: { silence: null, silence_frozen: null, level: null }, loudness: null, atMs: 0 },
};

/** Luma up to here is black: a tenth of the range, as blackdetect of FFmpeg has it. */
const BLACK_LUMA = 25;
/** So much of a picture is black in a black one, as there. */
const BLACK_SHARE = 0.98;
/** Squares of a picture, in pixels; what moves in one alone counts. */
const SQUARE = 8;
const WIDTH = 128;
/** A square that differs by less on average has not moved: coding the same picture again differs by that. */
const STILL_LUMA = 1.5;
/** So often in a row a picture is the same before it is frozen. */
const STILL_LOOKS = 2;
/** What was seen holds for so long, in milliseconds: until the next look, where the machine has time. What comes after is not known. */
export const SEEN_MS = 4000;
/** After so long without a look nothing goes on, in milliseconds: a scene may have come and gone. */
const MOST_UNKNOWN_MS = 8000;
/** The level that digital silence is given, in dBFS. */
const LOWEST_DB = -120;

/** What is known after another picture. */
export function seePicture(before: SeenContent, { luma, atMs, unseenMs }: SeenPicture): SeenContent {
  const isBlack = isBlackPicture(luma);
  // Black has an alarm of its own.
  const isNext = before.luma !== null && unseenMs <= MOST_UNKNOWN_MS;
  const isStill = !isBlack && isNext && isSamePicture(luma, before.luma);
  const stillLooks = isStill ? before.stillLooks + 1 : 0;
  const stillSinceMs = (stillLooks > 1 ? before.stillSinceMs : before.pictureMs) + unseenMs;
  return {
    ...before,
    ...{ luma, pictureMs: atMs, stillLooks, stillSinceMs },
    blackSinceMs: isBlack ? sinceOf(before.blackSinceMs, unseenMs, atMs) : null,
    frozenSinceMs: stillLooks >= STILL_LOOKS ? stillSinceMs : null,
  };
}

/** Whether a picture may be what it was before: black both times, or the same. */
export function goesOn(before: SeenContent, after: SeenContent): boolean {
  return after.stillLooks > 0 || (before.blackSinceMs !== null && after.blackSinceMs !== null);
}

/** What is known after more sound. */
export function hearSound(before: SeenContent, sound: HeardSound, rules: StreamRules): SeenContent {
  const peakDb = Math.max(LOWEST_DB, Math.round(200 * Math.log10(sound.peak)) / 10);
  const since = (alarm: SoundAlarm): number | null =>
    isLevelOf(alarm, peakDb, rules) ? sinceOf(before.soundSinceMs[alarm], sound.unheardMs, sound.fromMs) : null;
  const soundSinceMs = { silence: since('silence'), silence_frozen: since('silence_frozen'), level: since('level') };
  return { ...before, peakDb, soundSinceMs };
}

/** Since when something lasts that lasted before, or begins now. @param unknownMs how long it was not known, which counts for nothing */
function sinceOf(beforeMs: number | null, unknownMs: number, nowMs: number): number {
  return beforeMs === null || unknownMs > MOST_UNKNOWN_MS ? nowMs : beforeMs + unknownMs;
}

/** Whether an alarm is for a level. */
function isLevelOf(alarm: SoundAlarm, peakDb: number, rules: StreamRules): boolean {
  const { min, max } = rules[alarm];
  return alarm === 'level' ? isOutside(peakDb, min, max) : peakDb <= (max ?? LOWEST_DB);
}

/** Whether nearly all of a picture is black. */
function isBlackPicture(luma: Uint8Array): boolean {
  let dark = 0;
  for (const value of luma) if (value <= BLACK_LUMA) dark++;
  return dark >= luma.length * BLACK_SHARE;
}

/** Whether nothing moved from one picture to the other. */
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

/** Until when what was seen and heard is known, epoch milliseconds. */
export function untilOf(content: SeenContent | null): number {
  return (content?.atMs ?? 0) + SEEN_MS;
}

/** The conditions of picture and sound that are asked for. @param content null where nothing was looked at, or nothing comes */
export function* contentConditions(
  content: SeenContent | null,
  rules: StreamRules,
): Generator<
  Reading &
    Fault & {
      readonly alarm: 'black' | 'frozen' | SoundAlarm;
      readonly value?: number | null;
    }
> {
  const { blackSinceMs, frozenSinceMs, peakDb, soundSinceMs } = content ?? NOTHING_SEEN;
  const untilMs = untilOf(content);
  const lasting = (sinceMs: number | null): Reading =>
    sinceMs === null ? { isFaulty: false } : { isFaulty: true, sinceMs, untilMs };
  if (rules.black.isOn) yield { alarm: 'black', ...lasting(blackSinceMs), fault: 'black', facts: {} };
  if (rules.frozen.isOn) yield { alarm: 'frozen', ...lasting(frozenSinceMs), fault: 'frozen', facts: {} };
  const still = frozenSinceMs ?? blackSinceMs;
  for (const alarm of SOUND_ALARMS) {
    const { isOn, min, max } = rules[alarm];
    if (!isOn) continue;
    // What was heard before the limits were changed says little of them.
    const isSo = peakDb !== null && isLevelOf(alarm, peakDb, rules);
    const quietMs = isSo ? soundSinceMs[alarm] : null;
    // Both at once, since the later of them.
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

/** What of a stream has to be decoded. */
export interface Needs {
  readonly picture: boolean;
  readonly sound: boolean;
  /** Whether the loudness of the sound is measured, too. */
  readonly loudness: boolean;
}

/** What of a stream has to be decoded for its alarms, and its log of loudness. */
export function needsLooks(rules: StreamRules, isLoudnessLogged: boolean): Needs {
  const isBoth = rules.silence_frozen.isOn;
  const loudness = isLoudnessLogged || LOUDNESS_ALARMS.some((kind) => rules[kind].isOn);
  return {
    picture: isBoth || rules.black.isOn || rules.frozen.isOn,
    sound: isBoth || loudness || rules.silence.isOn || rules.level.isOn,
    loudness,
  };
}
