import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { makeFiles } from './made-media.ts';
import { damaged, PacedTs, packetsOf } from './paced-ts.ts';

// Streams created by ffmpeg for testing alarms, with and without faults.

/** Durations of the streams, and times of their alarms. */
export interface Trial {
  /** Duration of the files, which then restart. */
  readonly seconds: number;
  /** Whether the files are kept on the machine for later runs. */
  readonly isKept?: boolean;
  /**
   * Repeated content of a normal stream: its duration, and how long the picture is black or frozen, or the audio quiet,
   * in seconds.
   */
  readonly round: { readonly total: number; readonly black: number; readonly still: number; readonly quiet: number };
  /** Duration of a fault before its alarm in seconds, by kind; default: as in a real server. */
  readonly raise: Readonly<Record<string, number>>;
}

/**
 * Durations for a test of one minute. Files contain complete rounds: a restart between two frozen parts would join
 * them.
 */
export const SHORT_TRIAL: Trial = {
  seconds: 42,
  isKept: true,
  round: { total: 14, black: 2, still: 5, quiet: 10 },
  raise: {
    black: 6,
    frozen: 8,
    silence: 6,
    silence_frozen: 6,
    level: 4,
    loudness_short_term: 4,
    latency: 2,
    bitrate: 3,
    frame_rate: 3,
    loudness_integrated: 5,
    loudness_range: 6,
    missing_scte35: 6,
    no_input: 5,
    continuity: 3,
    pcr: 3,
    stream_errors: 3,
    true_peak: 0,
    loudness_momentary: 0,
    format_change: 0,
  },
};

/** Severity of each alarm. */
const LIMITS: Readonly<Record<string, string>> = {
  black: 'critical',
  frozen: 'major',
  silence: 'major',
  silence_frozen: 'critical',
  level: 'major min=-60 max=-4',
  loudness_short_term: 'major min=-60 max=-15',
  loudness_momentary: 'info max=-12',
  loudness_integrated: 'major min=-40 max=-15',
  loudness_range: 'info max=20',
  true_peak: 'major max=-6',
  bitrate: 'major min=40 max=1500',
  frame_rate: 'major min=8 max=30',
  format_change: 'info',
  continuity: 'major',
  pcr: 'info',
  stream_errors: 'major',
  latency: 'major',
};

const RATE = 10;
const MOVING = `testsrc2=s=320x180:r=${RATE}`;
const TONE = 'sine=f=440';
/** Time of the format change: after the grace time of a server that starts (15 s). */
const CHANGE_SECONDS = 20;
/** Speed of an encoder that falls behind, relative to real time. */
const LATE_PACE = 0.5;

/** Video and audio as filters of ffmpeg, and the expected alarms. */
interface Programme {
  readonly picture: string;
  readonly sound: string;
  readonly encoder?: readonly string[];
  readonly faults: readonly string[];
}

function programmes({ round }: Trial): Readonly<Record<string, Programme>> {
  const { total, black, still, quiet } = round;
  const bars = `smptebars=s=320x180:r=${RATE}`;
  const fade = `eq=brightness='-min(1,max(0,min(mod(t,${total})-4,${5 + black}-mod(t,${total}))))':eval=frame`;
  return {
    normal: { picture: MOVING, sound: TONE, faults: [] },
    fading: { picture: `${MOVING},${fade}`, sound: TONE, faults: [] },
    caption: {
      picture: `color=navy:s=320x180:r=${RATE}[a];${MOVING}[b];[a][b]overlay=enable='gt(mod(t,${total}),${still})'`,
      sound: TONE,
      faults: [],
    },
    quiet: {
      picture: MOVING,
      // The loud part is first: the integrated loudness is that of the loud parts from the first value on.
      sound: `${TONE},volume='if(lt(mod(t,${total}),${total - quiet}),1,0.02)':eval=frame`,
      faults: [],
    },
    black: { picture: `color=black:s=320x180:r=${RATE}`, sound: TONE, faults: ['black'] },
    frozen: { picture: bars, sound: TONE, faults: ['frozen'] },
    silent: { picture: MOVING, sound: 'anullsrc=r=44100', faults: ['level', 'loudness_short_term', 'silence'] },
    dead: {
      picture: bars,
      sound: 'anullsrc=r=44100',
      faults: ['bitrate', 'frozen', 'level', 'loudness_short_term', 'silence', 'silence_frozen'],
    },
    loud: {
      picture: MOVING,
      sound: `${TONE},volume=15dB`,
      faults: ['level', 'loudness_integrated', 'loudness_momentary', 'loudness_short_term', 'true_peak'],
    },
    soft: { picture: MOVING, sound: `${TONE},volume=-30dB`, faults: ['loudness_integrated'] },
    uneven: {
      picture: MOVING,
      sound: `${TONE},volume='if(lt(mod(t,15),5),1,0.063)':eval=frame`,
      faults: ['loudness_range'],
    },
    fat: { picture: `${MOVING},noise=alls=80:allf=t`, sound: TONE, faults: ['bitrate'] },
    thin: {
      picture: `testsrc2=s=64x64:r=${RATE}`,
      sound: 'sine=f=440:r=16000',
      encoder: ['-crf', '51', '-b:a', '12k'],
      faults: ['bitrate'],
    },
    jerky: { picture: 'testsrc2=s=320x180:r=4', sound: TONE, faults: ['frame_rate'] },
  };
}

/** Expected alarms, each as the name of the stream and the kind. */
export function expectedAlarms(trial: Trial): string[] {
  const expected = Object.entries(programmes(trial)).flatMap(([name, { faults }]) =>
    faults.map((fault) => `${name} ${fault}`),
  );
  return [
    ...expected,
    'bad continuity',
    'bad pcr',
    'bad stream_errors',
    'changed format_change',
    'late frame_rate',
    'late latency',
    'lost no_input',
    'uncued missing_scte35',
  ].sort();
}

/** Streams that a server can read. */
export interface AlarmProgrammes {
  /** Alarms and streams for the configuration. */
  readonly config: string;
  close(): void;
}

/**
 * Creates all streams, and sends the streams that are not files.
 *
 * @param folder for the files
 * @param ofStream returns additional lines of a stream by name
 */
export async function makeProgrammes(
  trial: Trial,
  folder: string,
  ofStream: (name: string) => string = () => '',
): Promise<AlarmProgrammes> {
  const { seconds, raise, isKept = false } = trial;
  const make = (name: string, { picture, sound, encoder = [] }: Omit<Programme, 'faults'>): string => {
    const file = `${name}.ts`;
    const inputs = ['-f', 'lavfi', '-i', picture, '-f', 'lavfi', '-i', sound, '-t', String(seconds)];
    const video = ['-c:v', 'libx264', '-preset', 'ultrafast', '-threads', '1', '-g', '20', '-pix_fmt', 'yuv420p'];
    const args = [
      '-filter_complex_threads',
      '1',
      ...inputs,
      ...video,
      '-c:a',
      'aac',
      '-b:a',
      '64k',
      ...encoder,
      '-f',
      'mpegts',
      file,
    ];
    if (isKept) makeFiles(folder, args);
    else execFileSync('ffmpeg', ['-v', 'error', ...args], { cwd: folder });
    return join(folder, file);
  };
  const files = Object.entries(programmes(trial)).map(([name, programme]) => [name, make(name, programme)] as const);
  const larger = make('larger', { picture: `testsrc2=s=640x360:r=${RATE}`, sound: TONE });
  const normal = packetsOf(readFileSync(join(folder, 'normal.ts')));
  const changed = [
    ...normal.filter(({ dueMs }) => dueMs < CHANGE_SECONDS * 1000),
    ...packetsOf(readFileSync(larger)).map(({ packet, dueMs }) => ({ packet, dueMs: dueMs + CHANGE_SECONDS * 1000 })),
  ];
  const sent = {
    bad: new PacedTs(damaged(packetsOf(readFileSync(join(folder, 'normal.ts'))))),
    late: new PacedTs(normal, LATE_PACE),
    changed: new PacedTs(changed),
  };
  const inputs: (readonly [name: string, input: string])[] = [
    ...files.map(([name, path]) => [name, `file://${path}`] as const),
    ['lost', `udp://127.0.0.1:${await freePort()}`],
    ...['cued', 'uncued'].map((name) => [name, fake(name)] as const),
  ];
  for (const [name, source] of Object.entries(sent)) inputs.push([name, await source.start()]);
  const time = (kind: string): string => (raise[kind] === undefined ? '' : `raise=${raise[kind]}s`);
  const rules = Object.entries(LIMITS).map(([kind, limits]) => `alarm ${kind} ${limits} ${time(kind)};`);
  const cues = `alarm missing_scte35 major raise=${raise['missing_scte35'] ?? 60}s;`;
  const streams = inputs.map(
    ([name, input]) => `stream ${name} { input ${input}; ${name.endsWith('cued') ? cues : ''} ${ofStream(name)} }`,
  );
  return {
    config: [...rules, ...streams].join('\n'),
    close() {
      for (const source of Object.values(sent)) source.close();
    },
  };
}

/** Address of a test picture, with or without splice points. */
function fake(name: string): string {
  return `fake://?width=320&height=180&bitrate=200${name === 'cued' ? '&splice=4' : ''}`;
}
