import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { RecordingInput } from '../../../tests/helpers/recording-input.ts';
import type { AccessUnit } from '../../media/access-unit.ts';
import { FastClock } from '../../../tests/helpers/fast-clock.ts';
import { FAST, HlsFolder } from '../../../tests/helpers/hls-folder.ts';
import { LivePlaylist, segmentsOf } from '../../../tests/helpers/live-playlist.ts';
import type { LiveSegment } from '../../../tests/helpers/live-playlist.ts';

const folder = new HlsFolder();
/** Twenty segments of one second. */
let segments: LiveSegment[];
/** Ten segments of one second, with different names and timestamps. */
let others: LiveSegment[];
let clock: FastClock;

beforeAll(() => {
  const options = [...FAST, '-hls_time', '1', '-hls_playlist_type', 'vod'];
  folder.make('one.m3u8', options, 20);
  folder.make('two.m3u8', [...options, '-output_ts_offset', '3000'], 10);
  segments = segmentsOf(folder.file('one.m3u8').toString());
  others = segmentsOf(folder.file('two.m3u8').toString());
});
afterEach(() => folder.reset());
afterAll(() => folder.close());

/** Sink that records the arrival of each access unit. */
class TimedInput extends RecordingInput {
  readonly arrivals: number[] = [];

  override accessUnit(unit: AccessUnit): void {
    this.arrivals.push(clock.now());
    super.accessUnit(unit);
  }
}

async function follow(playlist: LivePlaylist, options: Readonly<Record<string, string>> = {}): Promise<TimedInput> {
  playlist.serveAt(folder, '/live.m3u8');
  const sink = new TimedInput();
  folder.open(`${await folder.serve()}/live.m3u8`, sink, options, clock);
  return sink;
}

function live(list: readonly LiveSegment[], ready = 5): LivePlaylist {
  clock = new FastClock();
  return new LivePlaylist(clock, list, ready);
}

/** Steps between the decoding times of the video, in frames. */
function steps(sink: RecordingInput): number[] {
  const video = sink.units('v1').map(({ dtsTicks }) => dtsTicks);
  return video.slice(1).map((ticks, index) => (ticks - video[index]!) / 3600);
}

describe('an HLS input of a live playlist', () => {
  it('starts three segments from the live edge and plays evenly to the end', async () => {
    const sink = await follow(live(segments, 8.2));
    expect((await sink.end()).code).toBe('input_ended');
    expect(sink.problems).toEqual([]);
    // Segments 5 to 19.
    expect(sink.units('v1')).toHaveLength(15 * 25);
    expect(steps(sink).every((step) => step === 1)).toBe(true);
    // No unit comes early, and nearly all come on time. A busy machine may delay some.
    const first = sink.units()[0]!.dtsTicks;
    const late = sink
      .units()
      .map(({ dtsTicks }, index) => sink.arrivals[index]! - sink.arrivals[0]! - (dtsTicks - first) / 90);
    expect(Math.min(...late)).toBeGreaterThan(-100);
    expect(late.filter((ms) => ms > 1500).length).toBeLessThan(late.length / 10);
    // Each segment is loaded once, and the playlist about once per segment.
    expect(new Set(folder.requests.filter((path) => path.endsWith('.ts'))).size).toBe(
      folder.requests.filter((path) => path.endsWith('.ts')).length,
    );
    expect(folder.requests.filter((path) => path === '/live.m3u8').length).toBeLessThan(40);
  });

  it('starts at HOLD-BACK if the server states it', async () => {
    const playlist = live(
      segments.map((segment) => ({ ...segment })),
      8.2,
    );
    folder.handlers.set('/held.m3u8', (_request, response) =>
      response.end(playlist.text.replace('#EXT-X-VERSION:6', '#EXT-X-SERVER-CONTROL:HOLD-BACK=4.5')),
    );
    const sink = new RecordingInput();
    folder.open(`${await folder.serve()}/held.m3u8`, sink, {}, clock);
    await sink.until(() => sink.units().length > 0);
    expect(folder.requests.filter((path) => path.endsWith('.ts'))[0]).toBe('/one3.ts');
  });

  it.each([false, true])(
    'plays through discontinuities that leave the window (EXT-X-DISCONTINUITY-SEQUENCE: %s)',
    async (isStated) => {
      const mixed = [
        ...segments.slice(0, 8),
        { ...others[2]!, tags: ['#EXT-X-DISCONTINUITY'] },
        ...others.slice(3, 6),
        { ...segments[1]!, tags: ['#EXT-X-DISCONTINUITY'] },
        ...segments.slice(2, 6),
      ];
      const playlist = live(mixed);
      playlist.hasDiscontinuitySequence = isStated;
      playlist.windowLength = 4;
      const sink = await follow(playlist);
      expect((await sink.end()).code).toBe('input_ended');
      expect(sink.problems).toEqual([]);
      expect(sink.announcements).toHaveLength(1);
      expect(sink.units('v1')).toHaveLength((mixed.length - 2) * 25);
      expect(Math.min(...steps(sink))).toBeGreaterThan(0);
      expect(Math.max(...steps(sink))).toBeLessThan(3);
    },
  );

  it('continues after a lost segment and after a gap', async () => {
    const withGaps = segments
      .slice(0, 12)
      .map((segment, index) =>
        index === 6 ? { ...segment, uri: 'lost.ts' } : index === 8 ? { ...segment, tags: ['#EXT-X-GAP'] } : segment,
      );
    const sink = await follow(live(withGaps));
    expect((await sink.end()).code).toBe('input_ended');
    expect(sink.codes.toSorted()).toEqual(['hls_gap', 'hls_segment_lost']);
    expect(folder.requests.filter((path) => path === '/lost.ts')).toHaveLength(3);
    expect(folder.requests).not.toContain('/one8.ts');
    expect(sink.units('v1')).toHaveLength(8 * 25);
    // The gaps remain: the clock of the server continues.
    expect(steps(sink).filter((step) => step !== 1)).toEqual([26, 26]);
  });

  it('switches to the next variant when its variant fails', async () => {
    const playlist = live(segments);
    playlist.serveAt(folder, '/low.m3u8');
    let isGone = false;
    folder.handlers.set('/high.m3u8', (_request, response) => {
      if (isGone) response.writeHead(404).end();
      else response.end(playlist.text);
    });
    const ladder = [9, 1].map((mbits) => `#EXT-X-STREAM-INF:BANDWIDTH=${mbits}000000,CODECS="avc1.42c01e"\n`);
    const text = `#EXTM3U\n${ladder[0]}high.m3u8\n${ladder[1]}low.m3u8\n`;
    folder.handlers.set('/ladder.m3u8', (_request, response) => response.end(text));
    const sink = new RecordingInput();
    folder.open(`${await folder.serve()}/ladder.m3u8`, sink, {}, clock);
    await sink.until(() => sink.units('v1').length > 50);
    expect(folder.requests).not.toContain('/low.m3u8');
    isGone = true;
    expect((await sink.end()).code).toBe('input_ended');
    expect(sink.codes).toContain('input_refused');
    expect(folder.requests).toContain('/low.m3u8');
    // Up to the last picture of the recording, at the end of its twentieth second.
    const last = sink.units('v1').at(-1)!;
    const first = sink.units('v1')[0]!;
    expect(last.dtsTicks - first.dtsTicks).toBeGreaterThan(15 * 90_000);
  });

  it('ends as stalled if no new segments are listed', async () => {
    const playlist = live(segments.slice(0, 6));
    playlist.isEnding = false;
    const sink = await follow(playlist);
    expect((await sink.end()).code).toBe('input_stalled');
    expect(sink.units('v1').length).toBeGreaterThanOrEqual(4 * 25);
  });

  it('continues with new media sequence numbers after a restart of the server', async () => {
    const playlist = live(segments.slice(0, 8), 8.5);
    playlist.firstMsn = 700;
    playlist.isEnding = false;
    const sink = await follow(playlist);
    await sink.until(() => sink.units('v1').length > 30);
    playlist.restart(others.slice(0, 8), 3);
    playlist.isEnding = true;
    expect((await sink.end()).code).toBe('input_ended');
    expect(sink.codes).toEqual(['hls_restarted']);
    expect(Math.min(...steps(sink))).toBeGreaterThan(0);
    expect(Math.max(...steps(sink))).toBeLessThan(3);
  });

  it('rejoins near the live edge if it missed segments', async () => {
    const playlist = live(segments);
    playlist.windowLength = 4;
    const sink = await follow(playlist);
    await sink.until(() => sink.units('v1').length > 30);
    playlist.skip(8);
    expect((await sink.end()).code).toBe('input_ended');
    expect(sink.codes).toContain('hls_segments_missed');
    expect(steps(sink).filter((step) => step !== 1)).toHaveLength(1);
    // The times after the gap are those of the server.
    expect(sink.units('v1').at(-1)?.dtsTicks).toBe(folder.probe('one.m3u8', 'v').at(-1)?.dts);
  });

  it('tolerates an old copy from a cache, and temporary failures', async () => {
    const playlist = live(segments.slice(0, 12));
    let loads = 0;
    let old = '';
    folder.handlers.set('/live.m3u8', (_request, response) => {
      loads++;
      if (loads === 1) old = playlist.text;
      if (loads === 4) response.writeHead(503).end();
      else response.end(loads === 3 || loads === 5 ? old : playlist.text);
    });
    const sink = new RecordingInput();
    folder.open(`${await folder.serve()}/live.m3u8`, sink, {}, clock);
    expect((await sink.end()).code).toBe('input_ended');
    expect(sink.problems).toEqual([]);
    expect(sink.units('v1')).toHaveLength(10 * 25);
    expect(steps(sink).every((step) => step === 1)).toBe(true);
  });
});

describe('an HLS input with separate audio', () => {
  beforeAll(() => {
    const maps = [
      '-map',
      '0:v',
      '-map',
      '1:a',
      '-var_stream_map',
      'v:0,agroup:s a:0,agroup:s,default:yes',
      '-master_pl_name',
      'apart.m3u8',
    ];
    folder.make('apart-%v.m3u8', [...FAST, '-hls_time', '1', '-hls_playlist_type', 'vod', ...maps], 15);
  });

  function serveSeparateSound(): { picture: LivePlaylist; sound: LivePlaylist } {
    clock = new FastClock();
    const [picture, sound] = ['apart-0.m3u8', 'apart-1.m3u8'].map(
      (name) => new LivePlaylist(clock, segmentsOf(folder.file(name).toString()), 5),
    );
    picture!.serveAt(folder, '/apart-0.m3u8');
    sound!.serveAt(folder, '/apart-1.m3u8');
    return { picture: picture!, sound: sound! };
  }

  it('starts in sync with the video and stays in sync', async () => {
    serveSeparateSound();
    const sink = new RecordingInput();
    folder.open(`${await folder.serve()}/apart.m3u8`, sink, {}, clock);
    expect((await sink.end()).code).toBe('input_ended');
    expect(sink.problems).toEqual([]);
    expect(sink.announcements).toHaveLength(1);
    const [video, audio] = [sink.units('v1'), sink.units('a1')];
    expect(video).toHaveLength(13 * 25);
    expect(Math.abs(audio[0]!.dtsTicks - video[0]!.dtsTicks)).toBeLessThan(2 * 3600);
    const all = sink.units().map(({ dtsTicks }) => dtsTicks);
    expect(all).toEqual(all.toSorted((a, b) => a - b));
  });

  it('continues with video while the audio is missing, and adds the audio when it returns', async () => {
    const { sound } = serveSeparateSound();
    let isGone = true;
    folder.handlers.set('/apart-1.m3u8', (_request, response) => {
      if (isGone) response.writeHead(404).end();
      else response.end(sound.text);
    });
    const sink = new RecordingInput();
    folder.open(`${await folder.serve()}/apart.m3u8`, sink, {}, clock);
    await sink.until(() => sink.units('v1').length > 50);
    expect(sink.announcements).toMatchObject([[{ id: 'v1' }]]);
    isGone = false;
    expect((await sink.end()).code).toBe('input_ended');
    expect(sink.codes).toEqual(['input_refused']);
    expect(sink.announcements.at(-1)).toMatchObject([{ id: 'v1' }, { id: 'a1' }]);
    expect(sink.units('v1')).toHaveLength(13 * 25);
    const [video, audio] = [sink.units('v1').at(-1)!, sink.units('a1').at(-1)!];
    expect(Math.abs(video.dtsTicks - audio.dtsTicks)).toBeLessThan(90_000);
  });
});

describe('a blocking playlist reload', () => {
  it('requests the next segment at once, keeps the query, and is abandoned if the server refuses it', async () => {
    const playlist = live(segments.slice(0, 12));
    let refused = 0;
    folder.handlers.set('/block.m3u8', (request, response) => {
      const requestedMsn = Number(/_HLS_msn=(\d+)/.exec(request.url ?? '')?.[1] ?? 0);
      const answer = (): void => {
        const { text } = playlist;
        const isListed = text.includes('#EXT-X-ENDLIST') || text.includes(segments[requestedMsn]?.uri ?? '');
        if (isListed) response.end(text.replace('#EXT-X-VERSION:6', '#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES'));
        else clock.after(50, answer);
      };
      if (requestedMsn === 7 && refused++ < 1) response.writeHead(503).end();
      else answer();
    });
    const sink = new RecordingInput();
    folder.open(`${await folder.serve()}/block.m3u8?token=a%20b+c`, sink, {}, clock);
    expect((await sink.end()).code).toBe('input_ended');
    expect(sink.problems).toEqual([]);
    expect(sink.units('v1')).toHaveLength(10 * 25);
    const loads = folder.requests.filter((path) => path.startsWith('/block'));
    expect(loads.slice(0, 4)).toEqual(
      ['', '&_HLS_msn=5', '&_HLS_msn=6', '&_HLS_msn=7'].map((rest) => `/block.m3u8?token=a%20b+c${rest}`),
    );
    expect(loads[4]).toBe('/block.m3u8?token=a%20b+c');
    expect(loads.length).toBeLessThan(14);
  });
});

describe('an HLS input that cannot be played', () => {
  async function endOf(text: string | undefined, options: Readonly<Record<string, string>> = {}): Promise<string> {
    if (text !== undefined) writeFileSync(join(folder.path, 'odd.m3u8'), text);
    const sink = new RecordingInput();
    folder.open(`${await folder.serve()}/${text === undefined ? 'nothing.m3u8' : 'odd.m3u8'}`, sink, options);
    const { code } = await sink.end();
    expect(sink.ends).toHaveLength(1);
    return code;
  }
  const media = (lines: string): string => `#EXTM3U\n#EXT-X-TARGETDURATION:2\n${lines}\n#EXT-X-ENDLIST\n`;

  it('ends with a code for the reason', async () => {
    writeFileSync(join(folder.path, 'page.ts'), '<html>'.repeat(1000));
    writeFileSync(
      join(folder.path, 'zeros.ts'),
      Buffer.alloc(188 * 100).map((_, index) => (index % 188 === 0 ? 0x47 : 0xff)),
    );
    const sixTimes = (uri: string): string => Array.from({ length: 6 }, () => `#EXTINF:4,\n${uri}`).join('\n');
    expect(await endOf(undefined)).toBe('input_refused');
    expect(await endOf('<html>')).toBe('hls_bad_playlist');
    expect(await endOf(media(''))).toBe('input_no_tracks');
    expect(await endOf(media(sixTimes('page.ts')))).toBe('input_unreadable');
    expect(await endOf(media(sixTimes('zeros.ts')))).toBe('input_no_tracks');
    expect(await endOf(media(sixTimes('gone.ts')))).toBe('input_refused');
    expect(
      await endOf(
        media(
          '#EXT-X-KEY:METHOD=SAMPLE-AES,URI="skd://x",KEYFORMAT="com.apple.streamingkeydelivery"\n#EXTINF:2,\none0.ts',
        ),
      ),
    ).toBe('hls_encryption_unsupported');
    expect(await endOf(media(`#EXT-X-KEY:METHOD=AES-128,URI="gone.key"\n${sixTimes('one0.ts')}`))).toBe(
      'hls_key_unavailable',
    );
    expect(await endOf('#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS="av01.0.04M.08"\na.m3u8\n')).toBe(
      'hls_no_variant',
    );
    expect(await endOf('#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nodd.m3u8\n')).toBe('hls_bad_playlist');
  });

  it('ends as unreachable if its server does not exist', async () => {
    const address = await folder.serve();
    await folder.reset();
    const sink = new RecordingInput();
    folder.open(`${address}/x.m3u8`, sink);
    expect((await sink.end()).code).toBe('input_unreachable');
  });
});

describe('closing an HLS input', () => {
  it('leaves no timer, request or file open, at any stage', async () => {
    const playlist = live(segments);
    playlist.serveAt(folder, '/live.m3u8');
    const address = await folder.serve((request, response) => {
      if (request.url === '/live.m3u8') response.end(playlist.text);
      // The other requests are never answered.
    });
    const waiting = new RecordingInput();
    const input = folder.open(`${address}/live.m3u8`, waiting, {}, clock);
    await waiting.until(() => folder.requests.some((path) => path.endsWith('.ts')) || waiting.bytes > 0);
    await input.close();
    expect([waiting.ends, waiting.calls]).toEqual([[], []]);
    const unopened = new RecordingInput();
    await folder.open(`${address}/never.m3u8`, unopened, {}, clock).close();
    expect(unopened.ends).toEqual([]);
  });
});
