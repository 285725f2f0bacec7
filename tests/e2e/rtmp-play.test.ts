import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AirdeskProcess } from '../helpers/airdesk-process.ts';
import { EncoderProcess } from '../helpers/encoder-process.ts';
import { markedClip } from '../helpers/marked-clip.ts';
import { readUnits, unitsOf } from '../helpers/numbered-media.ts';
import { until } from '../helpers/until.ts';

const run = promisify(execFile);

const STREAMS = `
live events {
}
stream cam {
  input publish://;
  prepush true;
}
stream off {
  input publish://;
  rtmp_off;
}
stream paid {
  input publish://;
  on_play false domains=tv.example.org;
}
`;

/** Digests of the coded pictures and audio frames that ffmpeg reads in some seconds, in the order of their times. */
async function codedUnits(address: string, content: 'v' | 'a', seconds: number): Promise<string[]> {
  const { stdout } = await run(
    'ffmpeg',
    [
      '-v',
      'error',
      '-nostdin',
      '-i',
      address,
      '-map',
      `0:${content}:0`,
      '-c',
      'copy',
      '-t',
      String(seconds),
      '-f',
      'framemd5',
      '-',
    ],
    { timeout: 60_000, maxBuffer: 1 << 26 },
  );
  return readUnits(stdout).map(({ digest }) => digest);
}

/** Expects `part` to be a section of `whole` without a gap. */
function expectSection(part: readonly string[], whole: readonly string[]): void {
  expect(part.length).toBeGreaterThan(20);
  const [first = ''] = part;
  const starts = whole.flatMap((digest, index) => (digest === first ? [index] : []));
  const isFound = starts.some((start) => part.every((digest, index) => whole[start + index] === digest));
  expect(isFound).toBe(true);
}

describe('a stream over RTMP', () => {
  let server: AirdeskProcess;
  const encoders: EncoderProcess[] = [];
  const publish = (name: string, clip = {}): void => {
    encoders.push(EncoderProcess.publish({ url: `${server.rtmpUrl}/${name}` }, clip));
  };

  beforeAll(async () => {
    server = await AirdeskProcess.start(STREAMS);
    publish('static/cam');
    publish('static/off');
    publish('live/one', { bFrames: 2 });
    publish('events/two');
    for (const name of ['cam', 'off', 'live/one', 'events/two'])
      await server.streamWhere(name, 'frames', ({ alive }) => alive, 60_000);
  });

  afterAll(async () => {
    for (const encoder of encoders) await encoder.stop();
    expect(await server.stop()).toBe(0);
    await server.dispose();
  });

  it.each([
    ['static/cam', {}],
    ['live/one', { bFrames: 2 }],
    ['events/two', {}],
  ])('has at %s the frames that the encoder sends', async (path, clip) => {
    for (const content of ['v', 'a'] as const)
      expectSection(
        await codedUnits(`${server.rtmpUrl}/${path}`, content, 3),
        await codedUnits(markedClip(clip), content, 120),
      );
  });

  // Encoding the clip takes more than a minute on a busy machine, once per machine.
  it('carries H.265', async () => {
    encoders.push(EncoderProcess.publish({ url: `${server.url}/live/hevc/mpegts` }, { codec: 'hevc' }));
    await server.streamWhere('live/hevc', 'frames', ({ alive }) => alive, 60_000);
    const reader = new URL('../helpers/read-rtmp.ts', import.meta.url).pathname;
    const file = join(server.folder, 'read.mkv');
    await run(process.execPath, [reader, `${server.rtmpUrl}/live/hevc`, '60', file], { timeout: 60_000 });
    const [read, sent] = [await unitsOf(file, 'v'), await unitsOf(markedClip({ codec: 'hevc' }), 'v')];
    expectSection(
      read.map(({ digest }) => digest),
      sent.map(({ digest }) => digest),
    );
  }, 300_000);

  it.each([
    ['static/off', 'rtmp is switched off for this stream'],
    ['static/none', 'There is no stream static/none'],
    ['static/paid', 'is not on an allowed domain'],
  ])('is refused at %s with the reason', async (path, reason) => {
    const failed = run('ffprobe', ['-v', 'error', `${server.rtmpUrl}/${path}`], { timeout: 30_000 });
    await expect(failed).rejects.toMatchObject({ stderr: expect.stringContaining(reason) as string });
  });

  it('counts its players as viewers, and an operator can end their sessions', async () => {
    // A stream of its own, without sessions of other tests.
    encoders.push(EncoderProcess.publish({ url: `${server.rtmpUrl}/live/watched` }));
    await server.streamWhere('live/watched', 'frames', ({ alive }) => alive, 60_000);
    const player = execFile('ffmpeg', [
      '-v',
      'error',
      '-nostdin',
      '-i',
      `${server.rtmpUrl}/live/watched`,
      '-c',
      'copy',
      '-f',
      'null',
      '-',
    ]);
    const ended = new Promise((resolve) => player.once('exit', resolve));
    const sessions = async (): Promise<{ id: string; proto: string; bytes: number }[]> => {
      const response = await fetch(`${server.url}/streamer/api/v3/sessions?name=live/watched`);
      const body = (await response.json()) as { sessions: { id: string; proto: string; bytes: number }[] };
      return body.sessions;
    };
    const [session] = await until(
      'the bytes of the session',
      async () => {
        const list = await sessions();
        return list.length === 1 && (list[0]?.bytes ?? 0) > 10_000 ? list : undefined;
      },
      30_000,
    );
    expect(session?.proto).toBe('rtmp');
    await server.call('sessions.close', { id: session?.id ?? '' });
    await ended;
    expect(await sessions()).toEqual([]);
  });
});
