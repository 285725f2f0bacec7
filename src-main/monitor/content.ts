import type { Fault } from '../../src-preload/contract/api/alarm-words.ts';
import type { StreamRules } from './alarm-rules.ts';
import type { Reading } from './alarm-watch.ts';
import { isOutside } from './limits.ts';
import { LOUDNESS_ALARMS } from './loudness/loudness-conditions.ts';
import type { LoudnessNow } from './loudness/recent-loudness.ts';

/** A small picture and the peak of the sound since the look before; null for what there is nothing of. */
export interface Look {
  /** Luma, 128 × 72, full range, row by row. */
  readonly luma: Uint8Array | null;
  /** Largest absolute sample, 1 is full scale. */
  readonly peak: number | null;
}

/** What was seen and heard of a stream. Times are epoch milliseconds. */
export interface SeenContent {
  readonly luma: Uint8Array | null;
  /** Since when the picture is black; null while it is not. */
  readonly blackSinceMs: number | null;
  /** Since when it does not move; null while it does, and until that was seen more than once: of a loop two pictures may be the same. */
  readonly frozenSinceMs: number | null;
  /** How often in a row it was the same as before, and since when. */
  readonly stillLooks: number;
  readonly stillSinceMs: number;
  /** In dBFS; null without sound. */
  readonly peakDb: number | null;
  /** Null where it is not measured. */
  readonly loudness: LoudnessNow | null;
  /** When was looked. */
  readonly atMs: number;
}

/** A stream before it is looked at. */
export const NOTHING_SEEN: SeenContent = {
  ...{ luma: null, blackSinceMs: null, frozenSinceMs: null, stillLooks: 0, stillSinceMs: 0 },
  ...{ peakDb: null, loudness: null, atMs: 0 },
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
const SEEN_MS = 4000;
/** The level that digital silence is given, in dBFS. */
const LOWEST_DB = -120;

/** What is known after another look. */
export function seeContent(before: SeenContent, { luma, peak }: Look, nowMs: number): SeenContent {
  const isBlack = luma !== null && isBlackPicture(luma);
  // Black has an alarm of its own.
  const isStill = luma !== null && !isBlack && before.luma !== null && isSamePicture(luma, before.luma);
  const stillLooks = isStill ? before.stillLooks + 1 : 0;
  const stillSinceMs = stillLooks > 1 ? before.stillSinceMs : before.atMs;
  return {
    ...{ luma, stillLooks, stillSinceMs },
    blackSinceMs: isBlack ? (before.blackSinceMs ?? nowMs) : null,
    frozenSinceMs: stillLooks >= STILL_LOOKS ? stillSinceMs : null,
    peakDb: peak === null ? null : Math.max(LOWEST_DB, Math.round(200 * Math.log10(peak)) / 10),
    loudness: before.loudness,
    atMs: nowMs,
  };
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

/** The conditions of picture and sound that are asked for. @param content null where nothing was looked at, or nothing comes @param nowMs epoch milliseconds */
export function* contentConditions(
  content: SeenContent | null,
  rules: StreamRules,
  nowMs: number,
): Generator<
  Reading &
    Fault & {
      readonly alarm: 'black' | 'frozen' | 'silence' | 'silence_frozen' | 'level';
      readonly value?: number | null;
    }
> {
  const { blackSinceMs = null, frozenSinceMs = null, peakDb = null, atMs = nowMs } = content ?? {};
  const lateMs = Math.max(0, nowMs - atMs - SEEN_MS);
  const isQuiet = (max: number | null): boolean => peakDb !== null && peakDb <= (max ?? LOWEST_DB);
  if (rules.black.isOn) yield { alarm: 'black', ...since(blackSinceMs, lateMs), fault: 'black', facts: {} };
  if (rules.frozen.isOn) yield { alarm: 'frozen', ...since(frozenSinceMs, lateMs), fault: 'frozen', facts: {} };
  if (rules.silence.isOn)
    yield {
      alarm: 'silence',
      value: peakDb,
      isFaulty: isQuiet(rules.silence.max),
      fault: 'silent',
      facts: { value: peakDb },
    };
  if (rules.silence_frozen.isOn) {
    const isFaulty = isQuiet(rules.silence_frozen.max) && (frozenSinceMs ?? blackSinceMs) !== null;
    yield {
      alarm: 'silence_frozen',
      value: peakDb,
      isFaulty,
      ...{ fault: 'silent_and_frozen', facts: { value: peakDb } },
    };
  }
  if (rules.level.isOn) {
    const { min, max } = rules.level;
    const isFaulty = peakDb !== null && isOutside(peakDb, min, max);
    yield { alarm: 'level', value: peakDb, isFaulty, fault: 'level_out_of_range', facts: { value: peakDb, min, max } };
  }
}

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

/** @param lateMs how long the next look is overdue: that time does not count, or a scene would last until the next look */
function since(sinceMs: number | null, lateMs: number): Reading {
  return sinceMs === null ? { isFaulty: false } : { isFaulty: true, sinceMs: sinceMs + lateMs };
}
