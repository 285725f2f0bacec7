import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AirdeskProcess } from '../../helpers/airdesk-process.ts';
import { EncoderProcess } from '../../helpers/encoder-process.ts';
import { ffmpeg, testSources } from '../../helpers/ffmpeg-media.ts';
import { until } from '../../helpers/until.ts';

// Encoders that send codecs that Airdesk does not support.

let server: AirdeskProcess;
const encoders: EncoderProcess[] = [];

const film = join(mkdtempSync(join(tmpdir(), 'airdesk-codecs-')), 'film.mp4');

beforeAll(async () => {
  const key = '0123456789abcdef'.repeat(2);
  const cenc = ['-encryption_scheme', 'cenc-aes-ctr', '-encryption_key', key, '-encryption_kid', key];
  writeFileSync(
    film,
    ffmpeg([...testSources(1, 1), '-c:v', 'libx264', ...cenc, '-f', 'mp4', '-movflags', '+empty_moov']),
  );
  server = await AirdeskProcess.start(
    `allowed_paths ${dirname(film)};
     vod films { storage ${dirname(film)}; }
     stream partial { input publish://; }
     stream nothing { input publish://; }
     stream encrypted { input file://${film}; }`,
  );
});
afterAll(async () => {
  await Promise.all(encoders.map((encoder) => encoder.stop()));
  await server?.dispose();
  rmSync(dirname(film), { recursive: true });
});

interface Answer {
  readonly stats: { readonly status: string; readonly alive: boolean; readonly left_out: readonly unknown[] };
}

async function getJson<T>(path: string): Promise<T> {
  return (await (await fetch(`${server.url}/streamer/api/v3/${path}`)).json()) as T;
}

it.each([
  ['partial', 'warning', true, ['-c:v', 'mpeg2video', '-b:v', '1M']],
  ['nothing', 'error', false, ['-c:v', 'mpeg2video', '-b:v', '1M', '-an']],
] as const)('a stream that receives %s has the status %s and an alarm', async (name, status, alive, args) => {
  const url = `${server.url}/${name}/mpegts`;
  encoders.push(EncoderProcess.publish({ url, isEndless: true, arguments: args }));
  const expected = { status, alive, left_out: [{ content: 'video', codec: 'MPEG-2 video' }] };
  const found = async (): Promise<Answer | undefined> => {
    const answer = await getJson<Answer>(`streams/${name}`);
    return answer.stats.status === status && answer.stats.left_out.length > 0 ? answer : undefined;
  };
  expect((await until(`status ${status}`, found, 60_000, () => server.printed)).stats).toMatchObject(expected);
  const raised = async (): Promise<object | undefined> =>
    (await getJson<{ alarms: object[] }>(`alarms?name=${name}&alarm=codec`)).alarms[0];
  expect(await until('alarm', raised, 60_000, () => server.printed)).toMatchObject({
    fault: 'codec_not_carried',
    facts: { codecs: 'MPEG-2 video' },
    detail: expect.stringContaining('Send H.264 or H.265') as string,
    cleared_at: null,
  });
});

it('an encrypted film is refused, and an input that plays it raises an alarm', async () => {
  const answer = await fetch(`${server.url}/films/film.mp4/index.m3u8`);
  expect([answer.status, await answer.text()]).toEqual([415, expect.stringContaining('the H.264 is encrypted')]);
  const raised = async (): Promise<object | undefined> =>
    (await getJson<{ alarms: object[] }>('alarms?name=encrypted&alarm=codec')).alarms[0];
  expect(await until('alarm', raised, 60_000, () => server.printed)).toMatchObject({
    fault: 'encrypted_not_carried',
    facts: { codecs: 'H.264, AAC' },
    detail: expect.stringContaining('without encryption') as string,
  });
});
