import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeClock } from '../../tests/helpers/fake-clock.ts';
import { HostileTarget, statusMessage, type HostileBehaviour } from '../../tests/helpers/hostile-target.ts';
import { LoginRefusals } from '../../tests/helpers/login-refusals.ts';
import { TestGate } from '../../tests/helpers/publisher-port.ts';
import { testMedia } from '../../tests/helpers/test-media.ts';
import { until } from '../../tests/helpers/until.ts';
import { RtmpServer } from '../ingest/rtmp/rtmp-server.ts';
import { OutgoingHosts } from '../lib/outgoing-hosts.ts';
import type { AccessUnit } from '../media/access-unit.ts';
import { amfObject, type AmfValue } from '../media/containers/rtmp/amf0.ts';
import { writeCommand } from '../media/containers/rtmp/command.ts';
import { writeAcknowledgement } from '../media/containers/rtmp/protocol-control.ts';
import { ChunkStreamWriter } from '../media/containers/rtmp/chunk-stream-writer.ts';
import type { Track } from '../media/track.ts';
import { StreamHub } from '../stream/stream-hub.ts';
import { DatagramPacer } from './mpegts/datagram-pacer.ts';
import type { PushEventNotice, PushSpec, PushStatus } from './push-spec.ts';
import { StreamPushes } from './stream-pushes.ts';
import type { PushTransmission } from './transmissions.ts';

const KEY = 'key-9f8e7d6c5b';
const LIMIT_MS = 20_000;
const media = testMedia();
/** Media with one key frame in ten seconds. */
const distant = testMedia({ gopFrames: 250 });
let clock: FakeClock;
let hub: StreamHub;
let pushes: StreamPushes;
let notices: PushEventNotice[];
let transmissions: PushTransmission[];
/** Media time of the next unit, in 90 kHz ticks. */
let ticks: number;
const open: { close(): Promise<void> }[] = [];

beforeEach(() => {
  clock = new FakeClock();
  hub = new StreamHub(clock, () => undefined);
  notices = [];
  transmissions = [];
  ticks = 0;
  pushes = new StreamPushes({
    streamName: 'studio',
    clock,
    hosts: new OutgoingHosts(),
    pacer: new DatagramPacer(clock),
    notice: (notice) => {
      if (notice.event === undefined) transmissions.push(notice.transmission);
      else notices.push(notice);
    },
  });
  hub.addReader(pushes);
  hub.tracks([media.video, media.audio]);
});

afterEach(async () => {
  pushes.close();
  for (const item of open.splice(0)) await item.close();
  // The key is in no state and no report.
  expect(JSON.stringify([notices, transmissions])).not.toContain(KEY);
});

async function accepting(port = 0): Promise<{ gate: TestGate; server: RtmpServer; close(): Promise<void> }> {
  const gate = new TestGate();
  const server = new RtmpServer({ port, host: '127.0.0.1', gate, clock });
  await server.start();
  const target = { gate, server, close: () => server.close() };
  open.push(target);
  return target;
}

async function hostile(behaviour: HostileBehaviour): Promise<HostileTarget> {
  const target = await HostileTarget.start();
  target.behaviour = behaviour;
  open.push(target);
  return target;
}

function spec(port: number, rest: Partial<PushSpec> = {}): PushSpec {
  const url = `rtmp://127.0.0.1:${port}/live/${KEY}`;
  return { index: 0, url, retryMs: 5000, retryLimit: null, timeoutMs: 10_000, ...rest };
}

/** Media of some seconds, sent at once. */
function send(seconds: number, source = media): AccessUnit[] {
  return feed([...source.units(seconds, ticks)]);
}

/** Sends units at their times. */
function feed(units: AccessUnit[]): AccessUnit[] {
  for (const unit of units) {
    clock.stall(Math.max(0, (unit.dtsTicks - ticks) / 90));
    ticks = Math.max(ticks, unit.dtsTicks);
    hub.accessUnit(unit);
  }
  ticks += 3600;
  return units;
}

function status(): PushStatus {
  const [first] = pushes.status();
  if (!first) throw new Error('there is no push');
  expect(JSON.stringify(first)).not.toContain(KEY);
  return first;
}

/** Lets sockets work. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Lets time pass in the steps of a running server. Each step sends audio that waits for a picture. */
function pass(ms: number): void {
  for (let left = ms; left > 0; left -= 250) clock.advance(Math.min(left, 250));
}

/** Lets time pass, and sockets work in between. */
async function passInTurns(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 250) {
    pass(250);
    for (let turns = 0; turns < 10; turns++) await turn();
  }
}

function untilPhase(phase: PushStatus['phase'], code?: string): Promise<unknown> {
  return until(
    `${phase} ${code ?? ''}`,
    () => status().phase === phase && (code === undefined || status().fault?.code === code),
    LIMIT_MS,
    () => JSON.stringify([status(), notices]),
  );
}

/** Sends a second of media, and waits until the target has accepted the stream. */
async function untilAccepted(count = 1): Promise<AccessUnit[]> {
  const sent = send(1);
  await untilConnected(count);
  return sent;
}

function untilConnected(count: number): Promise<unknown> {
  return until(
    'the target to accept',
    () => notices.filter(({ event }) => event === 'push_connected').length >= count,
    LIMIT_MS,
    () => JSON.stringify([status(), notices]),
  );
}

describe('a push', () => {
  it('sends all frames from a key frame on, with their times', async () => {
    const { gate, server } = await accepting();
    pushes.set([spec(server.port)]);
    expect(status()).toMatchObject({ phase: 'pending', url: `rtmp://127.0.0.1:${server.port}/live/***` });
    const sent = [...(await untilAccepted()), ...send(3)];
    pass(250);
    await gate.until(() => gate.publishers[0]?.units.length === sent.length);
    const [publisher] = gate.publishers;
    expect(publisher?.request.path).toBe(`live/${KEY}`);
    expect(publisher?.problems).toEqual([]);
    expect(publisher?.trackSets).toHaveLength(1);
    const shape = (
      units: readonly { trackId: string; isRandomAccess: boolean }[],
      bytes: (unit: never) => number,
    ): unknown => units.map((unit) => [unit.trackId, unit.isRandomAccess, bytes(unit as never)]);
    expect(shape(publisher?.units ?? [], ({ bytes }: { bytes: number }) => bytes)).toEqual(
      shape(sent, ({ data }: AccessUnit) => data.length),
    );
    // The times differ by a constant, up to the millisecond of RTMP.
    const distances = (publisher?.units ?? []).map(({ dtsTicks }, index) => dtsTicks - (sent[index]?.dtsTicks ?? 0));
    expect(Math.max(...distances) - Math.min(...distances)).toBeLessThanOrEqual(180);
    expect(status()).toMatchObject({ phase: 'running', tries: 1, tracks: ['v1', 'a1'], droppedUnits: 0 });
    expect(notices.map(({ event }) => event)).toEqual(['push_opened', 'push_connected', 'push_started']);
    expect(status().bytes).toBeGreaterThan(sent.reduce((sum, { data }) => sum + data.length, 0));
  });

  it('counts the bytes that the target acknowledges', async () => {
    const target = await hostile({
      afterAccept: new ChunkStreamWriter().write(2, writeAcknowledgement(4000)),
    });
    pushes.set([spec(target.port)]);
    await untilAccepted();
    send(1);
    await until('the acknowledgement', () => status().acknowledgedBytes === 4000, LIMIT_MS);
  });

  it('continues on its connection when the encoder comes back', async () => {
    const { gate, server } = await accepting();
    pushes.set([spec(server.port)]);
    const first = [...(await untilAccepted()), ...send(1)];
    pass(250);
    await gate.until(() => gate.publishers[0]?.units.length === first.length);
    hub.inputEnded();
    clock.advance(5000);
    // The clock of the new connection starts at 0.
    ticks = 0;
    hub.tracks([media.video, media.audio]);
    const before = gate.publishers[0]?.units.length ?? 0;
    const sent = send(2);
    pass(250);
    await gate.until(() => (gate.publishers[0]?.units.length ?? 0) >= before + sent.length);
    const times = (gate.publishers[0]?.units ?? []).filter(({ trackId }) => trackId === 'v1');
    for (const [index, { dtsTicks }] of times.entries())
      if (index > 0) expect(dtsTicks).toBeGreaterThan(times[index - 1]?.dtsTicks ?? 0);
    expect(gate.publishers).toHaveLength(1);
    expect(status()).toMatchObject({ phase: 'running', tries: 1 });
  });

  it('closes the connection of a stream without frames, and connects again', async () => {
    const { gate, server } = await accepting();
    pushes.set([spec(server.port)]);
    await untilAccepted();
    send(1);
    pass(61_000);
    expect(status().phase).toBe('pending');
    await gate.firstEnd();
    await untilAccepted(2);
    send(1);
    await untilPhase('running');
  });

  it('is back after each of ten ends of its target, within its wait, also between distant key frames', async () => {
    hub.tracks([distant.video, distant.audio]);
    let target = await accepting();
    const { port } = target.server;
    pushes.set([spec(port)]);
    send(3, distant);
    await untilConnected(1);
    for (let round = 1; round <= 10; round++) {
      // It starts with a key frame, and no other one comes before the target is back.
      send(2.5, distant);
      await untilPhase('running');
      await target.close();
      await untilPhase('retry', 'push_lost');
      target = await accepting(port);
      const backMs = clock.now();
      pass(5000);
      await untilConnected(round + 1);
      await untilPhase('running');
      expect(clock.now() - backMs).toBeLessThanOrEqual(5250);
      const { gate } = target;
      await gate.until(() => (gate.publishers[0]?.units.length ?? 0) > 0);
      expect(gate.publishers[0]?.units.find(({ trackId }) => trackId === 'v1')?.isRandomAccess).toBe(true);
    }
    expect(notices.filter(({ event }) => event === 'push_blocked')).toHaveLength(10);
    expect(notices.filter(({ event }) => event === 'push_restored')).toHaveLength(10);
  });

  it('starts with the stored group of pictures, and catches up at four times the pace of the stream', async () => {
    hub.tracks([distant.video, distant.audio]);
    const [one, two] = [await accepting(), await accepting()];
    const media10s = [...distant.units(9.5)];
    const between = (from: number, to: number): AccessUnit[] =>
      media10s.filter(({ dtsTicks }) => dtsTicks >= from * 90_000 && dtsTicks < to * 90_000);
    pushes.set([spec(one.server.port)]);
    const sent = feed(between(-1, 8));
    pushes.set([spec(one.server.port), spec(two.server.port, { index: 1 })]);
    sent.push(...feed(between(8, 8.1)));
    await untilConnected(2);
    const seen = (): readonly { trackId: string; dtsTicks: number; bytes: number }[] =>
      two.gate.publishers[0]?.units ?? [];
    const upTo = (seconds: number): number =>
      sent.filter(({ dtsTicks }) => dtsTicks - (sent[0]?.dtsTicks ?? 0) <= seconds * 90_000).length;
    const second = (): PushStatus | undefined => pushes.status()[1];
    const untilSeen = (count: number): Promise<unknown> =>
      until('units', () => seen().length >= count, LIMIT_MS, () => `${seen().length} of ${count}, ${JSON.stringify(second())}`); // prettier-ignore
    await untilSeen(upTo(0.9));
    expect(seen().length).toBeLessThanOrEqual(upTo(1.5));
    expect(second()).toMatchObject({ phase: 'running', droppedUnits: 0 });
    expect(second()?.lagMs).toBeGreaterThan(6000);
    await passInTurns(1000);
    await untilSeen(upTo(4.9));
    expect(seen().length).toBeLessThanOrEqual(upTo(5.5));
    await passInTurns(1250);
    await untilSeen(sent.length);
    expect(second()?.lagMs).toBe(0);
    // The frames that follow come at once, and all times differ by a constant, up to the millisecond of RTMP.
    sent.push(...feed(between(8.1, 9.5)));
    pass(250);
    await untilSeen(sent.length);
    expect(seen().map(({ bytes }) => bytes)).toEqual(sent.map(({ data }) => data.length));
    const distances = seen().map(({ dtsTicks }, index) => dtsTicks - (sent[index]?.dtsTicks ?? 0));
    expect(Math.max(...distances) - Math.min(...distances)).toBeLessThanOrEqual(180);
    expect(two.gate.publishers[0]?.problems).toEqual([]);
  });

  it('is tried again while nothing listens, and gives up after its limit', async () => {
    const target = await accepting();
    const { port } = target.server;
    await target.close();
    pushes.set([spec(port, { retryLimit: 1 })]);
    send(1);
    await untilPhase('retry', 'push_unreachable');
    pass(5000);
    await untilPhase('error', 'push_unreachable');
    expect(status().tries).toBe(2);
    // A change of its settings starts it again.
    const late = await accepting(port);
    pushes.set([]);
    pushes.set([spec(port, { retryLimit: 1 })]);
    await untilAccepted();
    send(1);
    await untilPhase('running');
    expect(late.gate.publishers).toHaveLength(1);
  });

  it('starts and ends at its planned times, and reports what it sent', async () => {
    const { gate, server } = await accepting();
    const [startAtMs, stopAtMs] = [clock.now() + 60_000, clock.now() + 80_000];
    pushes.set([spec(server.port, { startAtMs, stopAtMs })]);
    for (let second = 0; second < 50; second++) send(1);
    pass(250);
    expect(status()).toMatchObject({ phase: 'planned', tries: 0, bytes: 0 });
    expect([gate.publishers.length, notices.map(({ event }) => event)]).toEqual([0, ['push_opened']]);
    pass(startAtMs - clock.now());
    let sent = (await untilAccepted()).length;
    for (let round = 0; round < 14; round++) {
      sent += send(1).length;
      pass(250);
      await gate.until(() => gate.publishers[0]?.units.length === sent);
    }
    pass(stopAtMs - clock.now() - 250);
    expect(status().phase).toBe('running');
    // The times are checked every 250 ms.
    pass(500);
    const { bytes } = status();
    expect(status().phase).toBe('ended');
    expect((await gate.firstEnd()).ends[0]?.code).toBe('publish_closed');
    expect(notices.at(-1)).toMatchObject({ event: 'push_closed', code: 'push_plan_ended', bytes });
    expect(transmissions).toMatchObject([
      { endedMs: null, hasSent: true, tries: 1 },
      { hasSent: true, tries: 1, bytes, end: { code: 'push_plan_ended' } },
    ]);
    expect(transmissions[1]?.endedMs).toBeGreaterThanOrEqual(stopAtMs);
    expect(transmissions[1]?.endedMs).toBeLessThanOrEqual(stopAtMs + 250);
    expect(transmissions[1]?.startedMs).toBeGreaterThanOrEqual(startAtMs);
    // A removed plan starts it again, without another push.
    pushes.set([spec(server.port)]);
    await untilAccepted(2);
    send(1);
    await untilPhase('running');
    expect(notices.slice(-4).map(({ event }) => event)).toEqual(['push_reconfigured', 'push_opened', 'push_connected', 'push_started']); // prettier-ignore
  });

  it('reports attempts that all failed once, when it ends', async () => {
    const target = await accepting();
    await target.close();
    pushes.set([spec(target.server.port)]);
    send(1);
    await untilPhase('retry', 'push_unreachable');
    pass(5000);
    await untilPhase('retry', 'push_unreachable');
    await until('two attempts', () => status().tries === 2, LIMIT_MS);
    await untilPhase('retry');
    expect(transmissions).toEqual([]);
    pushes.set([]);
    expect(transmissions).toMatchObject([{ hasSent: false, tries: 2, bytes: 0, end: { code: 'push_unreachable' } }]);
  });

  it('is reconfigured and removed without an effect on another push', async () => {
    const [one, two] = [await accepting(), await accepting()];
    pushes.set([spec(one.server.port), spec(two.server.port, { index: 1 })]);
    await untilAccepted(2);
    send(1);
    await until('both to run', () => pushes.status().every(({ phase }) => phase === 'running'), LIMIT_MS);
    pushes.set([spec(two.server.port, { retryMs: 1000 })]);
    const end = await one.gate.firstEnd();
    expect(end.ends[0]?.code).toBe('publish_closed');
    const sent = send(1);
    const seen = two.gate.publishers[0]?.units ?? [];
    pass(250);
    await two.gate.until(() => seen.length >= sent.length * 2);
    expect(two.gate.publishers).toHaveLength(1);
    expect(notices.map(({ event }) => event).slice(-2)).toEqual(['push_reconfigured', 'push_closed']);
    expect(pushes.status()).toMatchObject([{ index: 0, phase: 'running' }]);
  });

  it('sends only the tracks of its setting', async () => {
    const { gate, server } = await accepting();
    pushes.set([spec(server.port, { tracks: ['a1'] })]);
    await untilAccepted();
    const sent = send(1).filter(({ trackId }) => trackId === 'a1');
    pass(250);
    await gate.until(() => (gate.publishers[0]?.units.length ?? 0) >= sent.length);
    expect(gate.publishers[0]?.trackSets.at(-1)?.map(({ content }) => content)).toEqual(['audio']);
  });

  it('ends with an error if no track can be sent', async () => {
    const { server } = await accepting();
    pushes.set([spec(server.port, { tracks: ['v9'] })]);
    await untilAccepted();
    await untilPhase('error', 'push_no_tracks');
  });
});

describe('the tracks that a target gets', () => {
  const MULTITRACK = 2;
  const opus: Track = {
    ...media.audio,
    id: 'a2',
    codec: 'opus',
    codecString: 'opus',
    decoderConfig: Uint8Array.of(0, 2, 0, 0, 0, 0, 0xbb, 0x80, 0, 0, 0),
  };
  const hevc: Track = { ...media.video, codec: 'h265', codecString: 'hvc1.1.6.L63.90' };

  /** Answer to `connect` that states properties. */
  function answering(properties: Readonly<Record<string, AmfValue>>): HostileBehaviour {
    const args = [amfObject(properties), amfObject({ level: 'status', code: 'NetConnection.Connect.Success' })];
    return { answers: { connect: [writeCommand({ name: '_result', transactionId: 1, args })] } };
  }

  /** Sends two seconds of media, whose second audio track has the frames of the first. */
  function sendAll(tracks: readonly Track[]): void {
    const units = [...media.units(2, ticks)].flatMap((unit) =>
      unit.trackId === 'a1' && tracks.some(({ id }) => id === 'a2') ? [unit, { ...unit, trackId: 'a2' }] : [unit],
    );
    feed(units);
    pass(250);
  }

  it.each([
    ['nothing', {}, [media.video, media.audio, opus], ['v1', 'a1'], ['audio 10', 'video 7']],
    ['nothing, and the first sound is Opus', {}, [media.video, { ...opus, id: 'a1' }, { ...media.audio, id: 'a2' }], ['v1', 'a2'], ['audio 10', 'video 7']], // prettier-ignore
    ['nothing, and the picture is H.265', {}, [hevc, media.audio], ['v1', 'a1'], ['audio 10', 'video hvc1']],
    ['one codec', { fourCcList: ['ac-3'] }, [media.video, media.audio, opus], ['v1', 'a1'], ['audio 10', 'video 7']],
    ['all codecs', { fourCcList: ['*'] }, [media.video, media.audio, opus], ['v1', 'a1'], ['audio 10', 'video 7']],
    ['several tracks', { fourCcList: ['*'], capsEx: MULTITRACK }, [media.video, media.audio, opus], ['v1', 'a1', 'a2'], ['audio 10', 'audio multitrack', 'video 7']], // prettier-ignore
  ] as const)('follow from its answer: %s', async (_, properties, tracks, ids, kinds) => {
    const target = await hostile(answering(properties));
    hub.tracks(tracks);
    pushes.set([spec(target.port)]);
    sendAll(tracks);
    await untilConnected(1);
    sendAll(tracks);
    await until('all kinds', () => target.mediaMessages > 100 && target.mediaKinds.size >= kinds.length, LIMIT_MS);
    expect([...target.mediaKinds].toSorted()).toEqual(kinds);
    expect(status().tracks).toEqual(ids);
  });

  it('are none if it states no codec of the stream: the push fails with a code, and without more attempts', async () => {
    const target = await hostile({});
    hub.tracks([{ ...opus, id: 'a1' }]);
    pushes.set([spec(target.port)]);
    await untilAccepted();
    await untilPhase('error', 'push_no_tracks');
    pass(60_000);
    expect(target.sockets).toHaveLength(1);
    expect(target.mediaMessages).toBe(0);
    expect(notices).toContainEqual(expect.objectContaining({ event: 'push_blocked', code: 'push_no_tracks' }));
  });
});

describe('a target that wants a login', () => {
  const account = { user: 'ann', password: 'p@ss-word-1', app: 'live/_definst_' };
  const urlOf = (port: number, password: string): string =>
    `rtmp://ann:${encodeURIComponent(password)}@127.0.0.1:${port}/live/${KEY}`;

  it.each([
    ['adobe', true],
    ['adobe', false],
    ['llnw', true],
  ] as const)('of the kind %s (opaque: %s) gets the stream in one attempt', async (method, hasOpaque) => {
    const refusals = new LoginRefusals(method, account, hasOpaque);
    const target = await hostile({ refusal: (query) => refusals.next(query) });
    pushes.set([spec(target.port, { url: urlOf(target.port, account.password) })]);
    await untilAccepted();
    send(2);
    await until('media', () => target.mediaMessages > 0, LIMIT_MS);
    expect(refusals.queries).toHaveLength(3);
    expect(refusals.queries.join(' ')).not.toContain('p@ss');
    expect(status()).toMatchObject({ phase: 'running', tries: 1, url: `rtmp://127.0.0.1:${target.port}/live/***` });
  });

  it('fails with push_login after a wrong password, and without a login', async () => {
    const refusals = new LoginRefusals('adobe', account);
    const target = await hostile({ refusal: (query) => refusals.next(query) });
    pushes.set([spec(target.port, { url: urlOf(target.port, 'wrong-password') })]);
    send(1);
    await untilPhase('retry', 'push_login');
    expect(status().fault).toMatchObject({ detail: expect.stringContaining('password') as string });
    expect(JSON.stringify(notices)).not.toContain('wrong-password');
    pushes.set([spec(target.port)]);
    send(1);
    await until('the failure', () => status().fault?.detail.includes('wants a login') === true, LIMIT_MS);
  });
});

describe('a hostile target', () => {
  const rejected = statusMessage('_error', 1, 'NetConnection.Connect.Rejected', 'error', {
    ex: { kind: 'object', fields: new Map<string, string | number>([['code', 302], ['redirect', 'rtmp://192.0.2.1/x']]) }, // prettier-ignore
  });
  it.each<readonly [string, string, HostileBehaviour, number]>([
    ['speaks HTTP', 'push_bad_answer', { greeting: Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n') }, 0],
    ['stops in the handshake', 'push_no_answer', { handshakeBytes: 700 }, 10_500],
    ['does not answer connect', 'push_no_answer', { answers: { connect: false } }, 10_500],
    ['does not answer publish', 'push_no_answer', { answers: { publish: false } }, 10_500],
    ['redirects', 'push_refused', { answers: { connect: [rejected] } }, 0],
    [
      'repeats the key in its refusal',
      'push_refused',
      { answers: { publish: [statusMessage('onStatus', 0, 'NetStream.Publish.BadName', 'error', { description: `${KEY} is not known` })] } }, // prettier-ignore
      0,
    ],
    ['announces a chunk size of 0', 'push_bad_answer', { afterAccept: Buffer.from('020000000000040100000000' + '00000000', 'hex') }, 0], // prettier-ignore
    ['sends an endless message', 'push_bad_answer', { afterAccept: Buffer.from('03000000ffffff1400000000', 'hex') }, 0],
    ['closes in the middle', 'push_lost', { closeAfterBytes: 30_000 }, 0],
    ['closes after the handshake', 'push_lost', { closeAfterBytes: 3100 }, 0],
  ])('that %s costs its own push only: %s', async (_what, code, behaviour, waitMs) => {
    const [target, good] = [await hostile(behaviour), await accepting()];
    pushes.set([spec(target.port), spec(good.server.port, { index: 1 })]);
    send(1);
    await until('the good target', () => notices.some(({ event, url }) => event === 'push_connected' && url.includes(String(good.server.port))), LIMIT_MS); // prettier-ignore
    await until('the connection', () => target.sockets.length > 0, LIMIT_MS);
    let sent = send(2).length;
    for (let left = waitMs; left > 0; left -= 1000) {
      sent += send(1).length;
      await turn();
      clock.advance(0);
    }
    await untilPhase('retry', code);
    pass(250);
    await good.gate.until(() => (good.gate.publishers[0]?.units.length ?? 0) >= sent);
    expect(pushes.status()[1]).toMatchObject({ phase: 'running', droppedUnits: 0, tries: 1 });
    expect(target.sockets).toHaveLength(1);
  });

  it('that stops reading gets no more than the limit, is disconnected, and tried again', async () => {
    const target = await hostile({ stopsReading: true });
    pushes.set([spec(target.port)]);
    await untilAccepted();
    // The system takes some megabytes.
    await until(
      'dropped units',
      async () => {
        for (let round = 0; round < 15; round++) {
          send(4);
          await turn();
        }
        return status().droppedUnits > 0;
      },
      LIMIT_MS,
      () => JSON.stringify(status()),
    );
    expect(status()).toMatchObject({ phase: 'running', fault: { code: 'push_slow' } });
    expect(notices.at(-1)).toMatchObject({ event: 'push_blocked', code: 'push_slow' });
    // The media was sent faster than in real time, so the target has not read for long.
    pass(250);
    await untilPhase('retry', 'push_stalled');
  });
});
