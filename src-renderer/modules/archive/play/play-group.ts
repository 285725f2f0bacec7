import type { Gap } from '../ranges.ts';
import type { ArchivePlayer } from './archive-player.ts';

/** Maximum speed of forward playback in browsers. Backward playback seeks picture by picture. */
const MAX_SPEED = 16;
/** Speeds of J and L; each press selects the next. */
const SHUTTLE = [1, 2, 4, 8, 16] as const;
/** Lag or lead from which a player seeks to the leader, in milliseconds; within it, players that are ahead wait. */
const JUMP_MS = 1500;
/** Minimum time between two such seeks: a seek takes time, and the other players wait for it. */
const JUMP_AGAIN_MS = 5000;
/** Lead over the last player, in milliseconds, from which a player pauses until the last player has caught up. */
const WAIT_MS = 100;
/** Other players do not wait for a player that has not moved for this long, in milliseconds. */
const STUCK_MS = 1500;
/** Distance before the end of a recording at which its last picture is certainly shown, in milliseconds. */
const LAST_MS = 100;
/** Tolerated lead, in milliseconds: for this part of each picture, two players may show different pictures. */
const FINE_MS = 0.5;
/**
 * Lead, in milliseconds, that is corrected after few samples. Smaller leads need many samples, because the position of the
 * audible player, which follows its sound, jitters by some milliseconds.
 */
const COARSE_MS = 8;
/** Lead, in milliseconds, at which a paused player resumes: a player takes about this time to start. */
const START_MS = 10;
/** Number of samples whose median is the lead: for large leads, and for small ones. */
const FEW_SAMPLES = 7;
const MANY_SAMPLES = 31;
/**
 * A player that is ahead plays slower for about this time, by at most this share; by less for a small lead, so that the exact end
 * of the correction matters little. Players are never sped up: a busy machine could not keep up.
 */
const SLOW_MS = 300;
const SLOWER = 0.2;
/**
 * With several players, each alternates between slightly slower and faster playback. At the exact speed, a browser shows pictures
 * in a rhythm of its screen (two refreshes, then three), with a different phase for each player: two players a millisecond apart
 * showed different pictures for more than half of the time.
 */
const SWAY = 0.006;
const SWAY_MS = 8000;
/** Interval of seeks during backward and very fast playback, in milliseconds. */
const SHUTTLE_MS = 160;

/** Player and its video element. */
export interface GroupMember {
  readonly name: string;
  readonly video: HTMLVideoElement;
  readonly player: Pick<
    ArchivePlayer,
    'atMs' | 'frameAtMs' | 'frame' | 'seek' | 'goLive' | 'step' | 'state' | 'isLive' | 'frameRate'
  >;
  /** Gap of the recording at a moment; undefined if the player can play this moment, or if it is unknown. */
  readonly gapAt: (ms: number) => Gap | undefined;
}

/** Next speed of a shuttle key: L is forward, J backward; the opposite direction starts at 1. */
export function shuttled(speed: number, direction: 1 | -1): number {
  const now = Math.sign(speed) === direction ? Math.abs(speed) : 0;
  return direction * (SHUTTLE.find((one) => one > now) ?? MAX_SPEED);
}

/** Motion of a player: last observed move, last seek, samples of its lead, and end of its slow-down. */
interface Motion {
  place: number;
  movedMs: number;
  jumpedMs: number;
  samples: number[];
  slower: number;
  slowUntilMs: number;
}

/**
 * Plays several streams at one moment, and players that are ahead wait for the last. The leader determines the moment: the first
 * stream that is recorded there. In a gap of its recording, the next one leads. A player in a gap waits at the end of the gap.
 */
export class PlayGroup {
  #members: readonly GroupMember[] = [];
  #leader: GroupMember | undefined;
  /** Moment of the last seek, until playback moves on: the ranges of the streams may be loaded after the seek. */
  #soughtMs: number | undefined;
  /** Moment of the leader in the last tick of forward playback. */
  #passedMs: number | undefined;
  #speed = 0;
  #forward = 1;
  #lastShuttleMs = 0;
  readonly #motions = new WeakMap<GroupMember, Motion>();
  /** Ends of the gaps at which players wait. */
  readonly #awaited = new WeakMap<GroupMember, number | null>();
  /** Range that repeats; undefined without a loop. */
  #loop: { readonly from: number; readonly to: number } | undefined;

  get members(): readonly GroupMember[] {
    return this.#members;
  }

  /** Playback speed: 0 is paused, negative is backward. */
  get speed(): number {
    return this.#speed;
  }

  get leader(): GroupMember | undefined {
    return this.#leader;
  }

  /** Current moment. */
  get atMs(): number | undefined {
    return this.leader?.player.atMs;
  }

  /** Greatest difference between players that are not in a gap, in milliseconds. */
  get driftMs(): number {
    const { atMs } = this;
    if (atMs === undefined) return 0;
    const places = this.#members.flatMap(({ player, gapAt }) => (gapAt(atMs) ? [] : (player.atMs ?? [])));
    return places.length < 2 ? 0 : Math.max(...places) - Math.min(...places);
  }

  /** Plays these streams in sync. */
  setMembers(members: readonly GroupMember[]): void {
    const at = this.atMs;
    const before = new Set(this.#members);
    this.#members = members;
    if (!this.#leader || !members.includes(this.#leader))
      this.#lead(at === undefined ? members[0] : this.#recordedAt(at));
    for (const member of members) if (!before.has(member) && at !== undefined) this.#show(member, at);
    this.setSpeed(this.#speed);
  }

  /** Repeats a range; undefined ends the loop. */
  setLoop(loop: { readonly from: number; readonly to: number } | undefined): void {
    this.#loop = loop;
  }

  /**
   * Seeks to a moment. Outside of all recordings, seeks to the next one, or to the last picture if there is none, and backward
   * playback to the end of the one before.
   */
  seek(ms: number): void {
    const at = this.#nearest(ms);
    this.#lead(this.#recordedAt(at));
    this.#soughtMs = at;
    for (const member of this.#members) this.#show(member, at);
  }

  /** Shows the newest pictures at a moment that is now, and continues from there. */
  goLive(nowMs: number): void {
    this.#lead(this.#recordedAt(nowMs));
    for (const member of this.#members)
      if (member.gapAt(nowMs)) this.#show(member, nowMs);
      else member.player.goLive();
    this.setSpeed(1);
  }

  /** Whether any of the streams can be played at a moment. */
  isRecordedAt(ms: number): boolean {
    return this.#members.some(({ gapAt }) => !gapAt(ms));
  }

  step(frames: number): void {
    this.setSpeed(0);
    const { leader } = this;
    const { frameAtMs, frameRate } = leader?.player ?? {};
    const target = (frameAtMs ?? 0) + frames * (frameRate?.frameMs ?? 0);
    // The leader would skip its gap.
    if (frameAtMs !== undefined && leader?.gapAt(target) && this.isRecordedAt(target)) return this.seek(target);
    leader?.player.step(frames);
    this.#soughtMs = undefined;
    const at = leader?.player.atMs;
    if (at !== undefined) for (const member of this.#members) if (member !== leader) this.#show(member, at);
  }

  setSpeed(speed: number): void {
    this.#speed = speed;
    if (speed > 0) this.#forward = speed;
    this.#passedMs = undefined;
    const { atMs } = this;
    for (const { video, gapAt } of this.#members) {
      if (speed > 0 && (atMs === undefined || !gapAt(atMs))) {
        video.playbackRate = Math.min(MAX_SPEED, Math.max(0.0625, speed));
        void video.play().catch(() => undefined);
      } else video.pause();
    }
    if (speed === 0) this.#align();
  }

  /** Forward speed, now or when playback starts. */
  get forwardSpeed(): number {
    return this.#forward;
  }

  /** Sets the forward speed, now or for the next playback. */
  setForwardSpeed(speed: number): void {
    this.#forward = speed;
    if (this.#speed !== 0) this.setSpeed(speed);
  }

  /** Toggles between playback and pause. */
  toggle(): void {
    this.setSpeed(this.#speed === 0 ? this.#forward : 0);
  }

  /** Called with each frame: keeps players in sync, plays backward, and loops. */
  tick(nowMs: number): void {
    const { leader } = this;
    const at = leader?.player.atMs;
    if (!leader || at === undefined) return;
    const sought = this.#soughtMs;
    if (sought !== undefined && leader.gapAt(sought) && this.isRecordedAt(sought)) return this.seek(sought);
    const loop = this.#loop;
    if (loop && this.#speed > 0 && leader.player.state === 'ready' && (at >= loop.to || at < loop.from - 1000))
      return this.seek(loop.from);
    if (this.#speed < 0) return this.#goBack(nowMs, at);
    if (this.#speed === 0 || this.#passGap(leader, at) || leader.player.state !== 'ready') return;
    [this.#soughtMs, this.#passedMs] = [undefined, at];
    this.#keepTogether(nowMs, at);
  }

  #lead(leader: GroupMember | undefined): void {
    [this.#leader, this.#soughtMs, this.#passedMs] = [leader, undefined, undefined];
  }

  /** First stream that is recorded at a moment; the first of all streams if there is none. */
  #recordedAt(ms: number): GroupMember | undefined {
    return this.#members.find(({ gapAt }) => !gapAt(ms)) ?? this.#members[0];
  }

  /** Recorded moment that is shown for a requested one. */
  #nearest(ms: number): number {
    if (this.isRecordedAt(ms)) return ms;
    const gaps = this.#members.map(({ gapAt }) => gapAt(ms));
    const next = Math.min(...gaps.map((gap) => gap?.to ?? Infinity));
    const last = Math.max(...gaps.map((gap) => gap?.from ?? -Infinity)) - LAST_MS;
    if (this.#speed < 0 && last > -Infinity) return last;
    return next < Infinity ? next : last > -Infinity ? last : ms;
  }

  /** Shows a moment, or in a gap waits at its end. */
  #show(member: GroupMember, ms: number): void {
    const gap = member.gapAt(ms);
    if (gap) return this.#await(member, gap);
    this.#awaited.delete(member);
    member.player.seek(ms);
  }

  /** Stops a player in a gap, and loads the picture after the gap. */
  #await(member: GroupMember, { to }: Gap): void {
    const { player, video } = member;
    if (!video.paused) video.pause();
    if (this.#awaited.get(member) === to) return;
    this.#awaited.set(member, to);
    // A player that has just passed the gap is there already.
    if (to !== null && Math.abs((player.atMs ?? 0) - to) > JUMP_MS) player.seek(to);
  }

  /** Continues with another stream where the recording of the leader has a gap. @returns whether the leader has changed */
  #passGap(leader: GroupMember, at: number): boolean {
    const passed = this.#passedMs ?? at;
    // After its last recording, a player stays at its end.
    const isOver = leader.video.ended && leader.player.state === 'ready';
    if (!isOver && !leader.gapAt(at) && !leader.gapAt((passed + at) / 2)) return false;
    const others = this.#members.filter((member) => member !== leader);
    const next = others.find(({ gapAt, video }) => !gapAt(passed) && !video.ended);
    if (next) {
      this.#lead(next);
      return true;
    }
    const starts = others.flatMap(({ gapAt }) => gapAt(passed)?.to ?? []);
    const start = Math.min(...starts);
    if (starts.length === 0 || (!isOver && start > at - JUMP_MS)) return false;
    this.seek(start);
    return true;
  }

  #keepTogether(nowMs: number, at: number): void {
    const scale = Math.max(1, this.#speed);
    const alignable = this.#members.flatMap((member) => {
      const { player, video } = member;
      const gap = member.gapAt(at);
      if (gap) {
        this.#await(member, gap);
        return [];
      }
      const place = player.atMs;
      if (place === undefined || player.state !== 'ready' || video.seeking) return [];
      const motion = this.#motionOf(member, place, nowMs);
      this.#awaited.delete(member);
      if (Math.abs(place - at) > JUMP_MS * scale && nowMs - motion.jumpedMs > JUMP_AGAIN_MS) {
        motion.jumpedMs = nowMs;
        player.seek(at);
        return [];
      }
      return [{ video, place, motion, isMoving: nowMs - motion.movedMs < STUCK_MS }];
    });
    const last = Math.min(
      ...alignable
        .filter(({ isMoving, video }) => !video.ended && (isMoving || video.paused))
        .map(({ place }) => place),
    );
    const isSwaying = this.#members.length > 1;
    const speed = this.#speed * (isSwaying ? 1 + (Math.floor(nowMs / SWAY_MS) % 2 === 0 ? -SWAY : SWAY) : 1);
    for (const { video, place, motion } of alignable) {
      const ahead = place - last;
      if (ahead > WAIT_MS * scale) video.pause();
      // A player at the end of its source would start from the beginning.
      else if (video.paused && !video.ended && ahead < START_MS * scale) void video.play().catch(() => undefined);
      const isEven = video.paused || ahead <= 0;
      if (isEven) [motion.samples, motion.slowUntilMs] = [[], 0];
      const rate = Math.min(MAX_SPEED, speed * (isEven ? 1 : this.#shareOf(motion, ahead, nowMs)));
      // Each change of the rate disturbs playback.
      if (video.playbackRate !== rate) video.playbackRate = rate;
    }
  }

  /** Relative speed of a player: 1, or less until the last player has caught up. */
  #shareOf(motion: Motion, aheadMs: number, nowMs: number): number {
    if (nowMs < motion.slowUntilMs) return 1 - motion.slower;
    motion.samples = [...motion.samples, aheadMs].slice(-MANY_SAMPLES);
    const few = medianOf(motion.samples, FEW_SAMPLES);
    const middle = few >= COARSE_MS ? few : medianOf(motion.samples, MANY_SAMPLES);
    if (middle < FINE_MS) return 1;
    const speed = Math.min(MAX_SPEED, this.#speed);
    motion.samples = [];
    motion.slower = Math.min(SLOWER, middle / (SLOW_MS * speed));
    motion.slowUntilMs = nowMs + middle / (motion.slower * speed);
    return 1 - motion.slower;
  }

  #motionOf(member: GroupMember, place: number, nowMs: number): Motion {
    const motion = this.#motions.get(member) ?? {
      place,
      movedMs: nowMs,
      jumpedMs: -Infinity,
      samples: [],
      slower: 0,
      slowUntilMs: 0,
    };
    // A waiting player is not stuck.
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

  /** Shows the same moment on all paused players. */
  #align(): void {
    const at = this.leader?.player.frameAtMs;
    if (at === undefined) return;
    for (const member of this.#members)
      if (member !== this.leader) this.#show(member, at + member.player.frameRate.frameMs / 4);
  }
}

/** Median of the last samples; 0 while there are fewer. */
function medianOf(samples: readonly number[], count: number): number {
  return samples.length < count ? 0 : (samples.slice(-count).toSorted((a, b) => a - b)[count >> 1] ?? 0);
}
