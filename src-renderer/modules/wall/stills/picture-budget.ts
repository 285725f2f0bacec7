/** Video budget: maximum number of tiles that play video, and its history. */
export interface PictureBudget {
  /** Maximum number of playing tiles; other tiles show one still per second. */
  readonly maxPlaying: number;
  /** Samples since the last change. */
  readonly samples: readonly PictureSample[];
  /** Time of the last change, and of the last increase, in milliseconds. */
  readonly changedMs: number;
  readonly raisedMs: number;
  /** Number of playing tiles before the last increase. */
  readonly before: number;
  /** Required time without dropped or frozen pictures before the next increase, in milliseconds. */
  readonly waitMs: number;
}

/** Counts of all tiles since the last sample. */
export interface PictureSample {
  readonly playing: number;
  /** Number of tiles that would play without a limit. */
  readonly playable: number;
  readonly shown: number;
  readonly dropped: number;
  /** Number of tiles whose picture is frozen although media is buffered. */
  readonly frozen: number;
}

/** Minimum number of playing tiles: if a machine cannot play this number, stills would not help. */
export const MIN_PLAYING = 4;
/** Interval between two samples, in milliseconds. */
export const CHECK_MS = 500;
/** Maximum fraction of dropped pictures: over several samples, and over two. */
const MAX_DROPPED = 0.15;
const FAR_TOO_MANY = 0.3;
const MANY_SAMPLES = 4;
const FEW_SAMPLES = 2;
/** Minimum number of pictures for a judgement. */
const MIN_PICTURES = 50;
/** Settling time after a change, in milliseconds: players that start or stop drop pictures. */
const SETTLE_MS = 3_000;
/**
 * Fraction of tiles that continue after a freeze. The number of tiles that the machine has proven to show, with a margin, is
 * another limit.
 */
const REMAINING_FRACTION = 0.75;
const MARGIN = 0.85;
const FIRST_WAIT_MS = 60_000;
const LAST_WAIT_MS = 16 * 60_000;
/** Time without trouble after which an increase counts as proven, in milliseconds. */
const PROVEN_MS = 5 * 60_000;

/** No limit. */
export const UNLIMITED: PictureBudget = {
  maxPlaying: Infinity,
  samples: [],
  changedMs: -Infinity,
  raisedMs: -Infinity,
  before: MIN_PLAYING,
  waitMs: FIRST_WAIT_MS,
};

/**
 * Budget after a sample. If pictures freeze or too many are dropped, only as many tiles continue as the machine has proven to
 * play. After some time without trouble a quarter more may play; the waiting time doubles with each failed attempt.
 */
export function nextBudget(budget: PictureBudget, sample: PictureSample, nowMs: number): PictureBudget {
  if (nowMs - budget.changedMs < SETTLE_MS) return budget;
  const samples = [...budget.samples, sample].slice(-MANY_SAMPLES);
  if (isBad(samples) && sample.playing > MIN_PLAYING) {
    const isFailedTry = nowMs - budget.raisedMs < PROVEN_MS;
    const fewer = Math.max(MIN_PLAYING, Math.min(sample.playing - 1, playable(samples, sample.playing)));
    const maxPlaying =
      isFailedTry && sample.frozen === 0 ? Math.max(fewer, Math.min(budget.before, sample.playing - 1)) : fewer;
    const waitMs = isFailedTry ? Math.min(LAST_WAIT_MS, budget.waitMs * 2) : FIRST_WAIT_MS;
    return { ...budget, maxPlaying, samples: [], changedMs: nowMs, waitMs };
  }
  if (budget.maxPlaying === Infinity) return { ...budget, samples };
  const hasTrouble = sample.dropped > (sample.shown + sample.dropped) * MAX_DROPPED;
  if (sample.playable === 0 || hasTrouble || nowMs - budget.changedMs < budget.waitMs) return { ...budget, samples };
  const more = budget.maxPlaying + Math.ceil(budget.maxPlaying / 4);
  const maxPlaying = more >= sample.playable ? Infinity : more;
  return { ...budget, maxPlaying, samples: [], changedMs: nowMs, raisedMs: nowMs, before: budget.maxPlaying };
}

function isBad(samples: readonly PictureSample[]): boolean {
  const isMore = (some: readonly PictureSample[], count: number, part: number): boolean => {
    const { dropped, all } = sumOf(some);
    return some.length === count && all >= MIN_PICTURES && dropped / all > part;
  };
  return (
    (samples.at(-1)?.frozen ?? 0) > 0 ||
    isMore(samples, MANY_SAMPLES, MAX_DROPPED) ||
    isMore(samples.slice(-FEW_SAMPLES), FEW_SAMPLES, FAR_TOO_MANY)
  );
}

/** Number of tiles that the machine can play, by its fraction of shown pictures. */
function playable(samples: readonly PictureSample[], playing: number): number {
  const { dropped, all } = sumOf(samples);
  const shown = all === 0 ? 1 : 1 - dropped / all;
  return Math.floor(playing * Math.min(REMAINING_FRACTION, shown * MARGIN));
}

function sumOf(samples: readonly PictureSample[]): { readonly dropped: number; readonly all: number } {
  const dropped = samples.reduce((sum, sample) => sum + sample.dropped, 0);
  return { dropped, all: samples.reduce((sum, sample) => sum + sample.shown, dropped) };
}
