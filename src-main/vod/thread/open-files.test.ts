import { copyFileSync, mkdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ClipFiles, unitDigests } from '../../../tests/helpers/clip-files.ts';
import { FakeClock } from '../../../tests/helpers/fake-clock.ts';
import { readStrictMpd } from '../../../tests/helpers/strict-mpd.ts';
import { readStrictPlaylist } from '../../../tests/helpers/strict-playlist.ts';
import { renderMpd } from '../../packaging/dash/mpd.ts';
import { renderMediaPlaylist } from '../../packaging/hls/media-playlist.ts';
import { readMedia } from '../../segment/media-bytes.ts';
import { UnpackedSegments } from '../index/unpacked-segments.ts';
import { OpenFiles, type OpenFile } from './open-files.ts';

const clips = new ClipFiles();
const clock = new FakeClock();
let files: OpenFiles;

/** Number of damaged files per container. Set AIRDESK_RUNS to test more of them. */
const RUNS = Number(process.env['AIRDESK_RUNS'] ?? 40);

/** Muxers applied to the same units. */
const FORMS: readonly (readonly [name: string, muxer: readonly string[]])[] = [
  ['plain.mp4', []],
  ['fast.mp4', ['-movflags', '+faststart']],
  ['fragments.mp4', ['-movflags', '+frag_keyframe+empty_moov+default_base_moof']],
  ['hybrid.mp4', ['-movflags', '+frag_keyframe']],
  ['negative.mp4', ['-movflags', '+negative_cts_offsets']],
  ['no-edits.mp4', ['-use_editlist', '0']],
  ['late.mp4', ['-output_ts_offset', '3']],
  ['apple.mov', []],
  ['film.mkv', []],
  ['late.mkv', ['-output_ts_offset', '3']],
  ['film.ts', []],
  ['late.ts', ['-output_ts_offset', '3']],
  ['live.mkv', ['-live', '1', '-cluster_time_limit', '500']],
];

beforeAll(() => {
  for (const [name, muxer] of FORMS) clips.add(name, { seconds: 20, muxer });
});

afterAll(() => {
  clips.close();
});

function opened(maxBytes?: number): OpenFiles {
  files = new OpenFiles({ clock, ...(maxBytes === undefined ? {} : { maxBytes }) });
  files.apply([{ prefix: 'clips', roots: [clips.folder], segmentMs: 4000 }]);
  return files;
}

async function open(name: string): Promise<OpenFile> {
  const found = await files.open(`clips/${name}`);
  if ('code' in found) throw new Error(found.detail);
  return found;
}

/** Code of the refusal, or `ok` if the file opens. */
async function codeOf(name: string): Promise<string> {
  const found = await files.open(`clips/${name}`);
  return 'code' in found ? found.code : 'ok';
}

/** All bytes of a track: its init segment and all media segments. */
async function wholeTrack({ window }: OpenFile, trackId: string): Promise<Buffer> {
  const parts = window.segments(trackId).flatMap(({ segment }) => segment.parts);
  const init = window.inits.find(({ track }) => track.id === trackId);
  const bytes = await Promise.all([...(init ? [init] : []), ...parts].map(async (media) => readMedia(media)));
  for (const [index, media] of parts.entries()) expect(bytes[index + 1]?.length).toBe(media.sizeBytes);
  return Buffer.concat(bytes);
}

/** Hashes of the units of both tracks as served (each track in one file) and of other files, in one run of ffmpeg. */
async function servedUnits(file: OpenFile, ...others: readonly string[]): Promise<readonly (readonly string[])[]> {
  const tracks = await Promise.all(
    (['v1', 'a1'] as const).map(async (trackId) => {
      const path = clips.path(`.${trackId}.mp4`);
      writeFileSync(path, await wholeTrack(file, trackId));
      return path;
    }),
  );
  return unitDigests([
    ...tracks.map((path, index) => [path, index === 0 ? 'v:0' : 'a:0'] as const),
    ...others.flatMap((path) => (['v:0', 'a:0'] as const).map((stream) => [path, stream] as const)),
  ]);
}

/**
 * Units of the clip as served. They are the same for all containers: muxers copy them, and only a transport stream adds
 * start codes and headers.
 */
let known: readonly (readonly string[])[] = [];

beforeAll(() => {
  known = unitDigests((['v:0', 'a:0'] as const).map((stream) => [clips.path('plain.mp4'), stream] as const));
});

describe('a VOD file of any muxer', () => {
  it.each(FORMS)('%s is cut into segments that contain every unit once and in order, and is listed', async (name) => {
    opened();
    const file = await open(name);
    expect(file.window.tracks.map(({ track }) => `${track.id} ${track.codec}`)).toEqual(['v1 h264', 'a1 aac']);
    expect(await servedUnits(file)).toEqual(known);
    // Playlists and an MPD that players accept.
    const { window } = file;
    const late = name.startsWith('late.') ? 3 : 0;
    const lists = ['v1', 'a1'].map((trackId) => readStrictPlaylist(renderMediaPlaylist(window, { trackId }) ?? ''));
    for (const { segments } of lists) {
      const seconds = segments.reduce((sum, { durationSeconds }) => sum + durationSeconds, 0);
      expect(seconds).toBeGreaterThan(19.9);
      expect(seconds).toBeLessThan(20.2 + late);
    }
    expect(lists[0]?.segments.map(({ durationSeconds }) => Math.round(durationSeconds))).toEqual([4, 4, 4, 4, 4]);
    const { periods, attributes } = readStrictMpd(renderMpd(window, { nowMs: 0 }) ?? '');
    expect(attributes.get('type')).toBe('static');
    expect(periods).toHaveLength(1);
    for (const { trackId, segments } of periods[0]?.sets ?? [])
      for (const { t } of segments) {
        const prefix = window.periods()[0]?.addressPrefix ?? '';
        expect(window.segmentByAddress(trackId, `${prefix}${t}`)?.segment.startMs).toBe(t);
      }
    await files.close();
  });
});

describe('a VOD file with another audio codec', () => {
  it.each([
    ['ac3', 'ac3'],
    ['eac3', 'eac3'],
    ['libmp3lame', 'mp3'],
    ['mp2', 'mp2'],
    ['libopus', 'opus'],
  ])('plays %s of a Matroska file, with its language', async (encoder, codec) => {
    opened();
    const name = `${codec}.mkv`;
    clips.add(name, { seconds: 20, muxer: ['-c:a', encoder, '-metadata:s:a:0', 'language=fra', '-t', '5'] });
    const file = await open(name);
    expect(file.window.tracks.map(({ track }) => `${track.id} ${track.codec} ${track.language ?? ''}`)).toEqual([
      'v1 h264 ',
      `a1 ${codec} fra`,
    ]);
    const [v1, a1, ...expected] = await servedUnits(file, clips.path(name));
    expect([v1, a1]).toEqual(expected);
    await files.close();
  });
});

describe('a VOD transport stream', () => {
  /**
   * Writes the clip under another name, with changed PES headers.
   *
   * @param change gets the bytes from the start code on
   */
  function changePes(name: string, change: (kind: 'video' | 'audio', index: number, pes: Buffer) => void): void {
    const file = readFileSync(clips.path('film.ts'));
    const counts = { video: 0, audio: 0 };
    for (let at = 0; at < file.length; at += 188) {
      const isFilled = (file[at + 3]! & 0x20) !== 0;
      const pes = file.subarray(at + 4 + (isFilled ? 1 + file[at + 4]! : 0), at + 188);
      if ((file[at + 1]! & 0x40) === 0 || pes.readUIntBE(0, 3) !== 1) continue;
      const kind = pes[3] === 0xe0 ? 'video' : 'audio';
      change(kind, counts[kind]++, pes);
    }
    expect(Math.min(counts.video, counts.audio)).toBeGreaterThan(50);
    writeFileSync(clips.path(name), file);
  }

  it('of consecutive recordings plays across the jump of its clock', async () => {
    opened();
    const one = readFileSync(clips.path('film.ts'));
    writeFileSync(clips.path('joined.ts'), Buffer.concat([one, readFileSync(clips.path('late.ts')), one]));
    const file = await open('joined.ts');
    expect(Math.abs(file.window.durationMs - 60_000)).toBeLessThan(300);
    expect(await servedUnits(file)).toEqual(known.map((units) => [...units, ...units, ...units]));
    await files.close();
  });

  it.each([0, Infinity])('with changing PIDs plays completely, outlined from %d bytes', async (outlineFromBytes) => {
    files = new OpenFiles({ clock, outlineFromBytes });
    files.apply([{ prefix: 'clips', roots: [clips.folder], segmentMs: 4000 }]);
    for (const [name, muxer] of [
      ['pids-1.ts', ['-t', '7']],
      ['pids-2.ts', ['-mpegts_start_pid', '768', '-streamid', '1:600']],
    ] as const)
      clips.add(name, { seconds: 20, muxer: ['-c', 'copy', ...muxer] });
    const parts = ['pids-1.ts', 'pids-2.ts', 'pids-1.ts'].map((name) => clips.path(name));
    writeFileSync(clips.path('pids.ts'), Buffer.concat(parts.map((path) => readFileSync(path))));
    const file = await open('pids.ts');
    for (const [index, units] of (await servedUnits(file)).entries()) {
      const original = known[index]!;
      const part = original.slice(0, (units.length - original.length) / 2);
      expect(part.length).toBeGreaterThan(170);
      expect(units).toEqual([...part, ...original, ...part]);
    }
    await files.close();
  });

  it('with few timestamps continues from the last timestamp', async () => {
    opened();
    changePes('sparse.ts', (kind, index, pes) => {
      // The timestamps become stuffing.
      if (index % (kind === 'video' ? 17 : 1_000_000) > 0) pes[7]! &= 0x3f;
    });
    expect(await servedUnits(await open('sparse.ts'))).toEqual(known);
    await files.close();
  });

  it('whose audio has another clock starts with the video', async () => {
    opened();
    changePes('hour.ts', (kind, _, pes) => {
      if (kind === 'video') return;
      // 2³⁰ ticks more: the first three bits of the time.
      pes[9] = (pes[9]! & 0xf1) | (((pes[9]! & 0x0e) + 2) & 0x0e);
    });
    const file = await open('hour.ts');
    expect(file.window.durationMs).toBeLessThan(20_500);
    expect(await servedUnits(file)).toEqual(known);
    await files.close();
  });

  it('that is truncated anywhere plays up to its end', async () => {
    opened();
    const content = readFileSync(clips.path('film.ts'));
    writeFileSync(clips.path('middle.ts'), content.subarray(100_001, 200_003));
    const file = await open('middle.ts');
    for (const { track } of file.window.tracks) await wholeTrack(file, track.id);
    expect(file.window.segments('v1').length).toBeGreaterThan(0);
    await files.close();
  });

  it('with zeros anywhere is read to its end', async () => {
    const content = readFileSync(clips.path('film.ts'));
    const step = Math.ceil(content.length / 7 / 188) * 188;
    for (let at = step, number = 0; at <= content.length; at += step, number++) {
      const zeros = Buffer.alloc(64 * 1024 * (number + 1));
      writeFileSync(
        clips.path(`zeros${number}.ts`),
        Buffer.concat([content.subarray(0, at), zeros, content.subarray(at)]),
      );
      for (const outlineFromBytes of [0, Infinity]) {
        const files = new OpenFiles({ clock, outlineFromBytes });
        files.apply([{ prefix: 'clips', roots: [clips.folder], segmentMs: 4000 }]);
        expect(await files.open(`clips/zeros${number}.ts`)).toHaveProperty('window');
        await files.close();
      }
    }
  });

  it('with zeros at the end of the first read is read to its end', async () => {
    const content = readFileSync(clips.path('film.ts'));
    const head = Buffer.concat(Array.from({ length: Math.ceil((2 << 20) / content.length) }, () => content));
    const packets = head.subarray(0, Math.floor(((2 << 20) - 40_000) / 188) * 188);
    writeFileSync(clips.path('zeros.ts'), Buffer.concat([packets, Buffer.alloc(80_000), content]));
    const files = new OpenFiles({ clock, outlineFromBytes: 0 });
    files.apply([{ prefix: 'clips', roots: [clips.folder], segmentMs: 4000 }]);
    expect(await files.open('clips/zeros.ts')).toHaveProperty('window');
    await files.close();
  });

  it('is refused if no track has a supported codec', async () => {
    opened();
    clips.add('foreign.ts', { seconds: 20, muxer: ['-c:v', 'mpeg2video', '-t', '1', '-an'] });
    expect(await codeOf('foreign.ts')).toBe('vod_file_not_supported');
    await files.close();
  });
});

describe('UnpackedSegments', () => {
  it('caches segments for the next reader, up to its limit', async () => {
    const segments = new UnpackedSegments(100);
    let count = 0;
    const unpack = async (): Promise<Uint8Array> => {
      count++;
      return Promise.resolve(new Uint8Array(40));
    };
    await Promise.all([segments.get('a', unpack), segments.get('a', unpack)]);
    await segments.get('b', unpack);
    expect(count).toBe(2);
    await segments.get('c', unpack);
    await segments.get('b', unpack);
    expect(count).toBe(3);
    await segments.get('a', unpack);
    expect(count).toBe(4);
    await expect(segments.get('d', () => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
    await segments.get('d', unpack);
    expect(count).toBe(5);
  });
});

describe('a VOD file that is not indexed in time', () => {
  it('is refused, and not tried again until it changes', async () => {
    let isLate = true;
    let nowMs = clock.now();
    // The deadline passes immediately. All other timers wait.
    const after = (delayMs: number, callback: () => void): (() => void) => {
      if (isLate && delayMs >= 60_000) callback();
      return () => undefined;
    };
    const late = new OpenFiles({ clock: { now: () => nowMs, after } });
    late.apply([{ prefix: 'clips', roots: [clips.folder], segmentMs: 4000 }]);
    copyFileSync(clips.path('film.ts'), clips.path('slow.ts'));
    const refused = { code: 'vod_index_timeout' };
    expect(await late.open('clips/slow.ts')).toMatchObject(refused);
    isLate = false;
    nowMs += 60_000;
    expect(await late.open('clips/slow.ts')).toMatchObject(refused);
    expect(late.indexCount).toBe(1);
    // Both index threads are free again.
    for (const name of ['film.ts', 'late.ts', 'film.mkv'])
      expect(await late.open(`clips/${name}`)).toHaveProperty('window');
    utimesSync(clips.path('slow.ts'), 1, 1);
    nowMs += 60_000;
    expect(await late.open('clips/slow.ts')).toHaveProperty('window');
    await late.close();
  });
});

describe('a requested VOD name', () => {
  it('is found only inside the folder of its location', async () => {
    opened();
    const odd = 'Füße & 100 %/ein #film?.mp4';
    mkdirSync(clips.path('Füße & 100 %'));
    copyFileSync(clips.path('fast.mp4'), clips.path(odd));
    symlinkSync('/etc/hostname', clips.path('out.mp4'));
    symlinkSync(clips.path('fast.mp4'), clips.path('in.mp4'));
    expect(await codeOf(odd)).toBe('ok');
    expect(await codeOf('in.mp4')).toBe('ok');
    const missing = [
      'out.mp4',
      '../clips/fast.mp4',
      'nothing.mp4',
      'Füße & 100 %',
      '.encoded-20.mkv',
      'a\0b',
      'fast.mp4/x',
    ];
    for (const name of missing) expect([name, await codeOf(name)]).toEqual([name, 'vod_file_not_found']);
    expect(files.covers('clips')).toBe(false);
    expect(files.covers('other/fast.mp4')).toBe(false);
    await files.close();
  });

  const start = (name: string, bytes: number): Buffer => readFileSync(clips.path(name)).subarray(0, bytes);
  const ENCRYPTION = ['-encryption_scheme', 'cenc-aes-ctr', '-encryption_key', '0'.repeat(32)];
  /** Unplayable bytes with their description and the code of the refusal. */
  const BAD: readonly (readonly [name: string, bytes: () => Uint8Array, code: string])[] = [
    ['empty.mp4', () => Buffer.alloc(0), 'vod_file_damaged'],
    ['byte.mp4', () => Buffer.alloc(1), 'vod_file_not_supported'],
    ['text.mp4', () => Buffer.from('these are no pictures\n'.repeat(100)), 'vod_file_not_supported'],
    ['zeros.ts', () => Buffer.alloc(200_000), 'vod_file_not_supported'],
    ['tables-missing.mp4', () => start('plain.mp4', 10_000), 'vod_file_damaged'],
    ['tables-cut.mp4', () => start('fast.mp4', 2000), 'vod_file_damaged'],
    [
      'media-missing.mp4',
      () => start('fast.mp4', readFileSync(clips.path('fast.mp4')).indexOf('mdat')),
      'vod_file_damaged',
    ],
    [
      'fragments-missing.mp4',
      () => start('fragments.mp4', readFileSync(clips.path('fragments.mp4')).indexOf('moof') - 4),
      'vod_file_damaged',
    ],
    ['head.mkv', () => start('film.mkv', 60), 'vod_file_damaged'],
    ['head.ts', () => start('film.ts', 188 * 4), 'vod_file_not_supported'],
    ['scrambled.ts', () => scrambled(readFileSync(clips.path('film.ts'))), 'vod_file_not_supported'],
    ['foreign.webm', () => fileBytes('foreign.webm', ['-c:v', 'libvpx', '-t', '0.2', '-an']), 'vod_file_not_supported'],
    [
      'encrypted.mp4',
      () => fileBytes('encrypted.mp4', [...ENCRYPTION, '-encryption_kid', '1'.repeat(32)]),
      'vod_file_not_supported',
    ],
  ];
  const fileBytes = (name: string, muxer: readonly string[]): Buffer =>
    readFileSync(clips.add(`.${name}`, { seconds: 20, muxer: [...muxer, '-f', name.split('.')[1] ?? ''] }));
  /** Packets flagged as scrambled (ISO/IEC 13818-1, 2.4.3.3). */
  const scrambled = (bytes: Buffer): Buffer => {
    for (let at = 0; at + 188 <= bytes.length; at += 188)
      if ((bytes.readUInt16BE(at + 1) & 0x1fff) >= 0x100 && (bytes.readUInt16BE(at + 1) & 0x1fff) < 0x200)
        bytes[at + 3] = (bytes[at + 3] ?? 0) | 0x80;
    return bytes;
  };

  it.each(BAD)('is refused with a code if the file is %s, and other files still play', async (name, bytes, code) => {
    opened();
    writeFileSync(clips.path(name), bytes());
    expect(await codeOf(name)).toBe(code);
    expect(await codeOf('fast.mp4')).toBe('ok');
    expect(files.memoryBytes).toBeLessThan(1 << 20);
    await files.close();
  });

  it.each(['plain.mp4', 'fragments.mp4', 'film.mkv', 'film.ts'])(
    'is played or refused with a code, whichever bytes of %s are wrong',
    async (form) => {
      const original = readFileSync(
        clips.add(`short-${form}`, { seconds: 2, muxer: FORMS.find(([name]) => name === form)?.[1] ?? [] }),
      );
      // Most of a file is media. This test is about its boxes.
      const boxes = Math.max(0, original.indexOf('moov') - 4);
      const wrong = fc.record({
        at: fc.oneof(
          fc.nat(original.length - 1),
          fc.integer({ min: boxes, max: Math.min(original.length - 1, boxes + 2000) }),
        ),
        bytes: fc.uint8Array({ minLength: 1, maxLength: 8 }),
      });
      const damage = fc.array(wrong, { minLength: 1, maxLength: 6 });
      let count = 0;
      await fc.assert(
        fc.asyncProperty(damage, fc.option(fc.nat(original.length)), async (places, length) => {
          const bytes = Buffer.from(original);
          for (const { at, bytes: other } of places) bytes.set(other.subarray(0, bytes.length - at), at);
          const name = `wrong-${count++}-${form}`;
          writeFileSync(clips.path(name), bytes.subarray(0, length ?? bytes.length));
          opened();
          const found = await files.open(`clips/${name}`);
          if ('code' in found) expect(found.code).toMatch(/^vod_file_(damaged|not_supported)$/);
          else {
            renderMpd(found.window, { nowMs: 0 });
            for (const { track } of found.window.tracks) await wholeTrack(found, track.id);
          }
          await files.close();
        }),
        { numRuns: RUNS },
      );
    },
  );

  it('is indexed once, and again after the file changed', async () => {
    opened();
    copyFileSync(clips.path('fast.mp4'), clips.path('changing.mp4'));
    const [first, same] = await Promise.all([open('changing.mp4'), open('changing.mp4')]);
    expect(same).toBe(first);
    clock.advance(5000);
    expect(await open('changing.mp4')).toBe(first);
    expect(files.indexCount).toBe(1);
    copyFileSync(clips.path('plain.mp4'), clips.path('changing.mp4'));
    utimesSync(clips.path('changing.mp4'), 1000, 1000);
    clock.advance(5000);
    const other = await open('changing.mp4');
    expect(files.indexCount).toBe(2);
    const [before, after] = [first, other].map(({ window }) => window.segments('v1')[0]?.address);
    expect(before).not.toBe(after);
    expect(other.window.segmentByAddress('v1', before ?? '')).toBeUndefined();
    await files.close();
  });

  it('stays readable for a while after the file was deleted, for viewers with an open window', async () => {
    opened();
    copyFileSync(clips.path('fast.mp4'), clips.path('going.mp4'));
    const going = await open('going.mp4');
    const segmentOf = async ({ window }: OpenFile, number = 1): Promise<Uint8Array> =>
      Promise.all((window.segments('v1')[number]?.segment.parts ?? []).map(readMedia)).then((parts) =>
        Buffer.concat(parts),
      );
    const expected = await segmentOf(await open('fast.mp4'));
    rmSync(clips.path('going.mp4'));
    clock.advance(5000);
    expect(await codeOf('going.mp4')).toBe('vod_file_not_found');
    expect(Buffer.compare(await segmentOf(going), expected)).toBe(0);
    files.sweep(clock.now());
    expect(Buffer.compare(await segmentOf(going), expected)).toBe(0);
    clock.advance(40_000);
    files.sweep(clock.now());
    await expect(segmentOf(going, 2)).rejects.toThrow();
    await files.close();
  });

  it('is never mixed up with a new file of the same name', async () => {
    opened();
    copyFileSync(clips.path('fast.mp4'), clips.path('swapped.mp4'));
    const first = await open('swapped.mp4');
    const parts = first.window.segments('v1')[1]?.segment.parts ?? [];
    clock.advance(40_000);
    files.sweep(clock.now());
    copyFileSync(clips.path('plain.mp4'), clips.path('swapped.mp4'));
    utimesSync(clips.path('swapped.mp4'), 1000, 1000);
    await expect(Promise.all(parts.map(readMedia))).rejects.toThrow('another file');
    await files.close();
  });

  it('is dropped from memory by least recent use, to stay within the memory limit', async () => {
    const one = opened();
    await open('fast.mp4');
    const { memoryBytes } = one;
    await one.close();
    expect(one.memoryBytes).toBe(0);
    opened(memoryBytes * 2.5);
    for (const name of ['fast.mp4', 'plain.mp4', 'fast.mp4', 'apple.mov']) await open(name);
    expect([...files.list()].map(({ name }) => name).sort()).toEqual(['clips/apple.mov', 'clips/fast.mp4']);
    await files.close();
  });
});
