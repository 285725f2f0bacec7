import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FakeClock } from '../../tests/helpers/fake-clock.ts';
import { freeUdpPort } from '../../tests/helpers/free-port.ts';
import { RecordingSink } from '../../tests/helpers/recording-sink.ts';
import { testMedia } from '../../tests/helpers/test-media.ts';
import { until } from '../../tests/helpers/until.ts';
import { OutgoingHosts } from '../lib/outgoing-hosts.ts';
import type { AccessUnit } from '../media/access-unit.ts';
import { readRtpPacket } from '../media/containers/mpegts/rtp-packet.ts';
import { MpegTsReader } from '../media/containers/mpegts/reader.ts';
import { StreamHub } from '../stream/stream-hub.ts';
import type { PushNotice, PushSpec } from './push-spec.ts';
import { StreamPushes } from './stream-pushes.ts';
import { DatagramPacer } from './mpegts/datagram-pacer.ts';
import { DATAGRAM_BYTES } from './mpegts/datagram-writer.ts';

const LIMIT_MS = 20_000;
/** Port at which an input of the stream receives. */
const OWN_PORT = 9;
const media = testMedia();
let clock: FakeClock;
let hub: StreamHub;
let pushes: StreamPushes;
let notices: PushNotice[];
let ticks: number;
const sockets: Socket[] = [];

beforeEach(() => {
  clock = new FakeClock();
  hub = new StreamHub(clock, () => undefined);
  notices = [];
  ticks = 0;
  pushes = new StreamPushes({
    streamName: 'studio',
    clock,
    hosts: new OutgoingHosts(),
    pacer: new DatagramPacer(clock),
    notice: (notice) => notices.push(notice),
    ownInputs: [{ port: OWN_PORT }, { port: OWN_PORT, address: '239.1.2.3' }],
  });
  hub.addReader(pushes);
  hub.tracks([media.video, media.audio]);
});

afterEach(() => {
  pushes.close();
  // Nothing runs without a target.
  expect(clock.timerCount).toBe(0);
  for (const socket of sockets.splice(0)) socket.close();
});

async function receiver(type: 'udp4' | 'udp6' = 'udp4', port = 0): Promise<{ port: number; datagrams: Buffer[] }> {
  const socket = createSocket(type);
  sockets.push(socket);
  const datagrams: Buffer[] = [];
  socket.on('message', (bytes) => datagrams.push(bytes));
  socket.bind(port, type === 'udp4' ? '127.0.0.1' : '::1');
  await once(socket, 'listening');
  socket.setRecvBufferSize(4 * 1024 * 1024);
  return { port: socket.address().port, datagrams };
}

function spec(url: string, rest: Partial<PushSpec> = {}): PushSpec {
  return { index: 0, url, retryMs: 5000, retryLimit: null, timeoutMs: 10_000, ...rest };
}

/** Sends media in real time of the fake clock. Sockets work between the units. */
async function send(seconds: number): Promise<AccessUnit[]> {
  const units = [...media.units(seconds, ticks)];
  const endTicks = ticks + seconds * 90_000;
  for (const unit of units) {
    pass((unit.dtsTicks - ticks) / 90);
    ticks = Math.max(ticks, unit.dtsTicks);
    hub.accessUnit(unit);
    await new Promise((resolve) => setImmediate(resolve));
  }
  pass((endTicks - ticks) / 90);
  ticks = endTicks;
  return units;
}

function pass(ms: number): void {
  for (let left = ms; left > 0; left -= 5) clock.advance(Math.min(5, left));
}

async function untilConnected(count = 1): Promise<void> {
  await send(1);
  await until(
    'sockets',
    () => notices.filter(({ event }) => event === 'push_connected').length >= count,
    LIMIT_MS,
    () => JSON.stringify([notices, pushes.status()]),
  );
}

function pictures(bytes: Buffer): number[] {
  const sink = new RecordingSink();
  const reader = new MpegTsReader(sink);
  reader.push(bytes);
  reader.flush();
  return sink.units('v1').map(({ data }) => data.length);
}

const sizes = (units: readonly AccessUnit[]): number[] =>
  units.filter(({ trackId }) => trackId === 'v1').map(({ data }) => data.length);

it.each(['udp4', 'udp6'] as const)('sends every picture in datagrams of seven packets over %s', async (type) => {
  const target = await receiver(type);
  pushes.set([spec(`udp://${type === 'udp4' ? '127.0.0.1' : '[::1]'}:${target.port}`)]);
  await untilConnected();
  const sent = await send(4);
  pass(1000);
  await until('all pictures', () => pictures(Buffer.concat(target.datagrams)).length === sizes(sent).length, LIMIT_MS);
  expect(pictures(Buffer.concat(target.datagrams))).toEqual(sizes(sent));
  expect(target.datagrams.every(({ length }) => length === DATAGRAM_BYTES)).toBe(true);
  expect(pushes.status()).toMatchObject([
    { phase: 'running', acknowledgedBytes: null, tracks: ['v1', 'a1'], droppedUnits: 0, tries: 1 },
  ]);
  expect(pushes.status()[0]?.bytes).toBeGreaterThanOrEqual(target.datagrams.length * DATAGRAM_BYTES);
});

it('with standby, waits while another server sends to the group, and sends when that is silent', async () => {
  const group = '239.255.77.9';
  const listener = createSocket({ type: 'udp4', reuseAddr: true });
  const primary = createSocket('udp4');
  sockets.push(listener, primary);
  let received = 0;
  listener.on('message', ({ length }) => {
    if (length === DATAGRAM_BYTES) received++;
  });
  listener.bind({ address: group });
  await once(listener, 'listening');
  listener.addMembership(group, '127.0.0.1');
  const { port } = listener.address();
  primary.bind(0, '127.0.0.1');
  await once(primary, 'listening');
  primary.setMulticastInterface('127.0.0.1');
  pushes.set([spec(`udp://${group}:${port}?interface=127.0.0.1`, { datagrams: { isStandby: true } })]);
  const phase = (): string => JSON.stringify(pushes.status().map((push) => [push.phase, push.fault?.code]));
  const untilPhase = (expected: string, step: () => Promise<unknown>): Promise<unknown> =>
    until(expected, async () => {
      await step();
      return phase() === expected;
    }, LIMIT_MS, phase); // prettier-ignore
  const sendAsPrimary = async (): Promise<void> => {
    await new Promise((resolve) => primary.send('primary', port, group, resolve));
    await send(0.2);
  };
  const waits = '[["pending","push_standby"]]';
  await untilConnected();
  for (let count = 0; count < 20; count++) await sendAsPrimary();
  expect([phase(), received, pushes.status()[0]?.bytes]).toEqual([waits, 0, 0]);
  expect(notices.some(({ event }) => event === 'push_started')).toBe(false);
  await untilPhase('[["running",null]]', () => send(0.2));
  await until('datagrams', async () => (await send(0.2)) && received > 0, LIMIT_MS);
  await untilPhase(waits, sendAsPrimary);
  await untilPhase('[["running",null]]', () => send(0.2));
});

it('sends RTP packets with consecutive numbers, one source, and the time of their first byte', async () => {
  const target = await receiver();
  pushes.set([spec(`rtp://127.0.0.1:${target.port}`)]);
  await untilConnected();
  const sent = await send(3);
  pass(1000);
  const payload = (): Buffer => Buffer.concat(target.datagrams.map((bytes) => readRtpPacket(bytes)?.payload ?? bytes));
  await until('all pictures', () => pictures(payload()).length === sizes(sent).length, LIMIT_MS);
  const packets = target.datagrams.flatMap((bytes) => readRtpPacket(bytes) ?? []);
  expect(packets).toHaveLength(target.datagrams.length);
  expect(new Set(packets.map(({ ssrc, payloadType }) => `${ssrc} ${payloadType}`)).size).toBe(1);
  expect(packets[0]?.payloadType).toBe(33);
  const [first] = packets;
  packets.forEach(({ sequence }, index) => {
    expect(sequence).toBe(((first?.sequence ?? 0) + index) & 0xffff);
  });
  const times = target.datagrams.map((bytes) => bytes.readUInt32BE(4));
  const seconds = (((times.at(-1) ?? 0) - (times[0] ?? 0)) >>> 0) / 90_000;
  expect(seconds).toBeGreaterThan(2.9);
  expect(seconds).toBeLessThan(4.2);
});

it('shares one transport stream among targets with the same settings', async () => {
  const [one, two] = [await receiver(), await receiver()];
  pushes.set([spec(`udp://127.0.0.1:${one.port}`), spec(`udp://127.0.0.1:${two.port}`, { index: 1 })]);
  await untilConnected(2);
  const sent = await send(2);
  pass(1000);
  await until('both', () => [one, two].every(({ datagrams }) => pictures(Buffer.concat(datagrams)).length === sizes(sent).length), LIMIT_MS); // prettier-ignore
  expect(Buffer.concat(one.datagrams).equals(Buffer.concat(two.datagrams))).toBe(true);
});

it('goes on while nothing listens, and reaches a receiver that comes later', async () => {
  const port = await freeUdpPort();
  pushes.set([spec(`udp://127.0.0.1:${port}`)]);
  await untilConnected();
  await send(2);
  expect(pushes.status()).toMatchObject([{ phase: 'running', tries: 1 }]);
  const late = await receiver('udp4', port);
  await send(2);
  // The receiver comes within a group of pictures, and needs the next key frame.
  await until('pictures', () => pictures(Buffer.concat(late.datagrams)).length > 20, LIMIT_MS);
  expect(pushes.status()).toMatchObject([{ phase: 'running', tries: 1 }]);
  expect(notices.map(({ event }) => event)).toEqual(['push_opened', 'push_connected', 'push_started']);
});

it('is tried again if this machine has no such interface, and has no effect on another push', async () => {
  const target = await receiver();
  pushes.set([spec('udp://239.1.2.3:5000?interface=nosuch0'), spec(`udp://127.0.0.1:${target.port}`, { index: 1 })]);
  await untilConnected();
  await send(2);
  const [failed, running] = pushes.status();
  expect(failed).toMatchObject({
    phase: 'retry',
    fault: { code: 'push_unreachable', explanation: { facts: { reason: { code: 'push_no_interface' } } } },
  });
  expect(running).toMatchObject({ phase: 'running', tries: 1 });
  await send(6);
  expect(pushes.status()[0]?.tries).toBe(2);
});

it.each([`udp://127.0.0.1:${OWN_PORT}`, `udp://localhost:${OWN_PORT}`, `rtp://239.1.2.3:${OWN_PORT}`])(
  'refuses to send the stream to its own input: %s',
  async (url) => {
    pushes.set([spec(url)]);
    await send(1);
    await until('the refusal', () => pushes.status()[0]?.phase === 'error', LIMIT_MS);
    expect(pushes.status()[0]?.fault).toMatchObject({ code: 'push_forbidden', explanation: { code: 'push_loop' } });
  },
);

it('reports the rate that the stream needs if the constant rate is too low', async () => {
  const target = await receiver();
  pushes.set([spec(`udp://127.0.0.1:${target.port}`, { datagrams: { bitrateKbit: 100 } })]);
  await untilConnected();
  await send(10);
  const [status] = pushes.status();
  expect(status).toMatchObject({
    phase: 'running',
    fault: { code: 'push_slow', explanation: { code: 'push_bitrate_low', facts: { bitrate: 100 } } },
  });
  expect(status?.droppedUnits).toBeGreaterThan(0);
  const needed = Number(status?.fault?.explanation?.facts['needed']);
  pushes.set([spec(`udp://127.0.0.1:${target.port}`, { datagrams: { bitrateKbit: needed } })]);
  await untilConnected(2);
  await send(10);
  expect(pushes.status()).toMatchObject([{ phase: 'running', droppedUnits: 0 }]);
  expect(pushes.status()[0]?.fault).toBeUndefined();
});
