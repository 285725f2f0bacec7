import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { spliceInsert } from '../../tests/helpers/splice-sections.ts';
import { StreamRun } from '../../tests/helpers/stream-run.ts';
import { readStrictPlaylist } from '../../tests/helpers/strict-playlist.ts';
import { testMedia } from '../../tests/helpers/test-media.ts';
import { LoopSink } from '../ingest/file/loop-sink.ts';
import { MpegTsReader } from '../media/containers/mpegts/reader.ts';
import { MpegTsWriter } from '../media/containers/mpegts/writer.ts';
import { renderMpd } from './dash/mpd.ts';
import { renderMediaPlaylist } from './hls/media-playlist.ts';

const SECOND = 90_000;
const WRAP = 2 ** 33;
const FRAME_MS = 40;
/** Duration of one pass in seconds, with a key frame every second. */
const SECONDS = 16;

/** A scheduled break, in seconds of its pass. */
interface Break {
  readonly eventId: number;
  readonly outSeconds: number;
  readonly lengthSeconds: number;
  /** True if the encoder also signals the end of the break. */
  readonly hasIn: boolean;
  /** Time from the first announcement to the break, and the number of announcements. */
  readonly leadMs: number;
  readonly times: number;
  /** True if the break is cancelled before it starts. */
  readonly isCancelled: boolean;
  /** Offset of the first announced start from the actual start, in seconds. */
  readonly movedSeconds: number;
  readonly adjustment: number;
}

interface Schedule {
  readonly firstTicks: number;
  readonly passes: number;
  /** Second before which the input clock jumps, and the size of the jump. 0 means no jump. */
  readonly jumpSecond: number;
  readonly jumpTicks: number;
  readonly breaks: readonly Break[];
}

const oneBreak = fc.record({
  gapSeconds: fc.integer({ min: 1, max: 3 }),
  lengthSeconds: fc.integer({ min: 1, max: 3 }),
  hasIn: fc.boolean(),
  leadMs: fc.integer({ min: 90, max: 2900 }),
  times: fc.integer({ min: 1, max: 3 }),
  isCancelled: fc.boolean(),
  movedSeconds: fc.constantFrom(0, 0, 0, -0.52, 0.48),
  adjustment: fc.nat(WRAP - 1),
});

const schedules: fc.Arbitrary<Schedule> = fc
  .record({
    firstTicks: fc.oneof(
      fc.nat(WRAP - 1),
      fc.integer({ min: 1, max: 15 }).map((seconds) => WRAP - seconds * SECOND - 7),
    ),
    passes: fc.integer({ min: 1, max: 2 }),
    jumpSecond: fc.constantFrom(0, 0, 5, 9),
    jumpTicks: fc.constantFrom(3600 * SECOND, -1800 * SECOND, 40 * SECOND),
    drawn: fc.array(oneBreak, { minLength: 1, maxLength: 4 }),
  })
  .map(({ drawn, ...rest }) => {
    let at = 2;
    const breaks = drawn.map(({ gapSeconds, ...one }, index) => {
      const outSeconds = at + gapSeconds;
      at = outSeconds + one.lengthSeconds;
      // The original time must still be in the future when the break is moved.
      return { ...one, outSeconds, eventId: 100 + index, movedSeconds: one.leadMs < 1500 ? 0 : one.movedSeconds };
    });
    return {
      ...rest,
      breaks: breaks.filter(({ outSeconds, lengthSeconds }) => outSeconds + lengthSeconds < SECONDS - 1),
    };
  });

/** A section and its sending time, in seconds of the pass. */
interface Announcement {
  readonly announcedSeconds: number;
  readonly atSeconds: number;
  readonly made: Parameters<typeof spliceInsert>[0];
}

/** Messages of the encoder, in order. */
function announcements({ breaks }: Schedule): Announcement[] {
  const all = breaks.flatMap((one) => {
    const { eventId, outSeconds, lengthSeconds, leadMs, times, isCancelled, movedSeconds, adjustment } = one;
    const made = { eventId, durationMs: lengthSeconds * 1000, ptsAdjustmentTicks: adjustment };
    const firstSeconds = outSeconds - leadMs / 1000;
    // The break is moved between the first and the later announcements. At least one announcement has the actual time.
    const count = movedSeconds === 0 ? times : Math.max(2, times);
    const outs = Array.from({ length: count }, (_, time) => ({
      announcedSeconds: firstSeconds + (time * leadMs) / 2000 / count,
      atSeconds: outSeconds + (time === 0 ? movedSeconds : 0),
      made,
    }));
    const cancel = {
      announcedSeconds: outSeconds - leadMs / 4000,
      atSeconds: outSeconds,
      made: { eventId, isCancel: true },
    };
    const back = {
      announcedSeconds: outSeconds + 0.3,
      atSeconds: outSeconds + lengthSeconds,
      made: { eventId, isOut: false, ptsAdjustmentTicks: adjustment },
    };
    return [...outs, ...(isCancelled ? [cancel] : one.hasIn ? [back] : [])];
  });
  // The model omits messages whose sending time the input clock has not reached.
  return all
    .filter(({ announcedSeconds }) => announcedSeconds > 0.1)
    .sort((a, b) => a.announcedSeconds - b.announcedSeconds);
}

/** One pass of the input as a transport stream, one chunk per access unit. */
function* pass(schedule: Schedule): Generator<{ readonly ms: number; readonly bytes: Uint8Array }> {
  const media = testMedia();
  const writer = new MpegTsWriter([media.video, media.audio], { hasSplices: true });
  const waiting = announcements(schedule);
  for (const unit of media.units(SECONDS)) {
    const seconds = unit.dtsTicks / SECOND;
    const jump = schedule.jumpSecond > 0 && seconds >= schedule.jumpSecond ? schedule.jumpTicks : 0;
    const shift = schedule.firstTicks + jump + (jump < 0 ? WRAP : 0);
    while (waiting[0] && waiting[0].announcedSeconds <= seconds) {
      const { atSeconds, made } = waiting.shift() as Announcement;
      writer.splice(spliceInsert({ ...made, ptsTicks: Math.round(shift + atSeconds * SECOND) }));
    }
    writer.accessUnit({ ...unit, dtsTicks: unit.dtsTicks + shift, ptsTicks: unit.ptsTicks + shift });
    yield { ms: unit.dtsTicks / 90, bytes: writer.take() };
  }
}

/** Plays a schedule. Returns the run and the presentation time of each picture. */
function play(schedule: Schedule): { readonly run: StreamRun; readonly shownMs: readonly number[] } {
  const run = new StreamRun({ segmentCount: 200 });
  const shownMs: number[] = [];
  run.hub.addReader({
    tracks() {},
    discontinuity() {},
    idle() {},
    splice() {},
    unit: ({ track, ptsTicks }) => void (track.content === 'video' && shownMs.push(ptsTicks / 90)),
  });
  const loop = new LoopSink(run.hub);
  const startMs = run.clock.now();
  for (let index = 0; index < schedule.passes; index++) {
    const reader = new MpegTsReader(loop);
    for (const { ms, bytes } of pass(schedule)) {
      run.clock.advance(Math.max(0, startMs + index * SECONDS * 1000 + ms - run.clock.now()));
      run.feed(() => {
        reader.push(bytes);
      });
    }
    run.feed(() => {
      reader.flush();
    });
    loop.nextPass();
  }
  run.close();
  return { run, shownMs };
}

/** Expected points: kind, event and picture, computed from the schedule alone. */
function expected(schedule: Schedule): { readonly kind: string; readonly eventId: number; readonly picture: number }[] {
  const { passes, breaks } = schedule;
  return Array.from({ length: passes }, (_, index) => index * SECONDS).flatMap((from) =>
    breaks
      .filter(({ isCancelled }) => !isCancelled)
      .flatMap(({ eventId, outSeconds, lengthSeconds, hasIn }) => {
        const out = { kind: 'out', eventId, picture: (from + outSeconds) * 25 };
        return hasIn ? [out, { kind: 'in', eventId, picture: (from + outSeconds + lengthSeconds) * 25 }] : [out];
      }),
  );
}

/** The section of a break is the first data with the new clock, before any video or audio. */
const ANNOUNCED_BEFORE_THE_JUMP: Schedule = {
  firstTicks: 0,
  passes: 1,
  jumpSecond: 9,
  jumpTicks: 3600 * SECOND,
  breaks: [
    {
      eventId: 100,
      outSeconds: 11,
      lengthSeconds: 1,
      hasIn: false,
      leadMs: 2000,
      times: 1,
      isCancelled: false,
      movedSeconds: 0,
      adjustment: 0,
    },
  ],
};

describe('splice points from a transport stream to playlists', () => {
  it('are listed once each, at their pictures, with segments that start there, for any kind of announcement', () => {
    fc.assert(
      fc.property(schedules, (schedule) => {
        const { run, shownMs } = play(schedule);
        const points = expected(schedule).map((point) => ({ ...point, atMs: shownMs[point.picture] ?? 0 }));
        const { window } = run;
        const name = (point: { kind: string; eventId: number | null }): string => `${point.kind} ${point.eventId}`;
        const byTime = [...points].sort((a, b) => a.atMs - b.atMs);
        expect(shownMs).toHaveLength(schedule.passes * SECONDS * 25);
        expect(window.splices().map(name)).toEqual(byTime.map(name));
        const text = renderMediaPlaylist(window, { trackId: 'v1', marks: 'rfc8216' }) ?? '';
        const { dateRanges, segments } = readStrictPlaylist(text);
        const outs = dateRanges.filter((range) => range.has('SCTE35-OUT'));
        const mpd = renderMpd(window, { nowMs: run.clock.now() }) ?? '';
        const events = [...mpd.matchAll(/<Event presentationTime="(\d+)"/g)].map(([, at]) => Number(at));
        const cues = renderMediaPlaylist(window, { trackId: 'v1', marks: 'aws' }) ?? '';
        expect(outs).toHaveLength(byTime.filter(({ kind }) => kind === 'out').length);
        expect(events).toHaveLength(byTime.length);
        expect(cues.match(/#EXT-X-CUE-OUT(:|\n)/g) ?? []).toHaveLength(outs.length);
        for (const [index, { atMs }] of byTime.entries()) {
          expect(Math.abs((window.splices()[index]?.atMs ?? 0) - atMs)).toBeLessThan(FRAME_MS);
          expect(Math.min(...segments.map(({ dateMs }) => Math.abs((dateMs ?? 0) - atMs)))).toBeLessThan(FRAME_MS);
          expect(Math.min(...events.map((at) => Math.abs(at - atMs)))).toBeLessThan(FRAME_MS);
        }
        // Moved or cancelled points cut nothing: only points and announced ends of breaks shorten segments.
        const kept = schedule.breaks.filter(({ isCancelled }) => !isCancelled);
        const ends = kept.map(({ outSeconds, lengthSeconds }) => outSeconds + lengthSeconds);
        const passes = Array.from({ length: schedule.passes }, (_, index) => index * SECONDS);
        const endsMs = passes.flatMap((from) => ends.map((seconds) => shownMs[(from + seconds) * 25] ?? 0));
        const mayCutMs = [...byTime.map(({ atMs }) => atMs), ...endsMs];
        for (const [index, { dateMs = 0, isDiscontinuity }] of segments.entries()) {
          const isShort = dateMs - (segments[index - 1]?.dateMs ?? -Infinity) < 2000 - FRAME_MS;
          if (isShort && !isDiscontinuity)
            expect(Math.min(...mayCutMs.map((atMs) => Math.abs(dateMs - atMs)))).toBeLessThan(FRAME_MS);
        }
        for (const [index, { atMs }] of byTime.filter(({ kind }) => kind === 'out').entries())
          expect(Math.abs(Date.parse(outs[index]?.get('START-DATE') ?? '') - atMs)).toBeLessThan(FRAME_MS);
      }),
      { numRuns: 40, examples: [[ANNOUNCED_BEFORE_THE_JUMP]] },
    );
  });
});
