import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expectedAlarms, makeProgrammes, type Trial } from '../../tests/helpers/alarm-programmes.ts';
import { pause, type BenchContext } from '../context.ts';
import type { Row } from '../row.ts';

const MINUTES = 10;
const QUICK_MINUTES = 3;
/** Maximum time from the start of the streams to the last alarm, in seconds. */
const SETTLED_SECONDS = 150;
const POLL_MS = 1000;
/** Maximum delay of a video or audio alarm beyond its time, in seconds: a stream is probed every 4 s, at key frames 2 s apart. */
const MAX_DELAY_SECONDS = 8;

/** Durations as on a real server, with changes as slow as in real programmes. */
const TRIAL: Omit<Trial, 'seconds'> = {
  round: { total: 60, black: 6, still: 24, quiet: 40 },
  raise: {},
};
/** Times in the table of docs/reference/alarms.md, in seconds; hourly figures count from their first minute on. */
const TIMES: Readonly<Record<string, number>> = {
  black: 10,
  frozen: 30,
  silence: 20,
  silence_frozen: 10,
  level: 10,
  loudness_short_term: 30,
  loudness_integrated: 120,
  loudness_range: 120,
  bitrate: 10,
  frame_rate: 10,
  no_input: 5,
  missing_scte35: 60,
};

interface Raised {
  readonly name: string | null;
  readonly alarm: string;
  readonly raised_at: number;
}

/**
 * Runs programmes with and without faults, with the alarm times of a real server. Counts missing and false alarms in ten
 * minutes, and measures the times of the alarms.
 */
export async function programmes(context: BenchContext): Promise<Row[]> {
  const minutes = context.minutes ?? (context.isQuick ? QUICK_MINUTES : MINUTES);
  const trial = { ...TRIAL, seconds: minutes * 60 + SETTLED_SECONDS };
  const folder = mkdtempSync(join(context.workFolder, 'programmes-'));
  context.say('programmes: ffmpeg encodes them');
  const setup = await makeProgrammes(trial, folder);
  const server = await context.ours.start(setup.config);
  try {
    const startMs = Date.now();
    const expected = new Set(expectedAlarms(trial));
    const wrong = new Set<string>();
    const firstMs = new Map<string, number>();
    for (let printedMinute = -1; Date.now() - startMs < minutes * 60_000; await pause(POLL_MS)) {
      for (const { name, alarm, raised_at: atMs } of await raised(server.httpPort)) {
        // An overloaded server reports that it probes less often.
        if (alarm === 'server') continue;
        const key = `${name ?? 'server'} ${alarm}`;
        if (!expected.has(key)) wrong.add(key);
        else if (!firstMs.has(key)) firstMs.set(key, atMs - startMs);
      }
      const minute = Math.floor((Date.now() - startMs) / 60_000);
      if (minute > printedMinute)
        context.say(`programmes: minute ${minute}, ${firstMs.size} of ${expected.size} are raised`);
      printedMinute = minute;
    }
    for (const one of wrong) context.say(`programmes: ${one} was raised without a fault`);
    for (const one of expected) if (!firstMs.has(one)) context.say(`programmes: ${one} was not raised`);
    return [
      row(`alarms without a fault in ${minutes} minutes`, wrong.size, '', 0),
      row(`of ${expected.size} faults not raised`, expected.size - firstMs.size, '', 0),
      ...[...firstMs].sort().flatMap(([key, ms]) => timeRow(key, ms / 1000)),
    ];
  } finally {
    await server.stop();
    setup.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function timeRow(key: string, seconds: number): Row[] {
  const time = TIMES[key.split(' ')[1] ?? ''];
  return time === undefined
    ? []
    : [row(`${key}, from the start of the stream`, seconds, 's', time + MAX_DELAY_SECONDS)];
}

function row(name: string, ours: number, unit: string, target: number): Row {
  return { section: 'programmes', name, unit, ours, target, better: 'lower' };
}

async function raised(port: number): Promise<readonly Raised[]> {
  const answer = await fetch(`http://127.0.0.1:${port}/streamer/api/v3/alarms?select=name,alarm,raised_at&limit=1000`);
  return ((await answer.json()) as { readonly alarms: readonly Raised[] }).alarms;
}
