import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TestGate } from '../../../tests/helpers/publisher-port.ts';
import type { SeenPublisher } from '../../../tests/helpers/publisher-port.ts';
import { RtmpEncoder } from '../../../tests/helpers/rtmp-encoder.ts';
import { testMedia } from '../../../tests/helpers/test-media.ts';
import { FakeClock } from '../../../tests/helpers/fake-clock.ts';
import { writeOldAudioTag } from '../../media/containers/flv/audio-tag.ts';
import { amfFields, amfObject, writeAmf0 } from '../../media/containers/rtmp/amf0.ts';
import { ChunkStreamWriter } from '../../media/containers/rtmp/chunk-stream-writer.ts';
import {
  readUserControl,
  USER_CONTROL,
  writeSetChunkSize,
  writeUserControl,
  writeWindowAcknowledgementSize,
} from '../../media/containers/rtmp/protocol-control.ts';
import type { RtmpLimits } from './limits.ts';
import { RtmpServer } from './rtmp-server.ts';

const media = testMedia();
let gate: TestGate;
let clock: FakeClock;
let server: RtmpServer;

async function serve(limits: Partial<RtmpLimits> = {}): Promise<void> {
  server = new RtmpServer({ port: 0, host: '127.0.0.1', gate, clock, limits });
  await server.start();
}

beforeEach(() => {
  gate = new TestGate();
  clock = new FakeClock();
});

afterEach(async () => {
  await server.close();
  expect(server.counters.connections).toBe(0);
});

/** Advances the clock in steps, as seen by a running server. */
function pass(ms: number): void {
  for (let left = ms; left > 0; left -= 1000) clock.advance(Math.min(left, 1000));
}

describe('an RTMP publisher', () => {
  it('is announced, accepted, read to its last frame and ended', async () => {
    await serve();
    const encoder = await RtmpEncoder.publish(server.port, 'static?password=x', 'cam1');
    await encoder.untilStatus('NetStream.Publish.Start');
    encoder.play(media, 2);
    encoder.command('deleteStream', 4, [null, 1]);
    const publisher = await gate.firstEnd();
    expect(publisher.request).toMatchObject({ protocol: 'rtmp', path: 'static/cam1', agent: 'test encoder' });
    expect(publisher.request.peer).toBe(`127.0.0.1:${encoder.socket.localPort}`);
    expect(publisher.request.query.get('password')).toBe('x');
    expect(publisher.trackSets.map((tracks) => tracks.map((track) => track.id))).toEqual([['v1', 'a1']]);
    expect(publisher.units).toHaveLength([...media.units(2)].length);
    expect(publisher.ends).toEqual([{ code: 'publish_closed', ...because('encoder_ended') }]);
    expect(publisher.problems).toEqual([]);
    await encoder.untilClosed();
    expect(publisher.receivedBytes).toBe(encoder.socket.bytesWritten);
  });

  it('may send everything at once without waiting for answers', async () => {
    await serve();
    let open = (): void => {};
    gate.barrier = new Promise((resolve) => {
      open = resolve;
    });
    const encoder = await RtmpEncoder.publish(server.port, 'live', 'early');
    encoder.play(media, 1);
    await gate.until(() => gate.requests.length === 1);
    open();
    await gate.until(() => gate.publishers[0]?.units.length === [...media.units(1)].length);
    expect(gate.publishers[0]?.problems).toEqual([]);
  });

  it('may split its bytes at any position', async () => {
    await serve();
    const encoder = await RtmpEncoder.connect(server.port);
    const writer = new ChunkStreamWriter();
    const session = Buffer.concat([
      Uint8Array.of(3),
      new Uint8Array(3072),
      writer.write(3, {
        type: 20,
        streamId: 0,
        timestampMs: 0,
        payload: writeAmf0(['connect', 1, amfObject({ app: 'live' })]),
      }),
      writer.write(3, { type: 20, streamId: 0, timestampMs: 0, payload: writeAmf0(['createStream', 2, null]) }),
      writer.write(3, { type: 20, streamId: 1, timestampMs: 0, payload: writeAmf0(['publish', 3, null, 'slow']) }),
    ]);
    for (let at = 0; at < session.length; at += 97) {
      const isSent = new Promise((resolve) => encoder.socket.write(session.subarray(at, at + 97), resolve));
      await isSent;
    }
    await encoder.untilStatus('NetStream.Publish.Start');
    expect(gate.publishers[0]?.request.path).toBe('live/slow');
  });

  it('receives the accepted FourCC codecs if it sends its own', async () => {
    await serve();
    const encoder = await RtmpEncoder.connect(server.port);
    encoder.greet();
    encoder.command('connect', 1, [amfObject({ app: 'live', fourCcList: ['hvc1'], objectEncoding: 3 })]);
    await encoder.untilStatus('NetConnection.Connect.Success');
    const [properties, info] = encoder.commands[0]?.args ?? [];
    expect(amfFields(properties)?.get('fourCcList')).toContain('hvc1');
    expect(amfFields(info)?.get('objectEncoding')).toBe(3);
  });

  it('may send its media on any message stream', async () => {
    await serve();
    const encoder = await RtmpEncoder.publish(server.port, 'live', 'cam1');
    await encoder.untilStatus('NetStream.Publish.Start');
    encoder.send(4, {
      type: 8,
      streamId: 0,
      timestampMs: 0,
      payload: writeOldAudioTag({ kind: 'config', codec: 'mp4a', data: media.audio.decoderConfig }),
    });
    encoder.send(4, {
      type: 8,
      streamId: 7,
      timestampMs: 1200,
      payload: writeOldAudioTag({ kind: 'frame', codec: 'mp4a', data: Uint8Array.of(33) }),
    });
    await gate.until(() => gate.publishers[0]?.trackSets.length === 1);
  });

  it('receives acknowledgements and ping responses', async () => {
    await serve();
    const encoder = await RtmpEncoder.publish(server.port, 'live', 'cam1');
    await encoder.untilStatus('NetStream.Publish.Start');
    encoder.send(2, writeWindowAcknowledgementSize(65_536));
    encoder.send(2, writeUserControl({ event: USER_CONTROL.pingRequest, value: 4711 }));
    encoder.send(2, writeSetChunkSize(60_000));
    encoder.media(8, 0, new Uint8Array(100_000));
    await encoder.until(() => encoder.messages.some((message) => message.type === 3));
    const controls = encoder.messages
      .filter((message) => message.type === 4)
      .map((message) => readUserControl(message.payload));
    expect(controls).toContainEqual({ event: USER_CONTROL.pingResponse, value: 4711 });
    const acknowledged = encoder.messages.find((message) => message.type === 3);
    expect(Buffer.from(acknowledged?.payload ?? []).readUInt32BE(0)).toBeGreaterThan(65_536);
  });

  it('can be disconnected by the server', async () => {
    await serve();
    const encoder = await RtmpEncoder.publish(server.port, 'live', 'cam1');
    await encoder.untilStatus('NetStream.Publish.Start');
    gate.publishers[0]?.close({ code: 'publish_kicked', detail: 'The stream was removed.' });
    await encoder.untilClosed();
    expect(gate.publishers[0]?.ends).toEqual([{ code: 'publish_kicked', detail: 'The stream was removed.' }]);
  });

  it('ends when the server closes', async () => {
    await serve();
    const encoder = await RtmpEncoder.publish(server.port, 'live', 'cam1');
    await encoder.untilStatus('NetStream.Publish.Start');
    await server.close();
    await encoder.untilClosed();
    expect(gate.publishers[0]?.ends.map((end) => end.code)).toEqual(['publish_kicked']);
    await serve();
  });
});

describe('an RTMP refusal', () => {
  it('is sent to the second publisher of a name with a reason, and does not affect the first', async () => {
    await serve();
    const first = await RtmpEncoder.publish(server.port, 'live', 'cam1');
    await first.untilStatus('NetStream.Publish.Start');
    const second = await RtmpEncoder.publish(server.port, 'live', 'cam1');
    await second.untilClosed();
    expect(second.statusCodes.at(-1)).toBe('NetStream.Publish.BadName');
    const status = amfFields(second.commands.at(-1)?.args[1]);
    expect(status?.get('level')).toBe('error');
    expect(status?.get('description')).toBe('live/cam1 is published already.');
    first.play(media, 1);
    await gate.until(() => gate.publishers[0]?.units.length === [...media.units(1)].length);
    expect(gate.publishers).toHaveLength(1);
  });

  it.each([
    ['no', 'cam1'],
    ['a wrong', 'cam1?password=guess'],
  ])('answers a publisher with %s password', async (_, key) => {
    gate.password = 'secret';
    await serve();
    const encoder = await RtmpEncoder.publish(server.port, 'live', key);
    await encoder.untilClosed();
    expect(encoder.statusCodes.at(-1)).toBe('NetStream.Publish.Denied');
    expect(gate.publishers).toEqual([]);
  });

  it('answers a play command', async () => {
    await serve();
    const encoder = await RtmpEncoder.connect(server.port);
    encoder.greet();
    encoder.command('connect', 1, [amfObject({ app: 'live' })]);
    encoder.command('createStream', 2, [null]);
    encoder.command('play', 3, [null, 'cam1'], 1);
    await encoder.untilClosed();
    expect(encoder.statusCodes.at(-1)).toBe('NetStream.Play.StreamNotFound');
  });

  it('is final: later commands are ignored', async () => {
    await serve();
    const encoder = await RtmpEncoder.connect(server.port);
    encoder.socket.cork();
    encoder.greet();
    encoder.command('connect', 1, [amfObject({ app: 'live' })]);
    encoder.command('play', 3, [null, 'cam1'], 1);
    encoder.command('publish', 4, [null, 'cam1'], 1);
    encoder.socket.uncork();
    await encoder.untilClosed();
    expect(encoder.statusCodes.at(-1)).toBe('NetStream.Play.StreamNotFound');
    expect(gate.requests).toEqual([]);
  });

  it.each([
    [
      'a first command that is not connect',
      (encoder: RtmpEncoder) => encoder.command('createStream', 1, [null]),
      'NetConnection.Call.Failed',
    ],
    [
      'connect without application',
      (encoder: RtmpEncoder) => encoder.command('connect', 1, [amfObject({})]),
      'NetConnection.Connect.Rejected',
    ],
  ])('answers %s', async (_, act, code) => {
    await serve();
    const encoder = await RtmpEncoder.connect(server.port);
    encoder.greet();
    act(encoder);
    await encoder.untilClosed();
    expect(encoder.statusCodes).toEqual([code]);
  });

  it('answers a publish command without a name', async () => {
    await serve();
    const encoder = await RtmpEncoder.publish(server.port, '', '');
    await encoder.untilClosed();
    expect(encoder.statusCodes.at(-1)).toBe('NetStream.Publish.BadName');
    expect(gate.requests).toEqual([]);
  });

  it('is sent if the gate fails or never answers', async () => {
    await serve();
    gate.barrier = Promise.reject(new Error('no'));
    gate.barrier.catch(() => {});
    const failed = await RtmpEncoder.publish(server.port, 'live', 'a');
    await failed.untilClosed();
    expect(failed.statusCodes.at(-1)).toBe('NetStream.Publish.Denied');
    gate.barrier = new Promise(() => {});
    const waiting = await RtmpEncoder.publish(server.port, 'live', 'b');
    await gate.until(() => gate.requests.length === 2);
    pass(12_000);
    await waiting.untilClosed();
    expect(waiting.statusCodes.at(-1)).toBe('NetStream.Publish.Denied');
  });
});

describe('invalid RTMP input', () => {
  it.each([
    ['HTTP', 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['TLS', '\x16\x03\x01\x02\x00'],
    ['noise', 'abcdefghijkl'],
  ])('closes the connection: %s', async (_, text) => {
    await serve();
    const encoder = await RtmpEncoder.connect(server.port);
    encoder.socket.write(text, 'latin1');
    await encoder.untilClosed();
    expect(server.counters.connections).toBe(0);
  });

  it('after the handshake closes the connection', async () => {
    await serve();
    const encoder = await RtmpEncoder.connect(server.port);
    encoder.greet();
    encoder.socket.write(Buffer.alloc(10_000, 0xc7));
    await encoder.untilClosed();
    expect(gate.requests).toEqual([]);
  });

  it('from a publisher ends only its stream, with a code', async () => {
    await serve();
    const good = await RtmpEncoder.publish(server.port, 'live', 'good');
    await good.untilStatus('NetStream.Publish.Start');
    const bad = await RtmpEncoder.publish(server.port, 'live', 'bad');
    await bad.untilStatus('NetStream.Publish.Start');
    bad.play(media, 0.2);
    bad.socket.write(Buffer.alloc(10_000, 0xc7));
    await gate.until(() => gate.publishers[1]?.ends.length === 1);
    expect(gate.publishers[1]?.ends[0]?.code).toBe('rtmp_bad_chunk');
    good.play(media, 0.5);
    await gate.until(() => gate.publishers[0]?.units.length === [...media.units(0.5)].length);
    expect(gate.publishers[0]?.ends).toEqual([]);
  });

  it('such as a message over the size limit ends the stream', async () => {
    await serve({ maxMessageBytes: 50_000 });
    const encoder = await RtmpEncoder.publish(server.port, 'live', 'cam1');
    await encoder.untilStatus('NetStream.Publish.Start');
    encoder.media(9, 0, new Uint8Array(60_000));
    expect((await gate.firstEnd()).ends[0]?.code).toBe('rtmp_message_too_large');
  });

  it('that throws in the sink of one publisher ends only that publisher', async () => {
    await serve();
    const good = await RtmpEncoder.publish(server.port, 'live', 'good');
    await good.untilStatus('NetStream.Publish.Start');
    const bad = await RtmpEncoder.publish(server.port, 'live', 'bad');
    await bad.untilStatus('NetStream.Publish.Start');
    const broken = gate.publishers[1] as SeenPublisher;
    broken.accessUnit = () => {
      throw new Error('broken');
    };
    bad.play(media, 1);
    await gate.until(() => broken.ends.length === 1);
    expect(broken.ends[0]?.code).toBe('internal');
    good.play(media, 0.5);
    await gate.until(() => gate.publishers[0]?.units.length === [...media.units(0.5)].length);
  });

  it('such as a disconnect inside a message ends the stream once', async () => {
    await serve();
    const encoder = await RtmpEncoder.publish(server.port, 'live', 'cam1');
    await encoder.untilStatus('NetStream.Publish.Start');
    encoder.play(media, 1);
    const [half] = new ChunkStreamWriter().chunks(9, {
      type: 9,
      streamId: 1,
      timestampMs: 0,
      payload: new Uint8Array(5000),
    });
    encoder.socket.write(half as Uint8Array);
    encoder.socket.end();
    const publisher = await gate.firstEnd();
    await encoder.untilClosed();
    expect(publisher.ends.map((end) => end.code)).toEqual(['publish_closed']);
    expect(publisher.units).toHaveLength([...media.units(1)].length);
  });

  it('is followed by an end if the encoder leaves while the gate decides', async () => {
    await serve();
    let open = (): void => {};
    gate.barrier = new Promise((resolve) => {
      open = resolve;
    });
    const encoder = await RtmpEncoder.publish(server.port, 'live', 'cam1');
    await gate.until(() => gate.requests.length === 1);
    encoder.socket.resetAndDestroy();
    pass(11_000);
    open();
    const publisher = await gate.firstEnd();
    expect(publisher.ends).toHaveLength(1);
  });

  it('such as too much media before the answer of the gate closes the connection', async () => {
    await serve({ maxPendingBytes: 1000 });
    gate.barrier = new Promise(() => {});
    const encoder = await RtmpEncoder.connect(server.port);
    const writer = new ChunkStreamWriter();
    const command = (...values: Parameters<typeof writeAmf0>[0]): Uint8Array =>
      writer.write(3, { type: 20, streamId: 1, timestampMs: 0, payload: writeAmf0(values) });
    encoder.socket.write(
      Buffer.concat([
        Uint8Array.of(3),
        new Uint8Array(3072),
        command('connect', 1, amfObject({ app: 'live' })),
        command('publish', 3, null, 'cam1'),
        writer.write(6, { type: 9, streamId: 1, timestampMs: 0, payload: new Uint8Array(3000) }),
      ]),
    );
    await encoder.untilClosed();
    expect(gate.publishers).toEqual([]);
  });
});
