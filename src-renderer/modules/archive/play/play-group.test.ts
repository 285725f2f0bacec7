import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { frameRateOf } from '../time-code.ts';
import { PlayGroup, shuttled, type GroupMember } from './play-group.ts';

/** Player with a position that the test sets. */
function aMember(
  name: string,
  atMs: number,
): GroupMember & { readonly player: { atMs: number }; readonly sought: number[] } {
  const sought: number[] = [];
  const video = document.createElement('video');
  const player = {
    atMs,
    state: 'ready' as const,
    isLive: false,
    frameRate: frameRateOf(25),
    get frameAtMs(): number {
      return this.atMs;
    },
    async frame(): Promise<number> {
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

describe('PlayGroup', () => {
  it('brings streams from any position to within a frame at 25 fps, also on a slow machine', () => {
    const starts = fc.array(fc.integer({ min: -2000, max: 2000 }), { minLength: 2, maxLength: 9 });
    const paces = fc.array(fc.double({ min: 0.93, max: 1.01, noNaN: true }), { minLength: 9, maxLength: 9 });
    fc.assert(
      fc.property(starts, paces, (offs, pace) => {
        const members = offs.map((off, at) => aMember(`${at}`, 100_000 + off));
        const group = new PlayGroup();
        group.setMembers(members);
        members.forEach(({ player }, at) => (player.atMs = 100_000 + (offs[at] ?? 0)));
        group.setSpeed(1);
        for (let ms = 0; ms < 30_000; ms += 16) {
          group.tick(ms);
          for (const [at, { player, video }] of members.entries())
            if (!video.paused) player.atMs += 16 * video.playbackRate * (pace[at] ?? 1);
          if (ms > 20_000) expect(group.driftMs).toBeLessThan(40);
        }
        expect(group.atMs).toBeGreaterThan(115_000);
      }),
      { numRuns: 60 },
    );
  });

  it('keeps streams within a millisecond of each other although the audible one drifts', () => {
    const places = [0, 30, 12, 7, 3].map((off) => 100_000 + off);
    const members = places.map((at, number) => aMember(`${number}`, at));
    const group = new PlayGroup();
    group.setMembers(members);
    group.setSpeed(1);
    for (let ms = 0; ms < 30_000; ms += 16) {
      for (const [at, { player, video }] of members.entries()) {
        if (!video.paused) places[at]! += 16 * video.playbackRate;
        player.atMs = places[at]! + (at === 0 ? 4 * Math.sin(ms / 37) : 0);
      }
      group.tick(ms);
      const others = places.slice(1);
      if (ms > 15_000) expect(Math.max(...others) - Math.min(...others)).toBeLessThan(1);
    }
  });

  it('pauses streams that are ahead, seeks distant ones once, and does not wait for paused ones', () => {
    const [first, near, far] = [aMember('a', 10_000), aMember('b', 9800), aMember('c', 2000)];
    const group = new PlayGroup();
    group.setMembers([first, near, far]);
    group.setSpeed(2);
    [near.player.atMs, far.player.atMs] = [9700, 2000];
    far.sought.length = 0;
    group.tick(0);
    expect([first.video.paused, near.video.paused]).toEqual([true, false]);
    expect(near.video.playbackRate).toBeCloseTo(2, 1);
    expect(far.sought).toEqual([10_000]);
    // The third player is slow to arrive: the others wait, and it does not seek again.
    far.player.atMs = 9000;
    group.tick(16);
    expect([far.sought.length, near.video.paused]).toEqual([1, true]);
    for (let ms = 32; ms < 4000; ms += 16) group.tick(ms);
    expect(near.video.paused).toBe(false);
    expect(group.driftMs).toBe(1000);
  });

  it('plays forward, pauses and plays back with J, K and L', () => {
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

  it('does not restart a stream that reached its end', () => {
    const member = aMember('a', 10_000);
    const group = new PlayGroup();
    group.setMembers([member]);
    group.setSpeed(1);
    member.video.pause();
    Object.defineProperty(member.video, 'ended', { value: true });
    group.tick(16);
    expect(member.video.paused).toBe(true);
  });

  it('repeats a range', () => {
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

  it('does nothing without a player', () => {
    const group = new PlayGroup();
    group.tick(0);
    group.step(1);
    expect([group.atMs, group.driftMs]).toEqual([undefined, 0]);
  });
});
