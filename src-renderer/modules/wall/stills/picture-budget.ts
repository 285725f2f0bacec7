/** How many tiles may play video, and when that was decided. */
export interface PictureBudget {
  /** Most tiles that play; the others show a picture a second. */
  readonly most: number;
  /** Looks in a row in which too many pictures were dropped. */
  readonly badLooks: number;
  /** When the last change was, or when pictures were dropped last, in milliseconds. */
  readonly sinceMs: number;
  /** How long all has to be well before one more tile may play, in milliseconds. */
  readonly waitMs: number;
}

/** What was seen of all tiles that play since the last look. */
export interface PictureLook {
  readonly playing: number;
  readonly shown: number;
  readonly dropped: number;
}

/** So many tiles always play: on a machine that cannot play these, stills would not help. */
export const LEAST_PLAYING = 4;
/** More dropped pictures than this part of all are too many. */
const TOO_MANY = 0.15;
/** Pictures below which a look says nothing. */
const LEAST_PICTURES = 50;
/** So many bad looks in a row end the play of half of the tiles. */
const BAD_LOOKS = 3;
const FIRST_WAIT_MS = 60_000;
const LAST_WAIT_MS = 16 * 60_000;

/** All tiles may play. */
export const UNLIMITED: PictureBudget = { most: Infinity, badLooks: 0, sinceMs: 0, waitMs: FIRST_WAIT_MS };

/**
 * The budget after a look. Where the machine drops too many pictures for some time, half of the tiles go on; where all is well for a while, one more plays, and
 * after each try that failed twice as long passes before the next.
 */
export function nextBudget(budget: PictureBudget, look: PictureLook, nowMs: number): PictureBudget {
  const pictures = look.shown + look.dropped;
  const isBad = pictures >= LEAST_PICTURES && look.dropped / pictures > TOO_MANY && look.playing > LEAST_PLAYING;
  if (isBad) {
    const badLooks = budget.badLooks + 1;
    if (badLooks < BAD_LOOKS) return { ...budget, badLooks, sinceMs: nowMs };
    const waitMs = budget.most === Infinity ? FIRST_WAIT_MS : Math.min(LAST_WAIT_MS, budget.waitMs * 2);
    return { most: Math.max(LEAST_PLAYING, Math.floor(look.playing / 2)), badLooks: 0, sinceMs: nowMs, waitMs };
  }
  if (budget.most === Infinity) return budget.badLooks === 0 ? budget : { ...budget, badLooks: 0 };
  if (nowMs - budget.sinceMs < budget.waitMs) return { ...budget, badLooks: 0 };
  return { ...budget, most: budget.most + 1, badLooks: 0, sinceMs: nowMs };
}
