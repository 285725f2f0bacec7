import { describe, expect, it } from 'vitest';
import { openSessions } from '../../../tests/helpers/open-sessions.ts';
import { StreamRun } from '../../../tests/helpers/stream-run.ts';
import type { BodyStream, Exchange, Reply } from '../exchange.ts';
import { MediaHandler } from './media-handler.ts';
import { StreamOutput } from '../stream-output.ts';
import type { ChangingWindow } from '../../segment/segment-window.ts';
import { WrappedWindow } from '../../segment/wrapped-window.ts';
import { TsOutputs } from './ts-output.ts';
import { ConnectionSession } from '../connection-session.ts';

/** A request whose answer the test inspects. */
class PendingRequest implements Exchange {
  readonly method = 'GET';
  readonly query: string;
  readonly peer = '127.0.0.1';
  readonly acceptsGzip = false;
  readonly connectionSession: ConnectionSession;
  readonly path: string;
  answer: Reply | undefined;
  isStreaming = false;
  readonly #userAgent: string;
  #close: (() => void)[] = [];

  constructor(path: string, connectionSession = new ConnectionSession(), userAgent = '') {
    this.#userAgent = userAgent;
    [this.path = '', this.query = ''] = path.split('?');
    this.connectionSession = connectionSession;
  }

  header(name: string): string | undefined {
    return name === 'user-agent' ? this.#userAgent : undefined;
  }

  reply(reply: Reply): void {
    this.answer = reply;
  }

  stream(): BodyStream {
    this.isStreaming = true;
    return { queuedBytes: 0, write() {}, end() {}, abort() {} };
  }

  onClose(callback: () => void): void {
    this.#close.push(callback);
  }

  leave(): void {
    for (const callback of this.#close) callback();
  }

  get text(): string {
    return Buffer.concat(this.answer?.body ?? []).toString();
  }
}

/** A window whose MPD has a clock per period, so that DASH players load complete segments and no parts. */
class SegmentsOnlyWindow extends WrappedWindow<ChangingWindow> implements ChangingWindow {
  override get hasPeriodClocks(): boolean {
    return true;
  }

  onChange(listener: () => void): () => void {
    return this.inner.onChange(listener);
  }
}

/** A media handler with the on-demand stream `late`, and requests to it. */
class DeliveryRun {
  readonly stream = new StreamRun();
  output = new StreamOutput('late', this.stream.window);
  /** Streams that delivery requested to open. */
  readonly demands: string[] = [];
  isOnDemand = true;
  isStarting = false;
  hasEnded = false;
  readonly sessions = openSessions(this.stream.clock);
  readonly #handler = new MediaHandler({
    resolve: () => this.output,
    tsOutputs: new TsOutputs(),
    now: () => this.stream.clock.now(),
    sessions: this.sessions,
    tokenName: () => 'token',
    port: {
      isKnown: () => true,
      isStarting: () => this.isStarting,
      hasEnded: () => this.hasEnded,
      demand: (stream) => {
        this.demands.push(stream);
        return this.isOnDemand;
      },
      describe: () => '{}',
      picture: () => Promise.resolve(undefined),
      pictureAt: () => Promise.resolve(undefined),
      recordingStatus: () => Promise.resolve(undefined),
      embedPage: () => ({ html: '', policy: '' }),
    },
  });

  /** @param connection connection of an earlier request; a new one without it */
  request(path: string, connection?: ConnectionSession, userAgent?: string): PendingRequest {
    const request = new PendingRequest(path, connection, userAgent);
    const address = this.#handler.address(request.path);
    if (!address) throw new Error(`${path} is no media address`);
    this.#handler.handle(request, address);
    return request;
  }

  pass(ms: number): void {
    this.stream.clock.advance(ms);
    this.output.sweep(this.stream.clock.now());
  }
}

const INPUT = { video: { fps: 25, gopFrames: 25, bFrames: 0 }, seconds: 3 };

describe('a stream that is starting', () => {
  const PARTS = ['index.m3u8', 'v1/index.m3u8', 'index.mpd'] as const;

  function starting(): DeliveryRun {
    const delivery = new DeliveryRun();
    delivery.isOnDemand = false;
    delivery.isStarting = true;
    return delivery;
  }

  it.each(PARTS)('holds %s until its first part exists', (file) => {
    const delivery = starting();
    const request = delivery.request(`/late/${file}`);
    expect([request.answer, delivery.output.waitCount]).toEqual([undefined, 1]);
    const play = delivery.stream.playing(INPUT);
    play(400);
    expect(request.answer).toBeUndefined();
    play(600);
    expect([request.answer?.status, delivery.output.has('segment'), delivery.output.waitCount]).toEqual([
      200,
      false,
      0,
    ]);
    // The next viewer gets the same answer.
    expect(delivery.request(`/late/${file}`).text).toBe(request.text);
  });

  it('holds the playlist of transport stream segments until the first segment is complete', () => {
    const delivery = starting();
    const request = delivery.request('/late/index.ts.m3u8');
    const play = delivery.stream.playing(INPUT);
    play(1900);
    expect(request.answer).toBeUndefined();
    play(2200);
    expect(request.answer?.status).toBe(200);
  });

  it('holds the MPD until the first segment is complete if DASH players load no parts', () => {
    const delivery = starting();
    delivery.output = new StreamOutput('late', new SegmentsOnlyWindow(delivery.stream.window));
    const play = delivery.stream.playing(INPUT);
    play(600);
    const request = delivery.request('/late/index.mpd');
    expect([request.answer, delivery.request('/late/index.m3u8').answer?.status]).toEqual([undefined, 200]);
    play(2200);
    expect(request.answer?.status).toBe(200);
  });

  it.each(['index.m3u8', 'v1/index.m3u8'])('holds %s for VLC until the first segment is complete', (file) => {
    const delivery = starting();
    const play = delivery.stream.playing(INPUT);
    play(600);
    const request = delivery.request(`/late/${file}`, undefined, 'VLC/3.0.24 LibVLC/3.0.24');
    play(1900);
    expect([request.answer, delivery.request(`/late/${file}`, undefined, 'Mozilla/5.0').answer?.status]).toEqual([
      undefined,
      200,
    ]);
    play(2200);
    expect(request.answer?.status).toBe(200);
  });

  it('holds a delta update without _HLS_msn until the first segment is complete, even on another connection', () => {
    const delivery = starting();
    const play = delivery.stream.playing(INPUT);
    play(600);
    expect(delivery.request('/late/v1/index.m3u8').answer?.status).toBe(200);
    const [segments, parts] = ['', '_HLS_msn=100&_HLS_part=1&'].map((query) =>
      delivery.request(`/late/v1/index.m3u8?${query}_HLS_skip=YES`),
    );
    play(1100);
    expect([segments?.answer, parts?.answer?.status, delivery.output.has('segment')]).toEqual([undefined, 200, false]);
    play(2200);
    expect(segments?.text).toContain('#EXTINF:2,');
  });

  it('holds requests until all tracks of the stream have a part', () => {
    const delivery = starting();
    const request = delivery.request('/late/index.m3u8');
    const play = delivery.stream.playing({ ...INPUT, audio: { sampleRate: 48_000, lateMs: 300 } });
    play(700);
    expect(request.answer).toBeUndefined();
    play(1000);
    expect(request.text).toMatch(/TYPE=AUDIO[^]*CODECS="avc1[^"]*,mp4a/);
  });

  it('answers 404 at once if the encoder left before the first picture', () => {
    const delivery = starting();
    const requests = PARTS.map((file) => delivery.request(`/late/${file}`));
    delivery.isStarting = false;
    delivery.pass(1000);
    expect(requests.map(({ answer }) => answer?.status)).toEqual([404, 404, 404]);
    expect(requests[0]?.text).toContain('stream_not_running');
    expect(delivery.output.waitCount).toBe(0);
  });

  it('answers 404 after the encoder has left for good, and plays again with the next encoder', () => {
    const delivery = starting();
    delivery.stream.playing(INPUT)(3000);
    const files = [...PARTS, 'a1/index.m3u8', 'index.ts.m3u8', 'mpegts', 'index.mp4', 'tracks-v1/index.m3u8'];
    const statuses = (): unknown[] => files.map((file) => delivery.request(`/late/${file}`).answer?.status);
    delivery.hasEnded = true;
    expect(statuses()).toEqual(files.map(() => 404));
    expect(delivery.request('/late/index.m3u8').answer?.headers).toContain('max-age=1\r\n');
    delivery.hasEnded = false;
    expect(delivery.request('/late/v1/index.m3u8').answer?.status).toBe(200);
  });

  it('answers 403 to a held request whose session has ended', () => {
    const delivery = starting();
    const request = delivery.request('/late/index.m3u8');
    const { session } = request.connectionSession;
    expect(session?.isRunning).toBe(true);
    if (session) delivery.sessions.ban(session);
    delivery.stream.play(INPUT);
    expect([request.answer?.status, request.text]).toEqual([403, expect.stringContaining('session_banned')]);
  });

  it('holds the second request of a player until the first segment, because the player may not support parts', () => {
    const delivery = starting();
    const play = delivery.stream.playing(INPUT);
    play(600);
    const first = delivery.request('/late/v1/index.m3u8');
    expect([first.answer?.status, first.text.includes('#EXT-X-GAP')]).toEqual([200, true]);
    const again = delivery.request('/late/v1/index.m3u8', first.connectionSession);
    expect(again.answer).toBeUndefined();
    expect(delivery.request('/late/v1/index.m3u8').answer?.status).toBe(200);
    const left = delivery.request('/late/v1/index.m3u8', first.connectionSession);
    left.leave();
    play(2200);
    expect(again.text).toContain('#EXTINF:2,');
    expect(left.answer).toBeUndefined();
  });

  it('holds a limited number of requests, refuses more, and drops those of viewers who leave', () => {
    const delivery = starting();
    const requests = Array.from({ length: 2000 }, () => delivery.request('/late/index.m3u8'));
    expect(delivery.output.waitCount).toBe(2000);
    const tooMany = delivery.request('/late/index.m3u8');
    expect([tooMany.answer?.status, tooMany.answer?.headers]).toEqual([503, expect.stringContaining('Retry-After: 1')]);
    for (const request of requests) request.leave();
    expect(delivery.output.waitCount).toBe(0);
    expect(delivery.request('/late/index.m3u8').answer).toBeUndefined();
  });

  it('answers many requests in several turns of the event loop, and skips viewers who left meanwhile', async () => {
    const delivery = starting();
    const requests = Array.from({ length: 500 }, () => delivery.request('/late/index.m3u8'));
    delivery.stream.playing(INPUT)(600);
    const isAnswered = (request: PendingRequest): boolean => request.answer !== undefined;
    const atOnce = requests.filter(isAnswered).length;
    expect(atOnce).toBeGreaterThan(0);
    expect(atOnce).toBeLessThan(200);
    requests.at(-1)?.leave();
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(requests.filter(isAnswered)).toHaveLength(499);
    expect(delivery.output.waitCount).toBe(0);
  });
});

describe('an on-demand stream', () => {
  it.each(['index.m3u8', 'v1/index.m3u8', 'index.ts.m3u8', 'index.mpd'])(
    'starts on a request for %s, which is answered with the first segment',
    (file) => {
      const delivery = new DeliveryRun();
      const request = delivery.request(`/late/${file}`);
      expect(delivery.demands).toEqual(['late']);
      expect(request.answer).toBeUndefined();
      delivery.stream.play(INPUT);
      expect(request.answer?.status).toBe(200);
      expect(request.text.length).toBeGreaterThan(50);
      // The stream runs: no further start is needed.
      expect(delivery.request(`/late/${file}`).answer?.status).toBe(200);
      expect(delivery.demands).toEqual(['late']);
    },
  );

  it('answers 503 after ten seconds without media', () => {
    const delivery = new DeliveryRun();
    const request = delivery.request('/late/index.m3u8');
    delivery.pass(9900);
    expect(request.answer).toBeUndefined();
    delivery.pass(200);
    expect([request.answer?.status, JSON.parse(request.text)]).toEqual([
      503,
      { errors: [expect.objectContaining({ code: 'blocking_timeout' })], error: 'blocking_timeout' },
    ]);
    expect(request.answer?.headers).toContain('Retry-After: 1');
  });

  it('drops a request whose client left while waiting', () => {
    const delivery = new DeliveryRun();
    const request = delivery.request('/late/index.m3u8');
    request.leave();
    delivery.stream.play(INPUT);
    expect(request.answer).toBeUndefined();
  });

  it('starts on a request for the continuous transport stream, and counts its viewer until the viewer leaves', () => {
    const delivery = new DeliveryRun();
    const request = delivery.request('/late/mpegts');
    expect([delivery.demands, request.isStreaming, delivery.output.hasWatchers]).toEqual([['late'], true, true]);
    delivery.pass(3_600_000);
    delivery.sessions.sweep();
    expect(delivery.sessions.countOf('late')).toBe(1);
    request.leave();
    expect([delivery.output.hasWatchers, delivery.sessions.countOf('late')]).toEqual([false, 0]);
  });

  it.each(['preview.jpg', 'info.json', 'embed.html', 'v1/1800000000000.m4s'])(
    'does not start on a request for %s',
    (file) => {
      const delivery = new DeliveryRun();
      delivery.request(`/late/${file}`);
      expect(delivery.demands).toEqual([]);
    },
  );

  it('answers 404 at once if the stream is not on demand', () => {
    const delivery = new DeliveryRun();
    delivery.isOnDemand = false;
    const request = delivery.request('/late/index.m3u8');
    expect(request.answer?.status).toBe(404);
    expect(request.text).toContain('stream_not_running');
  });
});
