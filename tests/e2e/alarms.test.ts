import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { expectedAlarms, makeProgrammes, SHORT_TRIAL, type AlarmProgrammes } from '../helpers/alarm-programmes.ts';
import { DeskServer } from './desk/desk-server.ts';

// With the time-outs of a real server the same takes ten minutes: section `programmes` of the bench.

let folder: string;
let server: DeskServer;
let programmes: AlarmProgrammes;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'airdesk-alarms-'));
  const more: Readonly<Record<string, string>> = {
    normal: 'loudness_log;',
    black: `dvr ${join(folder, 'recorded')} 1d;`,
  };
  programmes = await makeProgrammes(SHORT_TRIAL, folder, (name) => more[name] ?? '');
  server = await DeskServer.start(programmes.config);
});
afterAll(async () => {
  await server.dispose();
  programmes.close();
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

it('raises exactly the expected alarms of each stream, and no alarms for a normal stream', async () => {
  await vi.waitFor(async () => expect(await raised()).toEqual(expectedAlarms(SHORT_TRIAL)), {
    timeout: 90_000,
    interval: 1000,
  });
});

it('logs the loudness of a stream, and creates a report of a day', async () => {
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

it('stores pictures, the values and a locked recording for alarms', async () => {
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
