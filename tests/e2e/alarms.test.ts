import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { DeskServer } from './desk/desk-server.ts';

/** Picture and sound of each programme, as filters of ffmpeg. */
const PROGRAMMES = {
  normal: ['testsrc2=s=640x360:r=25', 'sine=f=440'],
  fading: [
    "testsrc2=s=640x360:r=25,fade=out:st=6:d=1:enable='lt(t,8)',fade=in:st=8:d=1:enable='gte(t,8)'",
    'sine=f=440',
  ],
  quiet: ['testsrc2=s=640x360:r=25', 'sine=f=440,volume=-25dB'],
  black: ['color=black:s=640x360:r=25', 'sine=f=440'],
  frozen: ['smptebars=s=640x360:r=25', 'sine=f=440'],
  silent: ['testsrc2=s=640x360:r=25', 'anullsrc=r=44100'],
  dead: ['smptebars=s=640x360:r=25', 'anullsrc=r=44100'],
  loud: ['testsrc2=s=640x360:r=25', 'sine=f=440,volume=15dB'],
} as const;
const RULES = `
  alarm black critical raise=6s;
  alarm frozen major raise=8s;
  alarm silence major raise=6s;
  alarm silence_frozen critical raise=6s;
  alarm loudness_short_term major raise=4s max=-15;
  alarm true_peak major max=-6;
  alarm latency major raise=2s;
`;
const SECONDS = 60;

let folder: string;
let server: DeskServer;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'airdesk-alarms-'));
  const streams = Object.entries(PROGRAMMES).map(([name, [picture, sound]]) => {
    const path = join(folder, `${name}.ts`);
    const inputs = ['-f', 'lavfi', '-i', picture, '-f', 'lavfi', '-i', sound, '-t', String(SECONDS)];
    const video = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '50', '-pix_fmt', 'yuv420p'];
    execFileSync('ffmpeg', ['-v', 'error', ...inputs, ...video, '-c:a', 'aac', '-f', 'mpegts', path]);
    return `stream ${name} { input file://${path}; loudness_log ${name === 'normal'}; }`;
  });
  server = await DeskServer.start(`${RULES}${streams.join('\n')}\nstream lost { input udp://127.0.0.1:1; }\n`);
}, 120_000);
afterAll(async () => {
  await server.dispose();
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

it('raises what each programme has, and nothing for a normal one', { timeout: 90_000 }, async () => {
  const expected = [
    ...['black black', 'dead frozen', 'dead silence', 'dead silence_frozen', 'frozen frozen'],
    ...['lost no_input', 'loud loudness_short_term', 'loud true_peak', 'silent silence'],
  ];
  await vi.waitFor(async () => expect(await raised()).toEqual(expected), { timeout: 60_000, interval: 1000 });
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
  expect(report).toMatch(/<td>Day<\/td><td>00:0[0-9]:[0-9]{2}<\/td><td>-2[12]\.[0-9]<\/td>/);
});
