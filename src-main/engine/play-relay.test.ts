import { afterEach, expect, it } from 'vitest';
import { OddClockEncoder } from '../../tests/helpers/odd-clock-encoder.ts';
import { RtmpEncoder } from '../../tests/helpers/rtmp-encoder.ts';
import { testMedia } from '../../tests/helpers/test-media.ts';
import { until } from '../../tests/helpers/until.ts';
import { systemClock } from '../lib/clock.ts';
import { silentLog } from '../lib/log.ts';
import { amfObject } from '../media/containers/rtmp/amf0.ts';
import { LiveWindow } from '../segment/live-window.ts';
import { RunWindow } from '../segment/run-window.ts';
import { SEGMENTER_DEFAULTS } from '../segment/segmenter-options.ts';
import { Engine } from './engine.ts';
import type { StreamSpec } from './messages.ts';

const LIMIT_MS = 30_000;
let engine: Engine | undefined;
afterEach(() => engine?.close());

const SPEC: StreamSpec = {
  id: 1,
  name: 'live/cam',
  segmenter: { ...SEGMENTER_DEFAULTS, segmentMs: 1000, partMs: 200 },
  inputs: [{ url: 'publish://', options: {}, priority: 1, framesTimeoutMs: 3000, sourceTimeoutMs: 20_000 }],
  retryLimit: null,
  prepush: true,
  endMs: 0,
  resume: { nextMsn: 1, nextInitId: 1, isContinuation: false },
};

it('players on all media threads get the same frames, are counted, and can be disconnected', async () => {
  const viewers: { bytes: number; isHere: boolean; close: () => void }[] = [];
  engine = new Engine(
    {
      threads: 2,
      threadEntry: new URL('../media-thread.ts', import.meta.url),
      fileRoot: '/',
      clock: systemClock,
      log: silentLog,
    },
    {
      window: () => new RunWindow(new LiveWindow(SPEC.segmenter), SPEC),
      status: () => {},
      decidePlay: ({ path }, player) => {
        if (path !== 'live/cam') return Promise.resolve({ code: 'stream_not_found', detail: 'no such stream' });
        const close = (): void => {
          player.close({ code: 'publish_closed', detail: 'closed by the test' });
        };
        const viewer = { bytes: 0, isHere: true, close };
        viewers.push(viewer);
        return Promise.resolve({
          name: 'live/cam',
          sent: (bytes) => {
            viewer.bytes += bytes;
          },
          left: () => {
            viewer.isHere = false;
          },
        });
      },
      decidePublish: (_request, openRun) => {
        openRun(SPEC);
        return Promise.resolve({ accepted: true, stream: SPEC });
      },
      publishEnded: () => {},
      notice: () => {},
      pushNotice: () => {},
      inputAtFault: () => {},
      streamLost: () => {},
      testPicture: () => Promise.reject(new Error('not here')),
      readExternal: () => ({ ended: Promise.resolve('not here'), close() {} }),
    },
  );
  await engine.start();
  const media = testMedia();
  const { port } = await engine.listenRtmp({ host: '127.0.0.1', port: 0 });
  const encoder = await OddClockEncoder.publish(port, 'live', 'cam', media, (ms) => ms);
  const connect = async (name: string): Promise<RtmpEncoder> => {
    const player = await RtmpEncoder.connect(port);
    player.greet();
    player.command('connect', 1, [amfObject({ app: 'live', tcUrl: 'rtmp://127.0.0.1/live' })]);
    player.command('createStream', 2, [null]);
    player.command('play', 3, [null, name], 1);
    return player;
  };
  const refused = await connect('other');
  await refused.untilClosed();
  expect(refused.statusCodes.at(-1)).toBe('NetStream.Play.StreamNotFound');
  const players: RtmpEncoder[] = [];
  // The kernel chooses the thread of a connection.
  while (engine.playRelays === 0 && players.length < 40) {
    const player = await connect('cam');
    players.push(player);
    await player.until(() => player.messages.filter(({ type }) => type === 9).length > 30);
  }
  expect(engine.playRelays).toBe(1);
  const sent = [...media.units(32)].flatMap(({ trackId, data }) =>
    trackId === 'v1' ? [Buffer.from(data).toString('base64')] : [],
  );
  for (const player of players) {
    // The first message is the decoder configuration.
    const got = player.messages
      .filter(({ type }) => type === 9)
      .slice(1)
      .map(({ payload }) => Buffer.from(payload.subarray(5)).toString('base64'));
    const start = sent.indexOf(got[0] ?? '');
    expect(start).toBeGreaterThanOrEqual(0);
    expect(got).toEqual(sent.slice(start, start + got.length));
  }
  const last = players.at(-1);
  await until('the bytes of all players', () => viewers.every(({ bytes }) => bytes > 1000), LIMIT_MS);
  viewers.at(-1)?.close();
  await last?.untilClosed();
  expect(last?.statusCodes).toContain('NetStream.Play.UnpublishNotify');
  for (const player of players) player.socket.destroy();
  await until('the departure of all players', () => viewers.every(({ isHere }) => !isHere), LIMIT_MS);
  encoder.close();
});
