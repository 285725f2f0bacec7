import type { ArchivePlayer } from './archive-player.ts';

/** The fastest that browsers play, forward; backward pictures are gone to one after the other. */
const MAX_SPEED = 16;
/** Speeds of J and L, each press the next. */
const SHUTTLE = [1, 2, 4, 8, 16] as const;
/** A player that is farther from the leader than this is sent to its place, in milliseconds; of nearer ones those that are ahead wait. */
const JUMP_MS = 1500;
/** It takes its time to get there, and others wait for it: it is sent again only after so long. */
const JUMP_AGAIN_MS = 5000;
/** A player that is so far ahead of the last one stands until that has come. */
const WAIT_MS = 100;
/** A player that has not moved for so long is not waited for. */
const STUCK_MS = 1500;
/** So far ahead nothing is done: each millisecond between two players is one in which they may show two pictures. */
const FINE_MS = 0.5;
/** So far ahead is seen at once; less only in many looks, because the place of the player that is heard, which goes by its sound, strays by some milliseconds. */
const COARSE_MS = 8;
/** One that stands goes on as soon as it is ahead by no more than this: it takes about so long until it moves. */
const START_MS = 10;
/** How far one is ahead is judged by the middle of so many looks. */
const FEW_LOOKS = 7;
const MANY_LOOKS = 31;
/**
 * One that is ahead is slowed down for about so long, by at most so much, as a share: by less where it is ahead by little, so that the moment at which that ends
 * counts little, too. Nothing is sped up: a busy machine could not.
 */
const SLOW_MS = 300;
const SLOWER = 0.2;
/**
 * Several play by so much slower and faster in turns, each for so long. At just their own speed a browser shows pictures in a rhythm of its screen (two refreshes, then
 * three), which it begins for each player at another time: two that are a millisecond apart showed two pictures for more than half of the time.
 */
const SWAY = 0.006;
const SWAY_MS = 8000;
/** Backward, and faster than browsers play, a picture is gone to so often, in milliseconds. */
const SHUTTLE_MS = 160;

/** A player with the element that it plays in. */
export interface GroupMember {
  readonly name: string;
  readonly video: HTMLVideoElement;
  readonly player: Pick<
    ArchivePlayer,
    'atMs' | 'frameAtMs' | 'frame' | 'seek' | 'goLive' | 'step' | 'state' | 'isLive' | 'frameRate'
  >;
}

/** The next speed of a key: L is forward, J backward; the other direction begins at 1. */
export function shuttled(speed: number, direction: 1 | -1): number {
  const now = Math.sign(speed) === direction ? Math.abs(speed) : 0;
  return direction * (SHUTTLE.find((one) => one > now) ?? MAX_SPEED);
}

/** What is known of how a player moves: where it was seen to move last, when it was sent elsewhere, how far it was ahead, and until when it is slowed down. */
interface Motion {
  place: number;
  movedMs: number;
  jumpedMs: number;
  looks: number[];
  slower: number;
  slowUntilMs: number;
}

/** Plays several streams at one moment: the first leads, and those that are ahead wait for the last. */
export class PlayGroup {
  #members: readonly GroupMember[] = [];
  #speed = 0;
  #forward = 1;
  #lastShuttleMs = 0;
  readonly #motions = new WeakMap<GroupMember, Motion>();
  /** The moment that a seek asked for, until the leader shows it. */
  #loop: { readonly from: number; readonly to: number } | undefined;

  get members(): readonly GroupMember[] {
    return this.#members;
  }

  /** How fast it plays: 0 stands, negative is backward. */
  get speed(): number {
    return this.#speed;
  }

  get leader(): GroupMember | undefined {
    return this.#members[0];
  }

  /** The moment that is shown. */
  get atMs(): number | undefined {
    return this.leader?.player.atMs;
  }

  /** How far the players are apart, in milliseconds. */
  get driftMs(): number {
    const places = this.#members.flatMap(({ player }) => player.atMs ?? []);
    return places.length < 2 ? 0 : Math.max(...places) - Math.min(...places);
  }

  /** Plays these, in step with the first. */
  setMembers(members: readonly GroupMember[]): void {
    const at = this.atMs;
    const before = new Set(this.#members);
    this.#members = members;
    for (const member of members) if (!before.has(member) && at !== undefined) member.player.seek(at);
    this.setSpeed(this.#speed);
  }

  /** Repeats a range; undefined ends it. */
  setLoop(loop: { readonly from: number; readonly to: number } | undefined): void {
    this.#loop = loop;
  }

  seek(ms: number): void {
    for (const { player } of this.#members) player.seek(ms);
  }

  goLive(): void {
    for (const { player } of this.#members) player.goLive();
    this.setSpeed(1);
  }

  step(frames: number): void {
    this.setSpeed(0);
    const { leader } = this;
    leader?.player.step(frames);
    const at = leader?.player.atMs;
    if (at !== undefined) for (const { player } of this.#members.slice(1)) player.seek(at);
  }

  setSpeed(speed: number): void {
    this.#speed = speed;
    if (speed > 0) this.#forward = speed;
    for (const { video } of this.#members) {
      if (speed > 0) {
        video.playbackRate = Math.min(MAX_SPEED, Math.max(0.0625, speed));
        void video.play().catch(() => undefined);
      } else video.pause();
    }
    if (speed === 0) this.#align();
  }

  /** The speed that it plays with, or will. */
  get forwardSpeed(): number {
    return this.#forward;
  }

  /** Sets how fast it plays, now or as soon as it does. */
  setForwardSpeed(speed: number): void {
    this.#forward = speed;
    if (this.#speed !== 0) this.setSpeed(speed);
  }

  /** Plays or stands. */
  toggle(): void {
    this.setSpeed(this.#speed === 0 ? this.#forward : 0);
  }

  /** To be called with each frame: keeps all together, goes back, repeats. */
  tick(nowMs: number): void {
    const { leader } = this;
    const at = leader?.player.atMs;
    if (!leader || at === undefined) return;
    const loop = this.#loop;
    if (loop && this.#speed > 0 && leader.player.state === 'ready' && (at >= loop.to || at < loop.from - 1000))
      return this.seek(loop.from);
    if (this.#speed < 0) return this.#goBack(nowMs, at);
    if (this.#speed === 0) return;
    if (leader.player.state === 'ready') this.#keepTogether(nowMs, at);
  }

  #keepTogether(nowMs: number, at: number): void {
    const scale = Math.max(1, this.#speed);
    const near = this.#members.flatMap((member) => {
      const { player, video } = member;
      const place = player.atMs;
      if (place === undefined || player.state !== 'ready' || video.seeking) return [];
      const motion = this.#motionOf(member, place, nowMs);
      if (Math.abs(place - at) > JUMP_MS * scale && nowMs - motion.jumpedMs > JUMP_AGAIN_MS) {
        motion.jumpedMs = nowMs;
        player.seek(at);
        return [];
      }
      return [{ video, place, motion, isMoving: nowMs - motion.movedMs < STUCK_MS }];
    });
    const last = Math.min(...near.filter(({ isMoving, video }) => isMoving || video.paused).map(({ place }) => place));
    const isSwaying = this.#members.length > 1;
    const speed = this.#speed * (isSwaying ? 1 + (Math.floor(nowMs / SWAY_MS) % 2 === 0 ? -SWAY : SWAY) : 1);
    for (const { video, place, motion } of near) {
      const ahead = place - last;
      if (ahead > WAIT_MS * scale) video.pause();
      // One that has come to its end would begin anew.
      else if (video.paused && !video.ended && ahead < START_MS * scale) void video.play().catch(() => undefined);
      const isEven = video.paused || ahead <= 0;
      if (isEven) [motion.looks, motion.slowUntilMs] = [[], 0];
      const rate = Math.min(MAX_SPEED, speed * (isEven ? 1 : this.#shareOf(motion, ahead, nowMs)));
      // Each change of the rate makes a player stumble.
      if (video.playbackRate !== rate) video.playbackRate = rate;
    }
  }

  /** How fast one is to play, as a share: as it is, or for a while slower, until the last one has come along. */
  #shareOf(motion: Motion, aheadMs: number, nowMs: number): number {
    if (nowMs < motion.slowUntilMs) return 1 - motion.slower;
    motion.looks = [...motion.looks, aheadMs].slice(-MANY_LOOKS);
    const few = middleOf(motion.looks, FEW_LOOKS);
    const middle = few >= COARSE_MS ? few : middleOf(motion.looks, MANY_LOOKS);
    if (middle < FINE_MS) return 1;
    const speed = Math.min(MAX_SPEED, this.#speed);
    motion.looks = [];
    motion.slower = Math.min(SLOWER, middle / (SLOW_MS * speed));
    motion.slowUntilMs = nowMs + middle / (motion.slower * speed);
    return 1 - motion.slower;
  }

  #motionOf(member: GroupMember, place: number, nowMs: number): Motion {
    const motion = this.#motions.get(member) ?? {
      place,
      movedMs: nowMs,
      jumpedMs: -Infinity,
      looks: [],
      slower: 0,
      slowUntilMs: 0,
    };
    // One that waits is not stuck.
    if (motion.place !== place || member.video.paused) [motion.place, motion.movedMs] = [place, nowMs];
    this.#motions.set(member, motion);
    return motion;
  }

  #goBack(nowMs: number, at: number): void {
    const passedMs = nowMs - this.#lastShuttleMs;
    if (passedMs < SHUTTLE_MS) return;
    this.#lastShuttleMs = nowMs;
    if (passedMs > 4 * SHUTTLE_MS || this.leader?.video.seeking === true) return;
    this.seek(Math.max(0, at + this.#speed * passedMs));
  }

  /** What stands shows one moment. */
  #align(): void {
    const at = this.leader?.player.frameAtMs;
    if (at === undefined) return;
    for (const { player } of this.#members.slice(1)) player.seek(at + player.frameRate.frameMs / 4);
  }
}

/** The middle of the last so many; 0 as long as there are fewer. */
function middleOf(looks: readonly number[], count: number): number {
  return looks.length < count ? 0 : (looks.slice(-count).toSorted((a, b) => a - b)[count >> 1] ?? 0);
}
