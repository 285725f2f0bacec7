import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { DamagedTs } from '../helpers/damaged-ts.ts';
import { DeskServer } from './desk/desk-server.ts';

/** How long nothing else may be raised, in minutes: by hand ten, with the times of a real server; 0 for the short proof. */
const MINUTES = Number(process.env['AIRDESK_ALARM_MINUTES'] ?? 0);
const isLong = MINUTES > 0;
const SECONDS = isLong ? MINUTES * 60 + 120 : 60;
const SIZE = isLong ? 's=320x180:r=10' : 's=640x360:r=25';
/** Of each round of a normal programme: how long it is, and how long its picture is black, still or quiet in it, in seconds. */
const ROUND = isLong ? { whole: 60, black: 6, still: 24, quiet: 40 } : { whole: 14, black: 2, still: 5, quiet: 10 };
const MOVING = `testsrc2=${SIZE}`;

/** Picture and sound of each programme, as filters of ffmpeg. */
const PROGRAMMES = {
  normal: [MOVING, 'sine=f=440'],
  fading: [
    `${MOVING},eq=brightness='-min(1,max(0,min(mod(t,${ROUND.whole})-4,${5 + ROUND.black}-mod(t,${ROUND.whole}))))':eval=frame`,
    'sine=f=440',
  ],
  caption: [
    `color=navy:${SIZE}[a];${MOVING}[b];[a][b]overlay=enable='gt(mod(t,${ROUND.whole}),${ROUND.still})'`,
    'sine=f=440',
  ],
  quiet: [MOVING, `sine=f=440,volume='if(lt(mod(t,${ROUND.whole}),${ROUND.quiet}),0.02,1)':eval=frame`],
  black: [`color=black:${SIZE}`, 'sine=f=440'],
  frozen: [`smptebars=${SIZE}`, 'sine=f=440'],
  silent: [MOVING, 'anullsrc=r=44100'],
  dead: [`smptebars=${SIZE}`, 'anullsrc=r=44100'],
  loud: [MOVING, 'sine=f=440,volume=15dB'],
} as const;
/** Times and limits of the short proof; those of a real server are the defaults. */
const RULES = `
  alarm black critical ${isLong ? '' : 'raise=6s'};
  alarm frozen major ${isLong ? '' : 'raise=10s'};
  alarm silence major ${isLong ? '' : 'raise=6s'};
  alarm silence_frozen critical ${isLong ? '' : 'raise=6s'};
  alarm loudness_short_term major ${isLong ? '' : 'raise=4s'} max=-15;
  alarm true_peak major max=-6;
  alarm continuity major;
  alarm pcr info;
  alarm latency major ${isLong ? '' : 'raise=2s'};
`;

let folder: string;
let server: DeskServer;
let damaged: DamagedTs;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'airdesk-alarms-'));
  const streams = Object.entries(PROGRAMMES).map(([name, [picture, sound]]) => {
    const path = join(folder, `${name}.ts`);
    const inputs = ['-f', 'lavfi', '-i', picture, '-f', 'lavfi', '-i', sound, '-t', String(SECONDS)];
    const video = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '50', '-pix_fmt', 'yuv420p'];
    execFileSync('ffmpeg', ['-v', 'error', ...inputs, ...video, '-c:a', 'aac', '-f', 'mpegts', path]);
    const recorded = name === 'black' ? `dvr ${join(folder, 'recorded')} 1d;` : '';
    return `stream ${name} { input file://${path}; loudness_log ${name === 'normal'}; ${recorded} }`;
  });
  damaged = new DamagedTs(readFileSync(join(folder, 'normal.ts')));
  streams.push('stream lost { input udp://127.0.0.1:1; }', `stream damaged { input ${await damaged.start()}; }`);
  server = await DeskServer.start(`${RULES}${streams.join('\n')}\n`);
}, 600_000);
afterAll(async () => {
  await server.dispose();
  damaged.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Raised {
  readonly name: string | null;
  readonly alarm: string;
}

async function raised(): Promise<string[]> {
  const answer = await fetch(`${server.url}streamer/api/v3/alarms?select=name,alarm&limit=1000`);
  const { alarms } = (await answer.json()) as { readonly alarms: readonly Raised[] };
  return alarms.flatMap(({ name, alarm }) => (name === null ? [] : [`${name} ${alarm}`])).sort();
}

it('raises what each programme has, and nothing for a normal one', { timeout: 90_000 + MINUTES * 60_000 }, async () => {
  const expected = [
    ...[
      'black black',
      'damaged continuity',
      'damaged pcr',
      'dead frozen',
      'dead silence',
      'dead silence_frozen',
      'frozen frozen',
    ],
    ...['lost no_input', 'loud loudness_short_term', 'loud true_peak', 'silent silence'],
  ];
  await vi.waitFor(async () => expect(await raised()).toEqual(expected), { timeout: 60_000, interval: 1000 });
  const endMs = Date.now() + MINUTES * 60_000;
  while (Date.now() < endMs) {
    expect(await raised()).toEqual(expected);
    await setTimeout(1000);
  }
});

it('has the loudness of a programme in its log, and a page of its day', async () => {
  const address = `${server.url}streamer/api/v3/streams/normal/loudness`;
  const log = async (): Promise<{ readonly short_term: readonly (number | null)[] }> => {
    const now = Date.now();
    const answer = await fetch(`${address}/log?from=${now - 60_000}&to=${now}`);
    return (await answer.json()) as { readonly short_term: readonly (number | null)[] };
  };
  await vi.waitFor(
    async () => expect((await log()).short_term.filter((level) => level !== null)).not.toEqual([]),
    30_000,
  );
  // A sine of 440 Hz with a peak of -18 dBFS, in one channel.
  for (const level of (await log()).short_term) if (level !== null) expect(level).toBeCloseTo(-21.7, 0);
  const day = new Date().toISOString().slice(0, 10);
  const report = await (await fetch(`${address}/report?day=${day}`)).text();
  expect(report).toMatch(/<td>Day<\/td><td>00:[0-9]{2}:[0-9]{2}<\/td><td>-2[12]\.[0-9]<\/td>/);
});

it('keeps pictures of an alarm, the graph of its value, and its time in the archive', async () => {
  const api = `${server.url}streamer/api/v3`;
  const idOf = async (name: string, alarm: string): Promise<string> => {
    const answer = await fetch(`${api}/alarms?name=${name}&alarm=${alarm}&select=id`);
    const { alarms } = (await answer.json()) as { readonly alarms: readonly { readonly id: string }[] };
    return alarms[0]?.id ?? '';
  };
  const evidence = async (name: string, alarm: string): Promise<unknown> =>
    (await fetch(`${api}/streams/${name}/alarms/${await idOf(name, alarm)}/evidence`)).json();
  const picture = expect.stringMatching(/^\/9j\//) as string;
  expect(await evidence('black', 'black')).toMatchObject({ before_jpeg: picture, at_jpeg: picture, is_locked: true });
  const { graph } = (await evidence('loud', 'true_peak')) as { readonly graph: { readonly values: readonly number[] } };
  expect(graph.values.some((value) => value > -6)).toBe(true);
  const { locks } = (await (await fetch(`${api}/streams/black/dvr/locks`)).json()) as { readonly locks: unknown };
  expect(locks).toEqual([expect.objectContaining({ note: 'Alarm: black', locked_by: 'alarms' })]);
});
