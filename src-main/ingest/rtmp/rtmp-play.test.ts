import { afterEach, beforeEach, expect, it } from 'vitest';
import { FakeClock } from '../../../tests/helpers/fake-clock.ts';
import { RtmpEncoder } from '../../../tests/helpers/rtmp-encoder.ts';
import { testMedia } from '../../../tests/helpers/test-media.ts';
import { until } from '../../../tests/helpers/until.ts';
import { amfObject } from '../../media/containers/rtmp/amf0.ts';
import { readUserControl } from '../../media/containers/rtmp/protocol-control.ts';
import type { InputEnd } from '../input.ts';
import { PlayOutput } from './play-output.ts';
import type { PlayDecision, PlayerPort, PlayRequest } from './play-port.ts';
import { RtmpServer } from './rtmp-server.ts';

const media = testMedia();
const TRACKS = [media.video, media.audio];
const UNITS = [...media.units(8)].map((unit) => ({ ...unit, data: Uint8Array.from(unit.data) }));
const MB = 1024 * 1024;

/** Admits every player to one stream. */
class Stage implements PlayerPort {
  readonly requests: PlayRequest[] = [];
  readonly output = new PlayOutput();
  decision: Promise<PlayDecision> | undefined;
  close: (end: InputEnd) => void = () => {};
  bytes = 0;
  departures = 0;
  unsent: () => boolean = () => false;

  play(request: PlayRequest, player: { close(end: InputEnd): void }): Promise<PlayDecision> {
    this.requests.push(request);
    this.close = (end) => player.close(end);
    if (this.decision) return this.decision;
    let leave = (): void => {};
    return Promise.resolve({
      accepted: true,
      stream: {
        join: (receiver) => {
          this.unsent = () => receiver.isBehind;
          leave = this.output.join(receiver);
        },
        sent: (bytes) => {
          this.bytes += bytes;
        },
        left: () => {
          this.departures += 1;
          leave();
        },
      },
    });
  }

  /** Sends the unit with this number. */
  send(index: number, extraBytes = 0): void {
    const unit = UNITS[index % UNITS.length];
    const track = TRACKS.find(({ id }) => id === unit?.trackId);
    if (!unit || !track) return;
    const pass = Math.floor(index / UNITS.length) * 8;
    const [dtsTicks, ptsTicks] = [unit.dtsTicks, unit.ptsTicks].map(
      (ticks) => (ticks / 90_000 + pass) * track.timescale,
    );
    const data = Buffer.concat([unit.data, new Uint8Array(extraBytes)]);
    const { isRandomAccess } = unit;
    this.output.unit({
      track,
      dtsTicks: dtsTicks ?? 0,
      ptsTicks: ptsTicks ?? 0,
      lastsTicks: 0,
      isRandomAccess,
      data,
      arrivedMs: 0,
    });
    this.output.flush();
  }
}

let clock: FakeClock;
let stage: Stage;
let server: RtmpServer;

beforeEach(async () => {
  clock = new FakeClock();
  stage = new Stage();
  stage.output.tracks(TRACKS);
  const gate = { open: () => Promise.resolve({ accepted: false as const, code: 'publish_not_allowed', detail: '' }) };
  server = new RtmpServer({ port: 0, host: '127.0.0.1', gate, players: stage, clock });
  await server.start();
});

afterEach(async () => {
  await server.close();
});

/** Connects a player that asks for `cam1`. */
async function connect(streamId = 1, fields = {}): Promise<RtmpEncoder> {
  const player = await RtmpEncoder.connect(server.port);
  player.greet();
  const tcUrl = 'rtmp://127.0.0.1/static?token=a%20b';
  player.command('connect', 1, [
    amfObject({ app: 'static', tcUrl, flashVer: 'LNX 9', pageUrl: 'http://page/', ...fields }),
  ]);
  player.command('createStream', 2, [null]);
  player.command('getStreamLength', 3, [null, 'cam1']);
  player.command('play', 4, [null, 'cam1', -2000], streamId);
  return player;
}

it('a player gets the answers of a play command, metadata, configurations and frames', async () => {
  const player = await connect();
  await player.untilStatus('NetStream.Play.Start');
  expect(stage.requests).toMatchObject([{ path: 'static/cam1', agent: 'LNX 9', page: 'http://page/' }]);
  expect(stage.requests[0]?.query.get('token')).toBe('a b');
  for (let index = 0; index < 40; index++) stage.send(index);
  await player.until(() => player.messages.filter(({ type }) => type === 8 || type === 9).length === 42);
  expect(player.statusCodes).toEqual(['NetConnection.Connect.Success', 'NetStream.Play.Reset', 'NetStream.Play.Start']);
  expect(player.commands.find(({ transactionId }) => transactionId === 3)).toMatchObject({
    name: '_result',
    args: [null, 0],
  });
  const events = player.messages.flatMap(({ type, payload }) => (type === 4 ? readUserControl(payload) : []));
  expect(events).toEqual([{ event: 0, value: 1 }]);
  const media = player.messages.filter(({ type }) => type === 8 || type === 9 || type === 18);
  expect(media.slice(0, 4).map(({ type }) => type)).toEqual([18, 18, 9, 8]);
  expect(media.every(({ streamId }) => streamId === 1)).toBe(true);
  expect(stage.bytes).toBeGreaterThan(UNITS.slice(0, 40).reduce((sum, { data }) => sum + data.length, 0));
});

it('a player may use another message stream', async () => {
  const player = await connect(2);
  await player.untilStatus('NetStream.Play.Start');
  stage.send(0);
  await player.until(() => player.messages.some(({ type }) => type === 9));
  expect(player.messages.filter(({ type }) => type === 9).every(({ streamId }) => streamId === 2)).toBe(true);
});

it.each([
  ['stream_not_found', 'NetStream.Play.StreamNotFound'],
  ['stream_not_running', 'NetStream.Play.StreamNotFound'],
  ['playback_denied', 'NetStream.Play.Failed'],
])('a refusal with %s is sent as %s with its reason', async (code, status) => {
  stage.decision = Promise.resolve({ accepted: false, code, detail: 'The reason' });
  const player = await connect();
  await player.untilClosed();
  expect(player.statusCodes.at(-1)).toBe(status);
  expect(
    JSON.stringify(
      [...(player.commands.at(-1)?.args ?? [])].map((arg) =>
        typeof arg === 'object' && arg && 'fields' in arg ? [...arg.fields] : arg,
      ),
    ),
  ).toContain('The reason');
  expect(stage.departures).toBe(0);
});

it('a paused player gets nothing until it continues at a key frame', async () => {
  const player = await connect();
  await player.untilStatus('NetStream.Play.Start');
  stage.send(0);
  player.command('pause', 0, [null, true, 0], 1);
  await player.untilStatus('NetStream.Pause.Notify');
  for (let index = 1; index < 100; index++) stage.send(index);
  player.command('seek', 0, [null, 5000], 1);
  await player.untilStatus('NetStream.Seek.Failed');
  const before = player.messages.filter(({ type }) => type === 9).length;
  expect(before).toBe(2);
  player.command('pause', 0, [null, false, 0], 1);
  await player.untilStatus('NetStream.Unpause.Notify');
  for (let index = 100; index < 180; index++) stage.send(index);
  await player.until(() => player.messages.filter(({ type }) => type === 9).length > before);
  expect(player.messages.filter(({ type }) => type === 9)[before]?.payload[0]).toBe(0x17);
});

it('a player is informed when its stream loses its input, continues, and ends', async () => {
  const player = await connect();
  await player.untilStatus('NetStream.Play.Start');
  stage.send(0);
  stage.output.idle();
  stage.output.idle();
  stage.send(1);
  stage.close({ code: 'publish_closed', detail: 'The stream has ended' });
  await player.untilClosed();
  const events = player.messages.flatMap(({ type, payload }) =>
    type === 4 ? (readUserControl(payload)?.event ?? -1) : [],
  );
  expect(events).toEqual([0, 1, 0, 1]);
  expect(player.statusCodes.slice(-2)).toEqual(['NetStream.Play.UnpublishNotify', 'NetStream.Play.Stop']);
  expect(stage.departures).toBe(1);
  expect(stage.output.players).toBe(0);
});

it('a player that reads nothing uses bounded memory, delays no other player, and is disconnected', async () => {
  const [slow, fast] = [await connect(), await connect()];
  for (const player of [slow, fast]) await player.untilStatus('NetStream.Play.Start');
  slow.socket.pause();
  const received = (): number => fast.messages.filter(({ type }) => type === 8 || type === 9).length;
  // Each unit waits until the fast player has it.
  let sent = 0;
  const sendMore = async (): Promise<void> => {
    stage.send(sent++, 100_000);
    await fast.until(() => received() === sent + 2);
  };
  // Until the system takes nothing more for the slow player, and the server has its maximum.
  while (stage.output.skips === 0 && sent < 500) await sendMore();
  expect(stage.output.skips).toBe(1);
  const { bytes } = stage;
  const before = sent;
  while (sent < before + 150) await sendMore();
  // Only the fast player gets media.
  expect(stage.bytes - bytes).toBeLessThan(150 * 110_000);
  expect(slow.socket.bytesRead).toBeLessThan(MB);
  clock.advance(30_000);
  await until('the disconnection of the slow player', () => stage.departures === 1, 20_000);
  fast.socket.destroy();
  await until('the departure of the other player', () => stage.departures === 2, 20_000);
});
