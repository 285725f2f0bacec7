/** How many tiles may play video, and what that was decided by. */
export interface PictureBudget {
  /** Most tiles that play; the others show a picture a second. */
  readonly most: number;
  /** The last looks, since the last change. */
  readonly looks: readonly PictureLook[];
  /** When the last change was, and when more tiles were let play last, in milliseconds. */
  readonly changedMs: number;
  readonly raisedMs: number;
  /** How many played before more were let. */
  readonly before: number;
  /** How long all has to be well before more tiles may play, in milliseconds. */
  readonly waitMs: number;
}

/** What was seen of the tiles since the last look. */
export interface PictureLook {
  readonly playing: number;
  /** Tiles that would play if all might. */
  readonly wanted: number;
  readonly shown: number;
  readonly dropped: number;
  /** Tiles whose picture stands although there is media to play. */
  readonly standing: number;
}

/** So many tiles always play: on a machine that cannot play these, stills would not help. */
export const MIN_PLAYING = 4;
/** Time between two looks, in milliseconds. */
export const LOOK_MS = 500;
/** More dropped pictures than this part of all are too many: over some looks, and over two. */
const TOO_MANY = 0.15;
const FAR_TOO_MANY = 0.3;
const LOOKS = 4;
const FEW_LOOKS = 2;
/** Pictures below which looks say nothing. */
const MIN_PICTURES = 50;
/** After a change so much time passes before it is judged: players that end and begin drop pictures. In milliseconds. */
const SETTLE_MS = 3_000;
/** Where tiles stand, so many go on; and not more than the machine showed pictures for, with a margin. */
const GO_ON = 0.75;
const MARGIN = 0.85;
const FIRST_WAIT_MS = 60_000;
const LAST_WAIT_MS = 16 * 60_000;
/** A try that was well for so long had success, in milliseconds. */
const PROVEN_MS = 5 * 60_000;

/** All tiles may play. */
export const UNLIMITED: PictureBudget = {
  most: Infinity,
  looks: [],
  changedMs: -Infinity,
  raisedMs: -Infinity,
  before: MIN_PLAYING,
  waitMs: FIRST_WAIT_MS,
};

/**
 * The budget after a look. Where a picture is about to stand, or too many are dropped, as many tiles go on as the machine has shown to play; where all is well for a while, a quarter more
 * play, and after each try that failed twice as long passes before the next.
 */
export function nextBudget(budget: PictureBudget, look: PictureLook, nowMs: number): PictureBudget {
  if (nowMs - budget.changedMs < SETTLE_MS) return budget;
  const looks = [...budget.looks, look].slice(-LOOKS);
  if (isBad(looks) && look.playing > MIN_PLAYING) {
    const isFailedTry = nowMs - budget.raisedMs < PROVEN_MS;
    const fewer = Math.max(MIN_PLAYING, Math.min(look.playing - 1, playable(looks, look.playing)));
    const most =
      isFailedTry && look.standing === 0 ? Math.max(fewer, Math.min(budget.before, look.playing - 1)) : fewer;
    const waitMs = isFailedTry ? Math.min(LAST_WAIT_MS, budget.waitMs * 2) : FIRST_WAIT_MS;
    return { ...budget, most, looks: [], changedMs: nowMs, waitMs };
  }
  if (budget.most === Infinity) return { ...budget, looks };
  const isDoubtful = look.dropped > (look.shown + look.dropped) * TOO_MANY;
  if (look.wanted === 0 || isDoubtful || nowMs - budget.changedMs < budget.waitMs) return { ...budget, looks };
  const more = budget.most + Math.ceil(budget.most / 4);
  const most = more >= look.wanted ? Infinity : more;
  return { ...budget, most, looks: [], changedMs: nowMs, raisedMs: nowMs, before: budget.most };
}

function isBad(looks: readonly PictureLook[]): boolean {
  const isMore = (some: readonly PictureLook[], count: number, part: number): boolean => {
    const { dropped, all } = sumOf(some);
    return some.length === count && all >= MIN_PICTURES && dropped / all > part;
  };
  return (
    (looks.at(-1)?.standing ?? 0) > 0 ||
    isMore(looks, LOOKS, TOO_MANY) ||
    isMore(looks.slice(-FEW_LOOKS), FEW_LOOKS, FAR_TOO_MANY)
  );
}

/** How many of the tiles that play the machine can play, by the part of pictures that it showed. */
function playable(looks: readonly PictureLook[], playing: number): number {
  const { dropped, all } = sumOf(looks);
  const shown = all === 0 ? 1 : 1 - dropped / all;
  return Math.floor(playing * Math.min(GO_ON, shown * MARGIN));
}

function sumOf(looks: readonly PictureLook[]): { readonly dropped: number; readonly all: number } {
  const dropped = looks.reduce((sum, look) => sum + look.dropped, 0);
  return { dropped, all: looks.reduce((sum, look) => sum + look.shown, dropped) };
}
