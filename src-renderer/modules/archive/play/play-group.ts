import type { ArchivePlayer } from './archive-player.ts';

/** The fastest that browsers play, forward; backward pictures are gone to one after the other. */
const MOST_SPEED = 16;
/** Speeds of J and L, each press the next. */
const SHUTTLE = [1, 2, 4, 8, 16] as const;
/** A player that is farther off than this is sent to its place, in milliseconds; nearer ones are sped up or slowed down. */
const JUMP_MS = 700;
/** So far off nothing is done. */
const FINE_MS = 6;
/** The rate is changed by at most so much, as a share. */
const MOST_NUDGE = 0.12;
/** Backward, and faster than browsers play, a picture is gone to so often, in milliseconds. */
const SHUTTLE_MS = 160;

/** A player with the element that it plays in. */
export interface GroupMember {
  readonly name: string;
  readonly video: HTMLVideoElement;
  readonly player: Pick<
    ArchivePlayer,
    'atMs' | 'frameAtMs' | 'seek' | 'goLive' | 'step' | 'state' | 'isLive' | 'frameRate'
  >;
}

/** How much faster a player has to be to come back to its place. @param offMs how far it is ahead */
export function nudgeOf(offMs: number): number {
  if (Math.abs(offMs) < FINE_MS) return 1;
  return 1 - Math.max(-MOST_NUDGE, Math.min(MOST_NUDGE, offMs / 800));
}

/** The next speed of a key: L is forward, J backward; the other direction begins at 1. */
export function shuttled(speed: number, direction: 1 | -1): number {
  const now = Math.sign(speed) === direction ? Math.abs(speed) : 0;
  return direction * (SHUTTLE.find((one) => one > now) ?? MOST_SPEED);
}

/** Plays several streams at one moment: the first leads, the others keep to it. */
export class PlayGroup {
  #members: readonly GroupMember[] = [];
  #speed = 0;
  #forward = 1;
  #lastShuttleMs = 0;
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

  /** Repeats a stretch; undefined ends it. */
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
        video.playbackRate = Math.min(MOST_SPEED, Math.max(0.0625, speed));
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

  /** To be called with each frame: keeps to the leader, goes back, repeats. */
  tick(nowMs: number): void {
    const { leader } = this;
    const at = leader?.player.atMs;
    if (!leader || at === undefined) return;
    const loop = this.#loop;
    if (loop && this.#speed > 0 && leader.player.state === 'ready' && (at >= loop.to || at < loop.from - 1000))
      return this.seek(loop.from);
    if (this.#speed < 0) return this.#goBack(nowMs, at);
    if (this.#speed === 0) return;
    for (const { player, video } of this.#members.slice(1)) {
      const place = player.atMs;
      if (place === undefined || player.state !== 'ready' || leader.player.state !== 'ready' || video.seeking) continue;
      const off = place - at;
      if (Math.abs(off) > JUMP_MS * Math.max(1, this.#speed)) player.seek(at);
      else video.playbackRate = Math.min(MOST_SPEED, this.#speed * nudgeOf(off));
      if (video.paused) void video.play().catch(() => undefined);
    }
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
