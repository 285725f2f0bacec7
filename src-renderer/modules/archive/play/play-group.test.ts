import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gapAt } from '../ranges.ts';
import { frameRateOf } from '../time-code.ts';
import type { Range } from '../time-scale.ts';
import { PlayGroup, shuttled, type GroupMember } from './play-group.ts';

type TestMember = GroupMember & { readonly player: { atMs: number }; readonly sought: number[] };

const ALWAYS: readonly Range[] = [{ from: 0, to: Infinity }];

/** Player with a position that the test sets. @param recorded ranges; a function if they are loaded later */
function aMember(
  name: string,
  atMs: number,
  recorded: readonly Range[] | (() => readonly Range[] | undefined) = ALWAYS,
): TestMember {
  const ranges = typeof recorded === 'function' ? recorded : () => recorded;
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
  const gapOf: GroupMember['gapAt'] = (ms) => {
    const known = ranges();
    return known && gapAt(known, ms);
  };
  return { name, video, player, sought, gapAt: gapOf };
}

/** Plays for some time: players that are not paused move on, and skip the gaps of their recordings. */
function play(group: PlayGroup, members: readonly TestMember[], fromMs: number, toMs: number, seen?: () => void): void {
  for (let ms = fromMs; ms < toMs; ms += 16) {
    for (const { player, video, gapAt } of members) {
      if (video.paused) continue;
      player.atMs += 16 * video.playbackRate;
      const gap = gapAt(player.atMs);
      if (gap) player.atMs = gap.to ?? gap.from ?? player.atMs;
      if (gap?.to !== null) continue;
      // At the end of its source, a player is paused at its last picture.
      player.atMs = (gap.from ?? 0) - 1;
      Object.defineProperty(video, 'ended', { value: true });
      video.pause();
    }
    group.tick(ms);
    seen?.();
  }
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

describe('PlayGroup with gaps', () => {
  const gappy = (from: number, to: number): readonly Range[] => [
    { from: 0, to: from },
    { from: to, to: Infinity },
  ];

  it('stays at a moment that any stream has recorded, and waits with the others at the end of their gaps', () => {
    const [first, second] = [aMember('a', 1000, gappy(5000, 9000)), aMember('b', 1000)];
    const group = new PlayGroup();
    group.setMembers([first, second]);
    group.seek(6000);
    expect([group.atMs, group.leader?.name, first.player.atMs]).toEqual([6000, 'b', 9000]);
    group.setSpeed(1);
    expect([first.video.paused, second.video.paused]).toEqual([true, false]);
    play(group, [first, second], 0, 2500);
    expect(first.video.paused).toBe(true);
    expect(first.sought.filter((ms) => ms === 9000)).toHaveLength(1);
    // It joins where it is recorded again.
    play(group, [first, second], 2500, 6000);
    expect([first.video.paused, group.leader?.name]).toEqual([false, 'b']);
    expect(group.driftMs).toBeLessThan(100);
    expect(group.atMs).toBeGreaterThan(11_000);
    // After the gap, the first stream leads again.
    group.seek(12_000);
    expect(group.leader?.name).toBe('a');
  });

  it('plays through a gap of the leading stream with another stream, without a jump', () => {
    const [first, second] = [aMember('a', 4000, gappy(5000, 9000)), aMember('b', 4000, gappy(12_000, 14_000))];
    const group = new PlayGroup();
    group.setMembers([first, second]);
    group.setSpeed(1);
    let [last, longest] = [4000, 0];
    play(group, [first, second], 0, 11_000, () => {
      longest = Math.max(longest, Math.abs((group.atMs ?? 0) - last));
      last = group.atMs ?? 0;
    });
    expect(longest).toBeLessThan(100);
    expect([group.leader?.name, first.video.paused, second.video.paused]).toEqual(['a', false, false]);
    expect(group.atMs).toBeGreaterThan(14_500);
    expect(group.driftMs).toBeLessThan(100);
  });

  it('skips only the time that no stream has recorded', () => {
    const [first, second] = [aMember('a', 4500, gappy(5000, 30_000)), aMember('b', 4500, gappy(4900, 20_000))];
    const group = new PlayGroup();
    group.setMembers([first, second]);
    group.setSpeed(1);
    play(group, [first, second], 0, 1000);
    expect(group.leader?.name).toBe('b');
    expect(group.atMs).toBeGreaterThanOrEqual(20_000);
    expect(group.atMs).toBeLessThan(21_000);
    group.seek(10_000);
    expect(group.atMs).toBe(20_000);
    group.setSpeed(-1);
    group.seek(10_000);
    expect([group.atMs, group.leader?.name]).toEqual([4900, 'a']);
  });

  it('continues after the last recording of the leading stream, and shows the last picture after all recordings', () => {
    const [first, second] = [aMember('a', 4000, [{ from: 0, to: 5000 }]), aMember('b', 4000, [{ from: 0, to: 9000 }])];
    const group = new PlayGroup();
    group.setMembers([first, second]);
    group.setSpeed(1);
    play(group, [first, second], 0, 3000);
    expect([group.leader?.name, first.video.paused]).toEqual(['b', true]);
    expect(group.atMs).toBeGreaterThan(6500);
    group.seek(60_000);
    expect([group.atMs, group.leader?.name]).toEqual([8900, 'b']);
  });

  it('returns to the sought moment if its gap becomes known later', () => {
    const loaded: { known?: readonly Range[] } = {};
    const [first, second] = [aMember('a', 0, () => loaded.known), aMember('b', 0)];
    const group = new PlayGroup();
    group.setMembers([first, second]);
    group.seek(6000);
    // The player skips the gap.
    first.player.atMs = 9000;
    group.tick(16);
    expect(group.atMs).toBe(9000);
    loaded.known = gappy(5000, 9000);
    group.tick(32);
    expect([group.atMs, group.leader?.name]).toEqual([6000, 'b']);
    first.sought.length = 0;
    group.tick(48);
    expect(first.sought).toEqual([]);
  });

  it('steps into a gap with another stream', () => {
    const [first, second] = [aMember('a', 4960, gappy(5000, 9000)), aMember('b', 4960)];
    const group = new PlayGroup();
    group.setMembers([first, second]);
    group.step(1);
    expect([group.atMs, group.leader?.name, first.player.atMs]).toEqual([5000, 'b', 9000]);
    group.step(1);
    expect(group.atMs).toBe(5040);
  });
});
