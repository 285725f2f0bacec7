import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyStream, playSteps } from '../../../tests/helpers/any-stream.ts';
import { ChangingEncoder } from '../../../tests/helpers/changing-encoder.ts';
import { audioOnlyStream, brokenStream, ordinaryStream } from '../../../tests/helpers/golden-streams.ts';
import { madeAudio, madeVideo } from '../../../tests/helpers/made-input.ts';
import { LongWindow } from '../../../tests/helpers/long-window.ts';
import { StreamRun } from '../../../tests/helpers/stream-run.ts';
import { checkUpdate, readStrictMpd, type ReadMpd } from '../../../tests/helpers/strict-mpd.ts';
import type { AccessUnit } from '../../media/access-unit.ts';
import { renderMpd } from './mpd.ts';

function render(stream: StreamRun, query?: string): string | undefined {
  return renderMpd(stream.window, { nowMs: stream.clock.now(), ...(query === undefined ? {} : { query }) });
}

/** Addresses in an MPD that do not resolve to a resource. */
function deadAddresses(mpd: ReadMpd, { window }: StreamRun): string[] {
  const dead: string[] = [];
  for (const { sets } of mpd.periods) {
    for (const { trackId, initialization, segments } of sets) {
      const initId = Number(/^(\w+)\/init-(\d+)\.mp4$/.exec(initialization)?.[2]);
      if (!window.init(trackId, initId)) dead.push(initialization);
      for (const { t } of segments)
        if (!window.segmentByAddress(trackId, String(t))?.segment.parts.length) dead.push(`${trackId}/${t}.m4s`);
    }
  }
  return dead;
}

describe('renderMpd', () => {
  it('renders MPDs that a strict client accepts, for any stream and over many updates', () => {
    fc.assert(
      fc.property(anyStream, fc.integer({ min: 1, max: 40 }), ({ steps, options }, every) => {
        const stream = new StreamRun(options);
        let before: ReadMpd | undefined;
        let batches = 0;
        const update = (): void => {
          const text = render(stream);
          if (text === undefined) return;
          const mpd = readStrictMpd(text);
          expect(deadAddresses(mpd, stream)).toEqual([]);
          if (before) checkUpdate(before, mpd);
          before = mpd;
        };
        stream.onBatch = () => {
          if (batches++ % every === 0) update();
        };
        playSteps(steps, stream);
        update();
      }),
      { numRuns: 40 },
    );
  });

  it('matches the snapshot', async () => {
    await expect(render(ordinaryStream()) ?? '').toMatchFileSnapshot('../../../tests/golden/dash/ordinary.mpd');
    await expect(render(brokenStream()) ?? '').toMatchFileSnapshot(
      '../../../tests/golden/dash/discontinuity-and-new-format.mpd',
    );
    await expect(render(audioOnlyStream()) ?? '').toMatchFileSnapshot('../../../tests/golden/dash/sound-alone.mpd');
  });

  it('marks the first of several audio tracks as the main one, because players would switch between them by bit rate otherwise', () => {
    const stream = new StreamRun();
    const encoder = new ChangingEncoder(stream, { v1: 0, v2: 0, a1: 0, a2: 0, a3: 0 });
    encoder.take({ type: 'toggle', id: 'a2' });
    encoder.take({ type: 'play', ms: 5000 });
    const roles = [...(render(stream) ?? '').matchAll(/role:2011" value="(\w+)"/g)].map(([, role]) => role);
    expect(roles).toEqual(['main', 'main', 'alternate']);
  });

  it('keeps the target latency inside the window when complete segments are loaded, because dash.js would stall at its start', () => {
    const stream = new StreamRun({ segmentMs: 1000, segmentCount: 20 });
    const play = stream.playing({ video: { fps: 25, gopFrames: 25, bFrames: 0 }, seconds: 10 });
    for (const [playedMs, target] of [
      [2300, 2000],
      [2800, 2500],
      [7000, 3500],
    ] as const) {
      play(playedMs);
      const { window } = stream;
      const unordered = new Proxy(window, {
        get: (from, name) => {
          const value: unknown = name === 'hasPeriodClocks' ? true : Reflect.get(from, name, from);
          return typeof value === 'function' ? (value.bind(from) as unknown) : value;
        },
      });
      const text = renderMpd(unordered, { nowMs: stream.clock.now() });
      const found = Number(/<Latency target="(\d+)"/.exec(text ?? '')?.[1]);
      const [begin] = stream.window.segments('v1');
      const sinceMs = stream.clock.now() - (stream.window.epochMs ?? 0) - (begin?.startMs ?? 0);
      expect(sinceMs - found).toBeGreaterThan(100);
      expect(found).toBeGreaterThanOrEqual(target);
      expect(found).toBeLessThanOrEqual(3500);
    }
  });

  it('keeps the target latency out of a gap', () => {
    const stream = new StreamRun({ segmentMs: 1000, segmentCount: 20 });
    const input = {
      video: { fps: 25, gopFrames: 25, bFrames: 0 },
      audio: { sampleRate: 48_000, lateMs: 0 },
      seconds: 10,
    } as const;
    const target = (): number => Number(/<Latency target="(\d+)"/.exec(render(stream) ?? '')?.[1]);
    stream.play(input);
    expect(target()).toBe(2000);
    stream.idle(0);
    stream.clock.advance(10_000);
    const more = stream.playing(input);
    more(1600);
    expect(readStrictMpd(render(stream) ?? '').periods).toHaveLength(2);
    expect(target()).toBeLessThan(1600);
    expect(target()).toBeGreaterThan(300);
    more(5000);
    expect(target()).toBe(2000);
  });

  it('adds a query to addresses, escaped for XML', () => {
    const mpd = readStrictMpd(render(ordinaryStream(), 'token=a&b="<') ?? '');
    expect(mpd.periods[0]?.sets[0]?.media).toBe('v1/$Time$.m4s?token=a&b="<');
  });

  it('keeps the ids of the tracks when one of them starts later', () => {
    const stream = new StreamRun();
    stream.play({
      video: { fps: 25, gopFrames: 50, bFrames: 0 },
      audio: { sampleRate: 48_000, lateMs: 0 },
      seconds: 12,
      silences: [{ track: 'v1', fromMs: 0, toMs: 8000 }],
    });
    const mpd = readStrictMpd(render(stream) ?? '');
    expect(mpd.periods.map(({ sets }) => sets.map(({ id, trackId }) => `${id} ${trackId}`))).toEqual([
      ['1001 a1'],
      ['1 v1', '1001 a1'],
    ]);
    const early = new StreamRun();
    early.play({
      video: { fps: 25, gopFrames: 50, bFrames: 0 },
      audio: { sampleRate: 48_000, lateMs: 0 },
      seconds: 7,
      silences: [{ track: 'v1', fromMs: 0, toMs: 8000 }],
    });
    expect(readStrictMpd(render(early) ?? '').periods[0]?.sets.map(({ id, trackId }) => `${id} ${trackId}`)).toEqual([
      '1001 a1',
    ]);
  });

  it('lists every segment for players that expect each segment at the end of the previous one', () => {
    const stream = new StreamRun({ segmentCount: 30 });
    const [video, audio] = [madeVideo(), madeAudio()];
    const units: AccessUnit[] = [];
    for (let index = 0; index < 750; index++) {
      // A key frame every two seconds. The one at 14 s is missing.
      const isRandomAccess = index % 50 === 0 && index !== 350;
      const data = Buffer.alloc(60);
      data.writeUInt32BE(56);
      units.push({ trackId: video.id, dtsTicks: index * 3600, ptsTicks: index * 3600, isRandomAccess, data });
    }
    for (let dtsTicks = 0; dtsTicks < 30 * 90_000; dtsTicks += 1920)
      units.push({ trackId: audio.id, dtsTicks, ptsTicks: dtsTicks, isRandomAccess: true, data: Buffer.alloc(60) });
    units.sort((a, b) => a.dtsTicks - b.dtsTicks);
    const loaded = new Map<string, { t: number; d: number }[]>();
    stream.onBatch = () => {
      const text = render(stream);
      for (const { trackId, segments } of text === undefined ? [] : (readStrictMpd(text).periods[0]?.sets ?? [])) {
        const own = loaded.get(trackId) ?? [];
        loaded.set(trackId, own);
        const last = own.at(-1);
        // A segment can be loaded when it is complete.
        if (last && !stream.window.segmentByAddress(trackId, String(last.t))?.segment.isComplete) continue;
        const atMs = last && last.t + last.d + 10;
        const found = segments.find(({ t, d }) => atMs === undefined || (t <= atMs && atMs < t + d));
        if (found) own.push({ t: found.t, d: found.d });
      }
    };
    stream.playUnits([video, audio], units);
    for (const { id } of [video, audio]) {
      const all = stream.window.segments(id);
      const expected = all.flatMap(({ startMs }, index) => (index === 6 ? [startMs, startMs] : [startMs]));
      expect(
        loaded.get(id)?.map(({ t }) => t),
        id,
      ).toEqual(expected);
    }
  });

  it.each([
    [25, 48_000],
    [29.97, 44_100],
    [50, 22_050],
  ])(
    'lists no segment that starts before the end VLC first saw for the previous one, at %d fps and %d Hz',
    (fps, sampleRate) => {
      const stream = new StreamRun({ segmentMs: 1000, segmentCount: 30 });
      /** Ends of segments as first listed, by track and start. */
      const ends = new Map<string, number>();
      const within = new Set<string>();
      stream.onBatch = () => {
        const text = render(stream);
        for (const { trackId, segments } of text === undefined ? [] : (readStrictMpd(text).periods[0]?.sets ?? []))
          for (const [index, { t, d }] of segments.entries()) {
            const key = `${trackId} ${t}`;
            if (!ends.has(key)) ends.set(key, t + d);
            const before = ends.get(`${trackId} ${segments[index - 1]?.t}`);
            if (before !== undefined && before > t) within.add(key);
          }
      };
      const video = { fps, gopFrames: Math.round(fps), bFrames: 0 };
      stream.play({ video, audio: { sampleRate, lateMs: 0 }, seconds: 20 });
      expect(ends.size).toBeGreaterThan(36);
      expect([...within]).toEqual([]);
    },
  );

  it('lists the thumbnail sprites of a complete recording on request, from the sprite that contains its start', () => {
    const window = new LongWindow(600);
    const text = renderMpd(window, { nowMs: 0, thumbnailSeconds: 10, query: 'a=1&b=2' }) ?? '';
    const first = window.startMs / 1000 - ((window.startMs / 1000) % 250);
    expect(text).toContain(
      `presentationTimeOffset="${window.startMs / 1000}" media="sprite-$Time$-10.jpg?a=1&amp;b=2"`,
    );
    expect(text).toContain(`<S t="${first}" d="250" r="2"/>`);
    expect(text).toContain('width="800" height="450"');
    expect(renderMpd(window, { nowMs: 0 })).not.toContain('sprite');
  });

  it('starts a period of a recording when its last track starts, so that every track has media from the start of the period', () => {
    const stream = new StreamRun({ segmentCount: 30 });
    const [video, audio] = [madeVideo(), madeAudio()];
    const playLate = (lateTicks: number): void => {
      const units: AccessUnit[] = [];
      const data = Buffer.alloc(60);
      data.writeUInt32BE(56);
      for (let at = 0; at < 540_000; at += 3600)
        units.push({ trackId: video.id, dtsTicks: at, ptsTicks: at, isRandomAccess: at % 180_000 === 0, data });
      for (let at = lateTicks; at < 540_000; at += 1920)
        units.push({ trackId: audio.id, dtsTicks: at, ptsTicks: at, isRandomAccess: true, data: Buffer.alloc(60) });
      stream.playUnits(
        [video, audio],
        units.toSorted((a, b) => a.dtsTicks - b.dtsTicks),
      );
    };
    playLate(0);
    stream.restart();
    playLate(1440);
    const recorded = new Proxy(stream.window, {
      get: (window, key) => {
        const value: unknown = Reflect.get(window, key);
        if (key === 'mutability') return 'static';
        return typeof value === 'function' ? (value.bind(window) as unknown) : value;
      },
    });
    const text = renderMpd(recorded, { nowMs: stream.clock.now() }) ?? '';
    const second = text.slice(text.lastIndexOf('<Period '));
    const offset = Number(/presentationTimeOffset="(\d+)"/.exec(second)?.[1]);
    const starts = [...second.matchAll(/<SegmentTimeline><S t="(\d+)"/g)].map(([, t]) => Number(t) - offset);
    expect(starts).toEqual([-16, 0]);
    // The pictures of the second period follow directly after those of the first.
    const at = Number(/start="PT([0-9.]+)S"/.exec(second)?.[1]);
    expect(at - 0.016).toBeCloseTo(6.015, 2);
  });
});
