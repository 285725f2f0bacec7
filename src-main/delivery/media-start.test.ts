import { describe, expect, it } from 'vitest';
import { openSessions } from '../../tests/helpers/open-sessions.ts';
import { StreamRun } from '../../tests/helpers/stream-run.ts';
import type { BodyStream, Exchange, Reply } from './exchange.ts';
import { MediaHandler } from './media-handler.ts';
import { StreamOutput } from './stream-output.ts';
import { TsOutputs } from './answers/ts-output.ts';
import { ConnectionSession } from './connection-session.ts';

/** A request whose answer the test looks at. */
class Asked implements Exchange {
  readonly method = 'GET';
  readonly query = '';
  readonly peer = '127.0.0.1';
  readonly takesGzip = false;
  readonly connectionSession = new ConnectionSession();
  readonly path: string;
  answer: Reply | undefined;
  isStreaming = false;
  #close: (() => void)[] = [];

  constructor(path: string) {
    this.path = path;
  }

  header(): undefined {
    return undefined;
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

/** A stream that runs for viewers only, and requests for it. */
class Theatre {
  readonly run = new StreamRun();
  readonly output = new StreamOutput('late', this.run.window);
  /** What delivery asked to be opened. */
  readonly demands: string[] = [];
  isOnDemand = true;
  readonly sessions = openSessions(this.run.clock);
  readonly #handler = new MediaHandler({
    resolve: () => this.output,
    tsOutputs: new TsOutputs(),
    now: () => this.run.clock.now(),
    sessions: this.sessions,
    tokenName: () => 'token',
    port: {
      isKnown: () => true,
      demand: (stream) => {
        this.demands.push(stream);
        return this.isOnDemand;
      },
      describe: () => '{}',
      picture: () => Promise.resolve(undefined),
      embedPage: () => ({ html: '', policy: '' }),
    },
  });

  ask(path: string): Asked {
    const asked = new Asked(path);
    const address = this.#handler.address(path);
    if (!address) throw new Error(`${path} is no media address`);
    this.#handler.handle(asked, address);
    return asked;
  }

  pass(ms: number): void {
    this.run.clock.advance(ms);
    this.output.sweep(this.run.clock.now());
  }
}

const INPUT = { video: { fps: 25, gopFrames: 25, bFrames: 0 }, seconds: 3 };

describe('a stream that runs for its viewers', () => {
  it.each(['index.m3u8', 'v1/index.m3u8', 'index.ts.m3u8', 'index.mpd'])(
    'starts with a request for %s, which is answered with its first segment',
    (file) => {
      const theatre = new Theatre();
      const asked = theatre.ask(`/late/${file}`);
      expect(theatre.demands).toEqual(['late']);
      expect(asked.answer).toBeUndefined();
      theatre.run.play(INPUT);
      expect(asked.answer?.status).toBe(200);
      expect(asked.text.length).toBeGreaterThan(50);
      // It runs: no further start is needed.
      expect(theatre.ask(`/late/${file}`).answer?.status).toBe(200);
      expect(theatre.demands).toEqual(['late']);
    },
  );

  it('lets no request wait longer than ten seconds', () => {
    const theatre = new Theatre();
    const asked = theatre.ask('/late/index.m3u8');
    theatre.pass(9900);
    expect(asked.answer).toBeUndefined();
    theatre.pass(200);
    expect([asked.answer?.status, JSON.parse(asked.text)]).toEqual([
      503,
      { errors: [expect.objectContaining({ code: 'blocking_timeout' })], error: 'blocking_timeout' },
    ]);
    expect(asked.answer?.headers).toContain('Retry-After: 1');
  });

  it('forgets a client that left while it waited', () => {
    const theatre = new Theatre();
    const asked = theatre.ask('/late/index.m3u8');
    asked.leave();
    theatre.run.play(INPUT);
    expect(asked.answer).toBeUndefined();
  });

  it('starts with the endless stream, and counts its viewer until the viewer leaves', () => {
    const theatre = new Theatre();
    const asked = theatre.ask('/late/mpegts');
    expect([theatre.demands, asked.isStreaming, theatre.output.hasWatchers]).toEqual([['late'], true, true]);
    theatre.pass(3_600_000);
    theatre.sessions.sweep();
    expect(theatre.sessions.countOf('late')).toBe(1);
    asked.leave();
    expect([theatre.output.hasWatchers, theatre.sessions.countOf('late')]).toEqual([false, 0]);
  });

  it.each(['preview.jpg', 'info.json', 'embed.html', 'v1/1800000000000.m4s'])('does not start for %s', (file) => {
    const theatre = new Theatre();
    theatre.ask(`/late/${file}`);
    expect(theatre.demands).toEqual([]);
  });

  it('answers at once where there is nothing to start', () => {
    const theatre = new Theatre();
    theatre.isOnDemand = false;
    const asked = theatre.ask('/late/index.m3u8');
    expect(asked.answer?.status).toBe(404);
    expect(asked.text).toContain('stream_not_running');
  });
});
