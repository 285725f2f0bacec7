import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { ffprobe, probePackets } from '../../tests/helpers/ffmpeg-media.ts';
import { ListWindow } from '../../tests/helpers/list-window.ts';
import { LongWindow } from '../../tests/helpers/long-window.ts';
import { fileWindow, growingLists, RecordedMedia, stitchedWindow } from '../../tests/helpers/recorded-media.ts';
import { checkUpdate, readStrictMpd } from '../../tests/helpers/strict-mpd.ts';
import { readStrictPlaylist } from '../../tests/helpers/strict-playlist.ts';
import type { SegmentWindow, WindowSegment } from '../segment/segment-window.ts';
import { renderMpd } from './dash/mpd.ts';
import { renderMediaPlaylist } from './hls/media-playlist.ts';
import { renderMultivariant } from './hls/multivariant-playlist.ts';
import { renderTsPlaylist } from './hls/ts-playlist.ts';
import { newestKeyFrame } from './mp4/key-frame.ts';
import { muxTsSegment } from './mpegts/segment.ts';
import { tracksOfTs } from './programme.ts';

const main = new RecordedMedia(20);
const clip = new RecordedMedia(6, { width: 320, height: 180 });
const NOW = { nowMs: 1_800_000_100_000 };

afterAll(() => {
  main.close();
  clip.close();
});

function playlist(window: SegmentWindow, trackId = 'v1'): string {
  return renderMediaPlaylist(window, { trackId }) ?? '';
}

function mpd(window: SegmentWindow): string {
  return renderMpd(window, NOW) ?? '';
}

/** Addresses in playlists and MPDs that do not resolve to a segment. */
function deadAddresses(window: SegmentWindow): string[] {
  const dead: string[] = [];
  for (const { track } of window.tracks)
    for (const { uri, map } of readStrictPlaylist(playlist(window, track.id)).segments) {
      const address = uri?.replace(/\.m4s$/, '') ?? '';
      if (!window.segmentByAddress(track.id, address)) dead.push(`${track.id}/${uri}`);
      const [, prefix = '', initId] = /^(.*)init-(\d+)\.mp4$/.exec(map) ?? [];
      if (!window.init(track.id, Number(initId), prefix)) dead.push(`${track.id}/${map}`);
    }
  for (const { sets } of readStrictMpd(mpd(window)).periods)
    for (const { trackId, media, segments } of sets)
      for (const { t } of segments) {
        const address = media.replace(`${trackId}/`, '').replace('$Time$', String(t)).replace('.m4s', '');
        if (!window.segmentByAddress(trackId, address)) dead.push(`${trackId}/${address}`);
      }
  return dead;
}

describe('a window of a file on disk', () => {
  const window = fileWindow(main);

  it('renders a VOD playlist with an end and without dates', () => {
    const text = playlist(window);
    expect(text).toContain('#EXT-X-PLAYLIST-TYPE:VOD');
    expect(text.endsWith('#EXT-X-ENDLIST\n')).toBe(true);
    expect(text).not.toMatch(/PROGRAM-DATE-TIME|EXT-X-PART|SERVER-CONTROL|PRELOAD/);
    expect(readStrictPlaylist(text).segments).toHaveLength(10);
    expect(renderTsPlaylist(window)).toMatch(/PLAYLIST-TYPE:VOD[^]*ENDLIST\n$/);
    expect(renderMultivariant(window)).toContain('v1/index.m3u8');
    expect(deadAddresses(window)).toEqual([]);
  });

  it('renders a static MPD that starts at 0 and ends shortly after its media', () => {
    const { attributes, periods } = readStrictMpd(mpd(window));
    const ends = main.tracks.map(({ track, segments }) => {
      const last = segments.at(-1);
      return last ? (last.startTicks + last.durationTicks) / track.timescale : 0;
    });
    expect(attributes.get('type')).toBe('static');
    expect(attributes.has('availabilityStartTime') || attributes.has('timeShiftBufferDepth')).toBe(false);
    const longerMs =
      Number(/^PT([\d.]+)S$/.exec(attributes.get('mediaPresentationDuration') ?? '')?.[1]) * 1000 -
      (Math.max(...ends) * 1000 - main.startMs);
    // With an earlier or equal end, dash.js would consider playback finished by its own clock and jump back.
    expect(longerMs).toBeGreaterThan(0.5);
    expect(longerMs).toBeLessThan(4);
    expect(periods.map(({ startMs }) => startMs)).toEqual([0]);
    // Media times are UTC. Presentation times are not.
    expect(periods[0]?.sets[0]?.offset).toBe(main.startMs);
  });

  it('is muxed to MPEG-TS and yields a key frame picture, reading only the needed bytes', async () => {
    const segments = await Promise.all(window.segments('v1').map(({ msn }) => muxTsSegment(window, msn)));
    const packets = probePackets(Buffer.concat(segments));
    expect(packets.filter(({ stream }) => stream === 0)).toHaveLength(500);
    expect(packets.filter(({ stream, isKey }) => stream === 0 && isKey)).toHaveLength(20);
    const frame = newestKeyFrame(window);
    expect(frame?.codec).toBe('h264');
    expect((await frame?.data())?.length).toBeGreaterThan(500);
  });

  it('is decoded by ffprobe as one file with all tracks, and its parts equal those of the live window byte for byte', () => {
    const shown = ffprobe(readFileSync(main.path), [
      '-count_packets',
      '-show_entries',
      'stream=index,codec_name,nb_read_packets,id',
      '-of',
      'csv=p=0',
    ]);
    expect(
      shown
        .trim()
        .split('\n')
        .map((line) => line.split(',').slice(0, 2).join(' ')),
    ).toEqual(['0 h264', '1 aac']);
    const [video, audio] = shown
      .trim()
      .split('\n')
      .map((line) => Number(line.split(',').at(-1)));
    expect(video).toBe(500);
    expect(audio).toBeGreaterThan(900);
  });
});

/**
 * Start of the second Period, in milliseconds, for eight seconds of one source followed by another.
 *
 * @param earlyMs time by which the audio ends before the video
 * @param lateMs time by which the audio starts after the video
 * @param hasGap true if the last segment has no audio, and the audio of the previous one lasts until then
 */
function joinedMs(earlyMs: number, lateMs: number, hasGap: boolean): number | undefined {
  const joined = stitchedWindow(main, clip, 4, 2);
  const lead = joined.segmentByMsn('v1', 4)?.startMs ?? 0;
  const tracks = joined.tracks.map((one) => {
    const until = (entry: WindowSegment, toMs: number): WindowSegment => {
      const durationTicks = Math.round(((toMs - entry.startMs) * one.track.timescale) / 1000);
      return { ...entry, segment: { ...entry.segment, durationTicks } };
    };
    const change = (entry: WindowSegment): WindowSegment => {
      if (entry.msn === 4) return { ...entry, startMs: lead + lateMs };
      if (entry.msn === (hasGap ? 2 : 3)) return until(entry, lead - earlyMs);
      const { segment } = until(entry, lead);
      return hasGap && entry.msn === 3 ? { ...entry, segment: { ...segment, parts: [], isGap: true } } : entry;
    };
    const segments = joined.segments(one.track.id);
    return { ...one, segments: one.track.content === 'video' ? segments : segments.map(change) };
  });
  const inits = ['', 'clip1-'].flatMap((addressPrefix) =>
    ['v1', 'a1'].flatMap((id) => {
      const init = joined.init(id, 0, addressPrefix);
      return init ? [{ ...init, addressPrefix }] : [];
    }),
  );
  return readStrictMpd(mpd(new ListWindow({ tracks, inits, periods: joined.periods() }))).periods[1]?.startMs;
}

describe('a window of two sources', () => {
  const window = stitchedWindow(main, clip, 4, 2);

  it('has its own segment numbers, discontinuities, formats and addresses', () => {
    const { segments } = readStrictPlaylist(playlist(window));
    expect(segments.map(({ msn }) => msn)).toEqual(segments.map((_, index) => index));
    expect(segments.flatMap(({ isDiscontinuity, msn }) => (isDiscontinuity ? [msn] : []))).toEqual([4, 6]);
    expect(segments.map(({ map }) => map.startsWith('clip1-'))).toEqual(segments.map((_, at) => at === 4 || at === 5));
    expect(deadAddresses(window)).toEqual([]);
    // Both windows share the same segments: nothing was copied.
    expect(window.segments('v1')[7]?.segment).toBe(fileWindow(main).segments('v1')[5]?.segment);
  });

  it('has no time without media between the Periods of its MPD', () => {
    const { attributes, periods } = readStrictMpd(mpd(stitchedWindow(main, clip, 4, 2, 60_000)));
    expect(periods.map(({ startMs }) => Math.round(startMs / 100) / 10)).toEqual([0, 8, 12]);
    expect(attributes.get('mediaPresentationDuration')).toMatch(/^PT2[34]/);
  });

  it.each([
    [40, 13, 33],
    [0, 25, 5],
    [15, 0, 0],
    [110, 5, 95],
    // Too much to drop: players tolerate the gap.
    [300, 0, 0],
  ])(
    'joins Periods whose audio ends %i ms early and starts %i ms late: the second Period starts %i ms earlier',
    (early, late, expected) => {
      // A recording has an entry without media if a short last segment contains no audio. The Period starts with its
      // audio, which starts later than its video.
      expect(joinedMs(early, late, false)).toBe(8000 - expected + late);
      expect(joinedMs(early, late, true)).toBe(8000 - expected + late);
    },
  );

  it('has a single Period with a gap on request, if the format stays the same', () => {
    const file = fileWindow(main);
    const [period] = file.periods();
    if (!period) throw new Error('the window has a period');
    // The fifth and sixth segments are missing.
    const tracks = file.tracks.map((track) => ({
      ...track,
      segments: file
        .segments(track.track.id)
        .flatMap((entry) =>
          entry.msn === 4 || entry.msn === 5 ? [] : [{ ...entry, isDiscontinuity: entry.msn === 6 }],
        ),
    }));
    const startMs = tracks[0]?.segments[4]?.startMs ?? 0;
    const later = { ...period, firstMsn: 6, startMs, mediaOffsetMs: period.mediaOffsetMs + startMs - period.startMs };
    const inits = ['v1', 'a1'].flatMap((id) => file.init(id, 0) ?? []);
    const withGap = new ListWindow({ mutability: 'static', tracks, inits, periods: [period, later] });
    const read = (areJoined: boolean): ReturnType<typeof readStrictMpd> =>
      readStrictMpd(renderMpd(withGap, { ...NOW, areJoined }) ?? '');
    expect(read(false).periods).toHaveLength(2);
    const { periods, attributes } = read(true);
    const times = periods.map(({ sets }) => sets[0]?.segments.map(({ t, d }) => [t - main.startMs, d]));
    const expected = withGap.segments('v1').map((entry) => [entry.segment.startMs - main.startMs, 2000]);
    expect(times).toEqual([expected]);
    expect(attributes.get('mediaPresentationDuration')).toMatch(/^PT20/);
    expect(readStrictMpd(renderMpd(window, { ...NOW, areJoined: true }) ?? '').periods).toHaveLength(3);
  });

  it('has one Period per source range, each with the offset of its media time', () => {
    const { periods } = readStrictMpd(mpd(window));
    expect(periods.map(({ startMs }) => Math.round(startMs / 100) / 10)).toEqual([0, 8, 12]);
    const [first, second, third] = periods.map(({ sets }) => sets.find(({ trackId }) => trackId === 'v1'));
    expect([first?.offset, second?.offset, third?.offset]).toEqual([main.startMs, clip.startMs, main.startMs + 8000]);
    expect(second?.media).toBe('v1/clip1-$Time$.m4s');
    expect(second?.initialization).toBe('v1/clip1-init-0.mp4');
  });

  it('has a discontinuity in MPEG-TS where the other source has no audio', () => {
    const [video, audio] = window.tracks.map(({ track }) => ({ track, segments: window.segments(track.id) }));
    if (!video || !audio) throw new Error('the window has two tracks');
    const join = (segments: readonly WindowSegment[]): WindowSegment[] =>
      segments.map((entry) => ({ ...entry, isDiscontinuity: false, discontinuitySequence: 0 }));
    const sound = join(audio.segments).filter(({ msn }) => msn < 4 || msn > 5);
    const tracks = [
      { ...video, segments: join(video.segments) },
      { ...audio, segments: sound },
    ];
    const { segments } = readStrictPlaylist(
      renderTsPlaylist(new ListWindow({ tracks, periods: window.periods() })) ?? '',
    );
    expect(segments.filter(({ isDiscontinuity }) => isDiscontinuity).map(({ msn }) => msn)).toEqual([4, 6]);
  });

  it('is muxed to MPEG-TS across the boundaries of its sources', async () => {
    const segments = await Promise.all([3, 4, 5, 6].map((msn) => muxTsSegment(window, msn)));
    expect(segments.map((bytes) => probePackets(bytes).filter(({ stream }) => stream === 0).length)).toEqual([
      50, 50, 50, 50,
    ]);
  });
});

describe('a window that only grows', () => {
  it('lists all segments from its start, with dates, and gets an end when it is complete', () => {
    const startMs = 1_800_000_500_000;
    const window = new ListWindow(growingLists(main, startMs, 3));
    const before = readStrictMpd(mpd(window));
    const text = playlist(window);
    expect(text).toContain('#EXT-X-PLAYLIST-TYPE:EVENT');
    expect(text).not.toMatch(/ENDLIST|EXT-X-PART/);
    const earlier = readStrictPlaylist(text);
    expect(earlier.segments[0]?.dateMs).toBe(startMs);
    window.grow(growingLists(main, startMs, 7));
    const after = readStrictMpd(mpd(window));
    checkUpdate(before, after);
    expect(after.attributes.get('type')).toBe('dynamic');
    expect(after.attributes.has('timeShiftBufferDepth')).toBe(false);
    expect([after.periods[0]?.startMs, after.periods[0]?.sets[0]?.offset]).toEqual([startMs, main.startMs]);
    const later = readStrictPlaylist(playlist(window)).segments;
    expect(later.map(({ uri }) => uri).slice(0, 3)).toEqual(earlier.segments.map(({ uri }) => uri));
    expect(later).toHaveLength(7);
    expect(deadAddresses(window)).toEqual([]);
  });
});

describe('two renditions of one video', () => {
  const [video, audio] = fileWindow(main).tracks.map(({ track }) => ({
    track,
    segments: fileWindow(main).segments(track.id),
  }));
  if (!video || !audio) throw new Error('the media has two tracks');
  const inits = main.tracks.map(({ init }) => init);
  const second = { ...video.track, id: 'v2' };
  const window = new ListWindow({
    tracks: [video, { track: second, segments: video.segments }, audio],
    inits: [...inits, ...inits.filter(({ track }) => track.id === 'v1').map((init) => ({ ...init, track: second }))],
    periods: fileWindow(main).periods(),
  });

  it('are one AdaptationSet, two variants, and one video track in MPEG-TS', () => {
    const sets = mpd(window).split('<AdaptationSet').slice(1);
    expect(sets.map((set) => [...set.matchAll(/<Representation id="(\w+)"/g)].map(([, id]) => id))).toEqual([
      ['v1', 'v2'],
      ['a1'],
    ]);
    expect(sets[0]?.match(/<SegmentTemplate/g)).toHaveLength(2);
    expect(renderMultivariant(window)?.match(/#EXT-X-STREAM-INF/g)).toHaveLength(2);
    expect(tracksOfTs(window).map(({ track }) => track.id)).toEqual(['v1', 'a1']);
  });
});

describe('a window of one month', () => {
  const window = new LongWindow(30 * 24 * 3600);
  const hour = { fromMs: window.startMs + 15 * 86_400_000, toMs: window.startMs + 15 * 86_400_000 + 3_600_000 };

  it('renders the playlist and the MPD of any hour without reading other hours', () => {
    expect(window.count).toBe(1_296_000);
    const text = renderMediaPlaylist(window, { trackId: 'v1', range: hour }) ?? '';
    const { segments, mediaSequence } = readStrictPlaylist(text);
    expect(segments).toHaveLength(1800);
    expect(mediaSequence).toBe(15 * 43_200);
    expect(segments[0]?.dateMs).toBe(hour.fromMs);
    const { periods, attributes } = readStrictMpd(renderMpd(window, { ...NOW, range: hour }) ?? '');
    expect(attributes.get('mediaPresentationDuration')).toBe('PT3600.002S');
    expect(periods.map(({ startMs, sets }) => [startMs, sets[0]?.offset, sets[0]?.segments.length])).toEqual([
      [0, hour.fromMs, 1800],
    ]);
    expect(renderTsPlaylist(window, { range: hour })?.match(/#EXTINF/g)).toHaveLength(1800);
    // A few thousand of 1.3 million segments, each created only for this answer.
    expect(window.createdCount).toBeLessThan(20 * 1800);
  });
});
