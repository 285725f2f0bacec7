import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeHls, FakeVideo } from '../../../../tests/helpers/desk/fake-player.ts';
import { nextRecorded } from '../ranges.ts';
import { ArchivePlayer } from './archive-player.ts';
import type { PlayerState } from './player-options.ts';

vi.mock('hls.js', async () => ({ default: (await import('../../../../tests/helpers/desk/fake-player.ts')).FakeHls }));
/** Whether each opened source has audio, in order. */
const sounds = vi.hoisted((): boolean[] => []);
vi.mock('./start-loader.ts', () => ({
  startLoader: (ms: number, hasSound: boolean) => {
    sounds.push(hasSound);
    return ms;
  },
}));

const MINUTE = 60_000;
const NOW = 1_800_000_000_000;
const BEGIN = NOW - 90 * MINUTE;
/** An hour of recording with a gap. */
const RECORDED = [
  { from: BEGIN, to: BEGIN + 20 * MINUTE },
  { from: BEGIN + 20.5 * MINUTE, to: BEGIN + 60 * MINUTE },
];
const GAP = { from: BEGIN + 20 * MINUTE, to: BEGIN + 20.5 * MINUTE };
const SEGMENT_MS = 2000;

function listOf(file: string): ReturnType<typeof FakeHls.listOf> {
  const [, from = 0, seconds = 0] = (/archive-(\d+)-(\d+)/.exec(file) ?? []).map(Number);
  const times = RECORDED.flatMap((range, cc) =>
    Array.from({ length: (range.to - range.from) / SEGMENT_MS }, (_, at) => ({
      cc,
      programDateTime: range.from + at * SEGMENT_MS,
    })),
  ).filter(
    ({ programDateTime: at }) => at + SEGMENT_MS > from * 1000 && at < (from + seconds) * 1000 && at < BEGIN + NOW,
  );
  return times.map((one, at) => ({ ...one, start: at * 2, duration: 2 }));
}

let video: FakeVideo;
let player: ArchivePlayer;
let states: PlayerState[];
let clockMs: number;
let isOnAir: boolean;
beforeEach(() => {
  vi.useFakeTimers();
  [FakeHls.listOf, FakeHls.gapSeconds] = [listOf, 0];
  build();
});
function build(): void {
  FakeHls.opened.length = sounds.length = 0;
  [video, states, clockMs, isOnAir] = [new FakeVideo(), [], NOW, false];
  player = new ArchivePlayer({
    // The fake implements the part of a video that the player uses.
    video: video as unknown as HTMLVideoElement,
    addressOf: (file) => file,
    now: () => clockMs,
    isOnAir: () => isOnAir,
    recorded: () => RECORDED,
    isAudible: () => true,
    changed: (state) => states.push(state),
  });
}
afterEach(() => {
  player.close();
  vi.useRealTimers();
});

const newest = (): FakeHls => FakeHls.opened.at(-1) ?? expect.fail('nothing was opened');
const pass = (ms: number): void => {
  clockMs += ms;
  vi.advanceTimersByTime(ms);
};
/** Delivers all outstanding events, as on a machine that is idle again. */
function deliverAll(seconds: number): void {
  for (let at = 0; at < seconds; at++) {
    const hls = newest();
    if (hls.latestLevelDetails === null) hls.list();
    if (!video.isLoaded) hls.load();
    video.settle();
    pass(1000);
  }
}
function expectPicture(ms: number): void {
  expect([player.state, video.isLoaded, video.seeking]).toEqual(['ready', true, false]);
  // Up to 4 ms inside the picture.
  expect(Math.abs((player.atMs ?? 0) - ms)).toBeLessThan(5);
}

describe('a requested time in the archive', () => {
  it('is shown finally, in any order of answers, failures and time-outs', () => {
    const moments = fc.integer({ min: 0, max: 60 * MINUTE - 100 }).map((ms) => BEGIN + ms);
    const steps = fc.array(
      fc.oneof(
        { weight: 4, arbitrary: fc.record({ what: fc.constant('seek' as const), ms: moments }) },
        {
          weight: 8,
          arbitrary: fc.record({
            what: fc.constantFrom(...(['list', 'load', 'settle', 'late', 'pass', 'play'] as const)),
          }),
        },
        {
          weight: 2,
          arbitrary: fc.record({ what: fc.constantFrom(...(['stick', 'media', 'network', 'drop'] as const)) }),
        },
      ),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(moments, steps, (first, all) => {
        player.close();
        build();
        let targetMs = nextRecorded(RECORDED, first) ?? first;
        player.seek(targetMs);
        for (const step of all) {
          const hls = newest();
          if (step.what === 'seek') player.seek((targetMs = nextRecorded(RECORDED, step.ms) ?? step.ms));
          else if (step.what === 'list') hls.list();
          else if (step.what === 'load') hls.load();
          else if (step.what === 'settle') video.settle();
          else if (step.what === 'late') video.dispatchEvent(new Event('seeked'));
          else if (step.what === 'pass') pass(700);
          else if (step.what === 'play') video.dispatchEvent(new Event('playing'));
          else if (step.what === 'stick') hls.isStuck = true;
          // Browsers discard data that they do not show.
          else if (step.what === 'drop') video.ranges = video.isLoaded ? video.ranges.slice(-1) : video.ranges.slice(1);
          else hls.fail(step.what);
        }
        deliverAll(60);
        expectPicture(targetMs);
      }),
      { numRuns: 300 },
    );
  });

  it('is loaded again if no data arrive, or if loading failed live', () => {
    player.seek(BEGIN + 7 * MINUTE);
    newest().isStuck = true;
    deliverAll(10);
    expectPicture(BEGIN + 7 * MINUTE);
    isOnAir = true;
    player.goLive();
    // The first failure is retried at once.
    for (let time = 0; time < 2; time++) newest().fail();
    const failed = newest();
    expect(player.state).toBe('failed');
    pass(4000);
    expect([newest() === failed, player.state]).toEqual([false, 'loading']);
  });

  it('continues to load on a slow connection, and restarts when no data arrive', () => {
    player.seek(BEGIN + 7 * MINUTE);
    const slow = newest();
    slow.list();
    const frag = { type: 'main', stats: { loaded: 0 } };
    slow.emit('loading', { frag });
    for (let second = 0; second < 40; second++) {
      frag.stats.loaded += 20_000;
      pass(1000);
    }
    expect([FakeHls.opened.length, player.state]).toEqual([1, 'loading']);
    slow.emit('loaded', { frag });
    deliverAll(3);
    expectPicture(BEGIN + 7 * MINUTE);
    player.seek(BEGIN + 50 * MINUTE);
    newest().list();
    newest().emit('loading', { frag: { type: 'main', stats: { loaded: 20_000 } } });
    pass(13_000);
    expect(FakeHls.opened).toHaveLength(3);
  });

  it('is shown after a gap even if another range was loaded, or audio and video start at different times', () => {
    FakeHls.gapSeconds = 0.4;
    player.seek(GAP.to);
    deliverAll(3);
    expect([player.state, video.seeking]).toEqual(['ready', false]);
    expect(player.atMs).toBeCloseTo(GAP.to + 404, 0);
    // The last pictures of a range are near enough.
    player.seek(GAP.from - 20);
    deliverAll(3);
    expect([player.state, video.seeking]).toEqual(['ready', false]);
    expect(player.atMs).toBeCloseTo(GAP.from - 404, 0);
  });

  it('is shown without audio if the audio ends before a gap, and with audio elsewhere', async () => {
    const targetMs = GAP.from - 100;
    player.seek(targetMs);
    newest().list();
    // The browser waits for more audio than exists before the gap.
    video.seeking = true;
    video.ranges = [
      [0, 5],
      [6, 8],
    ];
    video.currentTime = 4.9;
    const state = vi.spyOn(video, 'readyState', 'get').mockReturnValue(1);
    newest().emit('buffered', { frag: { type: 'audio', start: 6, end: 8 } });
    state.mockRestore();
    deliverAll(3);
    expectPicture(targetMs);
    expect(sounds).toEqual([true, false]);
    // Nothing is opened again near the missing audio.
    player.seek(targetMs - 400);
    deliverAll(3);
    expectPicture(targetMs - 400);
    expect(sounds).toEqual([true, false]);
    // Playback after the gap has audio again.
    await video.play();
    video.currentTime += 1.5;
    video.dispatchEvent(new Event('timeupdate'));
    deliverAll(3);
    expect(sounds).toEqual([true, false, true]);
  });

  it('is shown without audio if the audio does not arrive', () => {
    const targetMs = BEGIN + 7 * MINUTE;
    player.seek(targetMs);
    const first = newest();
    first.list();
    const frag = { type: 'main', stats: { loaded: 20_000 } };
    first.emit('loading', { frag });
    first.emit('loaded', { frag });
    pass(2500);
    expect(newest()).not.toBe(first);
    deliverAll(3);
    expectPicture(targetMs);
    player.seek(targetMs + 2 * MINUTE);
    deliverAll(3);
    expectPicture(targetMs + 2 * MINUTE);
    expect(sounds).toEqual([true, false, true]);
  });

  it('is shown during playback even if the browser reports it late', async () => {
    await video.play();
    video.lateSeconds = 0.3;
    player.seek(BEGIN + 7 * MINUTE);
    deliverAll(3);
    player.seek(BEGIN + 7 * MINUTE + 30_000);
    deliverAll(3);
    expect([player.state, video.seeking]).toEqual(['ready', false]);
    expect(player.atMs).toBeCloseTo(BEGIN + 7 * MINUTE + 30_300, 0);
  });

  it('is shown once a missing file is available again', () => {
    FakeHls.listOf = () => [];
    player.seek(BEGIN + 7 * MINUTE);
    newest().list();
    expect(player.state).toBe('empty');
    FakeHls.listOf = listOf;
    pass(3000);
    deliverAll(3);
    expectPicture(BEGIN + 7 * MINUTE);
  });

  it('is distinguished from the picture that was drawn before the request', () => {
    player.seek(BEGIN + 7 * MINUTE);
    deliverAll(3);
    const say = (mediaTime: number, presentationTime: number): void => {
      for (const run of video.frames.splice(0)) run(0, { mediaTime, presentationTime });
    };
    const place = video.currentTime;
    const drawnMs = performance.now();
    pass(20);
    player.seek(BEGIN + 7 * MINUTE + 1000);
    deliverAll(3);
    say(place, drawnMs);
    expect(player.frameAtMs).toBeCloseTo(BEGIN + 7 * MINUTE + 1000, 0);
    say(place + 1, performance.now());
    expect(player.frameAtMs).toBeCloseTo(BEGIN + 7 * MINUTE + 1000, 0);
  });

  it('is followed by the next range during playback, but not when paused', () => {
    player.seek(BEGIN + 59 * MINUTE);
    deliverAll(3);
    const at = player.atMs;
    video.dispatchEvent(new Event('ended'));
    expect([player.atMs, video.paused]).toEqual([at, true]);
    // Playback continues at the end of the playlist, not at the end of its window.
    player.seek(BEGIN + 2 * MINUTE);
    deliverAll(3);
    void video.play();
    const { latestLevelDetails: details } = newest();
    details?.fragments.splice(100);
    video.ended = true;
    video.dispatchEvent(new Event('ended'));
    expect(player.atMs).toBeCloseTo(BEGIN + 200_001, 0);
  });
});
