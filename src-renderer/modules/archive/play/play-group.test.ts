import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { frameRateOf } from '../time/time-code.ts';
import { nudgeOf, PlayGroup, shuttled, type GroupMember } from './play-group.ts';

/** A player that a test places. */
function aMember(
  name: string,
  atMs: number,
): GroupMember & { readonly player: { atMs: number }; readonly sought: number[] } {
  const sought: number[] = [];
  const video = document.createElement('video');
  const player = {
    ...{ atMs, state: 'ready' as const, isLive: false, frameRate: frameRateOf(25) },
    get frameAtMs(): number {
      return this.atMs;
    },
    seek(ms: number) {
      sought.push(ms);
      this.atMs = ms;
    },
    goLive: () => undefined,
    step(frames: number) {
      this.atMs += frames * 40;
    },
  };
  return { name, video, player, sought };
}

describe('streams that are played in step', () => {
  it('come together from any place within the limits, in 20 s of play', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -700, max: 700, noNaN: true }),
        fc.double({ min: 0.99, max: 1.01, noNaN: true }),
        (start, clock) => {
          let off = start;
          for (let ms = 0; ms < 20_000; ms += 16) off += 16 * (nudgeOf(off) * clock - 1);
          expect(Math.abs(off)).toBeLessThan(20);
        },
      ),
    );
  });

  it('speed up what is behind, send what is far off to its place, and leave the leader alone', () => {
    const [first, near, far] = [aMember('a', 10_000), aMember('b', 9900), aMember('c', 2000)];
    const group = new PlayGroup();
    group.setMembers([first, near, far]);
    group.setSpeed(2);
    [near.player.atMs, far.player.atMs] = [9900, 2000];
    group.tick(0);
    expect(first.video.playbackRate).toBe(2);
    expect(near.video.playbackRate).toBeGreaterThan(2);
    expect(far.sought.at(-1)).toBe(10_000);
    expect(group.driftMs).toBe(100);
  });

  it('goes forward, stands and goes back with J, K and L', () => {
    expect([shuttled(0, 1), shuttled(1, 1), shuttled(16, 1), shuttled(-4, 1), shuttled(2, -1)]).toEqual([
      1, 2, 16, 1, -1,
    ]);
    const member = aMember('a', 10_000);
    const group = new PlayGroup();
    group.setMembers([member]);
    group.setSpeed(-4);
    group.tick(1000);
    group.tick(1200);
    expect(member.sought.at(-1)).toBe(10_000 - 4 * 200);
    group.toggle();
    expect(group.speed).toBe(0);
  });

  it('repeats a stretch', () => {
    const member = aMember('a', 10_000);
    const group = new PlayGroup();
    group.setMembers([member]);
    group.setLoop({ from: 8000, to: 9999 });
    group.tick(0);
    expect(member.sought).toEqual([]);
    group.setSpeed(1);
    group.tick(16);
    expect(member.sought).toEqual([8000]);
  });

  it('has nothing to do without a player', () => {
    const group = new PlayGroup();
    group.tick(0);
    group.step(1);
    expect([group.atMs, group.driftMs]).toEqual([undefined, 0]);
  });
});
