import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ArchiveStage } from '../../../tests/helpers/archive-stage.ts';
import { ffmpeg } from '../../../tests/helpers/ffmpeg-media.ts';
import { collectMedia } from '../../../tests/helpers/mp4-file.ts';
import { RecordingSink } from '../../../tests/helpers/recording-sink.ts';
import { settled } from '../../../tests/helpers/settled.ts';
import { ArchiveWindow } from '../../dvr/window/archive-window.ts';
import type { AccessUnit } from '../../media/access-unit.ts';
import { MpegTsReader } from '../../media/containers/mpegts/reader.ts';
import type { Track } from '../../media/track.ts';
import { windowTs } from '../../packaging/mpegts/continuous.ts';
import { WholeMp4 } from '../../packaging/mp4/whole-file.ts';
import { runExport } from './export-run.ts';

const PHASE_SECONDS = 4;
const FPS = 25;
const folder = mkdtempSync(join(tmpdir(), 'airdesk-formats-'));

afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** Format that an encoder sends for some seconds. */
interface Format {
  readonly codec?: 'libx264' | 'libx265';
  readonly size?: string;
  readonly rate?: number;
  readonly channels?: number;
}

interface Phase {
  readonly tracks: readonly Track[];
  readonly units: readonly AccessUnit[];
}

function phaseOf({ codec = 'libx264', size = '160x90', rate = 44_100, channels = 2 }: Format, index: number): Phase {
  const params = `keyint=${FPS}:min-keyint=${FPS}:scenecut=0:open-gop=0:bframes=2`;
  const video =
    codec === 'libx264'
      ? ['-x264-params', `threads=1:${params}`]
      : ['-x265-params', `pools=1:log-level=error:${params}`];
  const args = [
    `-f lavfi -i testsrc2=size=${size}:rate=${FPS}:duration=${PHASE_SECONDS}`,
    `-f lavfi -i sine=frequency=440:sample_rate=${rate}:duration=${PHASE_SECONDS + 1}`,
    `-c:v ${codec} ${video.join(' ')} -preset ultrafast -pix_fmt yuv420p`,
    `-c:a aac -ar ${rate} -ac ${channels} -f mpegts`,
  ];
  const bytes = ffmpeg(args.join(' ').split(' '));
  const sink = new RecordingSink();
  const reader = new MpegTsReader(sink);
  reader.push(bytes);
  reader.flush();
  const [first] = sink.units('v1');
  const shiftTicks = index * PHASE_SECONDS * 90_000 - (first?.dtsTicks ?? 0);
  const endTicks = (index + 1) * PHASE_SECONDS * 90_000;
  const frameTicks = (1024 * 90_000) / rate;
  const units = sink
    .units()
    .map((unit) => ({ ...unit, dtsTicks: unit.dtsTicks + shiftTicks, ptsTicks: unit.ptsTicks + shiftTicks }))
    // Units before the first picture of the format are dropped.
    .filter(({ ptsTicks }) => ptsTicks >= (first?.ptsTicks ?? 0) + shiftTicks)
    .filter(({ trackId, dtsTicks }) => trackId === 'v1' || dtsTicks + frameTicks <= endTicks)
    .sort((a, b) => a.dtsTicks - b.dtsTicks);
  return { tracks: sink.announcements.at(-1) ?? [], units };
}

/** Recording of an encoder that sends several formats in sequence. */
class Recorded {
  readonly stage = new ArchiveStage();
  readonly sent: readonly AccessUnit[];
  fromMs = 0;
  toMs = 0;
  readonly #phases: readonly Phase[];

  constructor(formats: readonly Format[]) {
    this.#phases = formats.map(phaseOf);
    this.sent = this.#phases.flatMap(({ units }) => units);
  }

  async record(): Promise<void> {
    const { stage } = this;
    await stage.record();
    for (const { tracks, units } of this.#phases) {
      for (let at = 0; at < units.length; at += 50) {
        const some = units.slice(at, at + 50);
        const { clock } = stage.stream;
        const startMs = clock.now();
        stage.stream.playUnits(tracks, some);
        const next = units[at + 50] ?? some.at(-1);
        clock.advance(Math.max(0, startMs + ((next?.dtsTicks ?? 0) - (some[0]?.dtsTicks ?? 0)) / 90 - clock.now()));
        await settled();
      }
    }
    const bounds = stage.stream.window.bounds();
    this.fromMs = bounds?.fromMs ?? 0;
    this.toMs = (bounds?.toMs ?? 0) + 1000;
    await stage.close();
    stage.stream.clock.advance(60_000);
  }

  async window(): Promise<ArchiveWindow> {
    const { fromMs, toMs } = this;
    const opened = await this.stage.playback.open('c/03', { kind: 'range', fromMs, toMs }, 2000);
    if (!(opened instanceof ArchiveWindow)) throw new Error('no window');
    return opened;
  }

  count(trackId: string): number {
    return this.sent.filter((unit) => unit.trackId === trackId).length;
  }
}

/** Number of frames that ffmpeg decodes, and the times of their packets in seconds. */
function probe(path: string, content: 'v' | 'a') {
  const show = ['-show_entries', 'stream=nb_read_frames:packet=pts_time', '-of', 'json', path];
  const text = execFileSync(
    'ffprobe',
    ['-v', 'error', '-select_streams', content, '-count_frames', '-show_packets', ...show],
    { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  );
  const { streams, packets } = JSON.parse(text) as {
    streams: { nb_read_frames: string }[];
    packets: { pts_time: string }[];
  };
  const byTime = (a: number, b: number): number => a - b;
  return {
    frames: streams.reduce((sum, { nb_read_frames: count }) => sum + Number(count), 0),
    times: packets.map(({ pts_time: at }) => Number(at)).sort(byTime),
  };
}

interface Change {
  readonly name: string;
  readonly formats: readonly Format[];
}

const CHANGES: readonly Change[] = [
  { name: 'the sample rate', formats: [{}, { rate: 48_000 }, { rate: 32_000 }, {}] },
  { name: 'the number of channels', formats: [{ channels: 1 }, { channels: 2 }] },
  { name: 'the channels to surround', formats: [{}, { channels: 6 }, {}] },
  { name: 'the size of the picture', formats: [{}, { size: '320x180' }, {}] },
  { name: 'the codec of the picture', formats: [{}, { codec: 'libx265' }, {}] },
  {
    name: 'everything',
    formats: [{}, { codec: 'libx265', size: '320x180', rate: 48_000, channels: 1 }, { rate: 22_050 }],
  },
];

describe.each(CHANGES)('an archive in which an encoder changes $name', ({ name, formats }) => {
  const recorded = new Recorded(formats);
  const path = (file: string): string => join(folder, `${name.replaceAll(' ', '-')}-${file}`);

  it('plays as one MP4 with each picture and audio frame at its time', async () => {
    await recorded.record();
    const file = await WholeMp4.of(await recorded.window());
    if (!file) throw new Error('no file');
    const { bytes } = await collectMedia(file.read());
    expect([file.end.reason, bytes.length]).toEqual(['end', file.sizeBytes]);
    writeFileSync(path('whole.mp4'), bytes);
    for (const [content, id] of [
      ['v', 'v1'],
      ['a', 'a1'],
    ] as const) {
      const { frames, times } = probe(path('whole.mp4'), content);
      const sent = recorded.sent.filter(({ trackId }) => trackId === id).sort((a, b) => a.ptsTicks - b.ptsTicks);
      expect([id, times.length, frames]).toEqual([id, sent.length, sent.length]);
      const zero = Math.min(...recorded.sent.map(({ ptsTicks }) => ptsTicks));
      const late = sent.filter(
        ({ ptsTicks }, index) => Math.abs((times[index] ?? 0) - (ptsTicks - zero) / 90_000) > 0.03,
      );
      expect([id, late.length]).toEqual([id, 0]);
    }
  });

  it('plays as one transport stream with each picture and audio frame', async () => {
    const { bytes } = await collectMedia(windowTs(await recorded.window()));
    // FFmpeg drops pictures where the codec changes, so the own reader counts them.
    const sink = new RecordingSink();
    const reader = new MpegTsReader(sink);
    reader.push(bytes);
    reader.flush();
    for (const id of ['v1', 'a1']) expect([id, sink.units(id).length]).toEqual([id, recorded.count(id)]);
  });

  it('is exported as one MP4 per format, with each picture and audio frame', async () => {
    const files = await runExport({
      task: {
        id: name,
        fromMs: recorded.fromMs,
        toMs: recorded.toMs,
        packing: 'mp4',
        reserveBytes: 0,
        streams: [{ stream: 'c/03', stem: path('export'), marks: [] }],
      },
      tables: (stream) => async (time) => recorded.stage.tables.of(stream, time),
      encode: () => Promise.reject(new Error('nothing is encoded again')),
      picture: () => Promise.reject(new Error('no pictures')),
      progress: () => undefined,
    });
    expect(files).toHaveLength(formats.length);
    for (const [content, id] of [
      ['v', 'v1'],
      ['a', 'a1'],
    ] as const) {
      const counts = files.map((file) => probe(file.path, content).frames);
      expect([id, counts.reduce((sum, count) => sum + count, 0)]).toEqual([id, recorded.count(id)]);
    }
  });
});
