import { systemClock } from '../../src-main/lib/clock.ts';
import { FileTurns } from '../../src-main/lib/file-turns.ts';
import fastify, { type FastifyInstance } from 'fastify';
import { addEndpoints } from '../../src-main/api/endpoints/add-endpoints.ts';
import type { Api } from '../../src-main/api/endpoints/endpoint.ts';
import { errorBody, knownError } from '../../src-main/api/http/error-reply.ts';
import { configOf } from './config-of.ts';
import { ConfigDocument } from '../../src-main/config/document.ts';
import type { NativeContext } from '../../src-main/api/native/native-context.ts';
import type { ServerFacts } from '../../src-main/api/endpoints/api-context.ts';
import type { LimitFigures } from '../../src-main/api/metrics/limit-metrics.ts';
import { RuntimeMetrics } from '../../src-main/api/metrics/runtime-metrics.ts';
import { ServerStats } from '../../src-main/streams/server-stats.ts';
import type { SessionView } from '../../src-main/control/sessions/playback-sessions.ts';
import type { StreamEntry } from '../../src-main/streams/stream-entry.ts';
import { Streams } from '../../src-main/streams/streams.ts';
import { FakeClock } from './fake-clock.ts';
import type { Log } from '../../src-main/lib/log.ts';
import { AirdeskError } from '../../src-preload/contract/errors.ts';
import { StagedArchive } from './staged-archive.ts';
import { StagedEngine } from './staged-engine.ts';
import { sessionSource } from './session-source.ts';

const SILENT: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** API on a free port, with streams without a media thread and no sessions. */
export class ApiStage {
  readonly clock = new FakeClock();
  readonly engine = new StagedEngine();
  readonly sessions = new Map<string, SessionView>();
  readonly archive = new StagedArchive(this.clock);
  readonly streams: Streams;
  readonly stats: ServerStats;
  readonly context: NativeContext;
  #app: FastifyInstance | undefined;
  /** Base address without a slash at the end. */
  url = '';

  private constructor(text: string, fileRoot: string) {
    const config = configOf(text);
    const { clock, sessions } = this;
    this.streams = new Streams(config, { clock, log: SILENT, engine: () => this.engine.engine });
    this.stats = new ServerStats({
      clock,
      streams: this.streams,
      machine: () => Promise.resolve({ busyTicks: 1, totalTicks: 4, memory: 0.5 }),
    });
    const facts: ServerFacts = {
      version: '1.2.3',
      hostname: 'host.example.org',
      started_at: clock.now(),
      base_url: 'http://127.0.0.1:80',
      rtmp_url: 'rtmp://127.0.0.1:1935',
      listeners: [{ protocol: 'http', host: null, port: 80 }],
    };
    const context = {
      streams: this.streams,
      stats: this.stats,
      sessions: sessionSource(sessions),
      switchRecording: (entry: StreamEntry, isOn: boolean) => {
        entry.isRecordingSwitched = isOn;
      },
      clock,
      archive: this.archive.service,
      archiveFigures: this.archive.figures,
      episodes: this.archive.episodes,
      keys: { lost: [], renew: () => undefined },
      openFiles: () => [],
      config: () => config,
      fileRoot,
      files: new FileTurns({ clock: systemClock, limit: 2 }),
      describe: () => facts,
      configuration: { config, document: ConfigDocument.parse(text) },
    };
    const quarantine = this.streams.quarantine;
    const limits = (): LimitFigures => ({
      connections: { open: 3, limit: 20_000 },
      rtmpConnections: { open: 2, limit: 2000 },
      refusedConnections: [['address', 2]],
      cutConnections: [],
      refusedRequests: [],
      refusedViewers: [],
      refusedPublishers: [],
      refusedLogins: [],
      quarantine: quarantine.counters,
      lostAdRows: 0,
      webhooks: undefined,
      openFiles: { count: 40, limit: 1024 },
      threads: this.stats.figures().threads,
    });
    this.context = { ...context, runtime: new RuntimeMetrics(context, limits) };
    this.streams.start(config);
  }

  /** Serves an API over a configuration. */
  static async start(text: string, apiOf: (context: NativeContext) => Api, fileRoot = '/nowhere'): Promise<ApiStage> {
    const stage = new ApiStage(text, fileRoot);
    const app: FastifyInstance = fastify({ routerOptions: { maxParamLength: 2000 } });
    stage.#app = app;
    app.setErrorHandler((cause, _request, reply) => {
      const error = knownError(cause) ?? new AirdeskError('internal', String(cause));
      void reply.code(error.status).send(errorBody(error));
    });
    app.setNotFoundHandler((_request, reply) => reply.code(404).send(errorBody(new AirdeskError('not_found'))));
    await addEndpoints(app, [apiOf(stage.context)], () => ({
      mayRead: true,
      mayWrite: true,
      who: 'test',
      address: '127.0.0.1',
    }));
    stage.url = await app.listen({ host: '127.0.0.1', port: 0 });
    stage.stats.start();
    await stage.pass(0);
    return stage;
  }

  /** Advances the clock, and lets promises run. */
  async pass(ms: number): Promise<void> {
    this.clock.advance(ms);
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
  }

  /** Gives frames to all open streams, so that they are alive. */
  feed(change: Parameters<StagedEngine['status']>[1] = {}): void {
    for (const spec of this.engine.open.values())
      this.streams.reports.status([
        this.engine.status(spec, { lastUnitMs: this.clock.now(), startedMs: this.clock.now(), ...change }),
      ]);
  }

  /** Sends a request; returns its status, and its body, parsed if it is JSON. */
  async request(
    method: string,
    path: string,
    body?: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<{ readonly status: number; readonly body: unknown; readonly type: string }> {
    const response = await fetch(`${this.url}${path}`, { method, headers, ...(body === undefined ? {} : { body }) });
    const type = response.headers.get('content-type') ?? '';
    const text = await response.text();
    return { status: response.status, body: type.startsWith('application/json') ? JSON.parse(text) : text, type };
  }

  async close(): Promise<void> {
    this.stats.close();
    this.context.runtime.close();
    this.streams.close();
    await this.#app?.close();
    // Test files share a process, and their variables stay in memory until the process ends.
    this.#app = undefined;
  }
}

/** A session of a viewer. */
export function testSession(id: string, name: string, change: Partial<SessionView> = {}): SessionView {
  return {
    id,
    key: `key-of-${name}`,
    name,
    proto: 'hls',
    ip: '192.0.2.7',
    status: 'running',
    playedMs: null,
    openedMs: 1_799_999_990_000,
    startedMs: 1_799_999_991_000,
    lastMs: 1_800_000_000_000,
    bytes: 12_345,
    country: null,
    token: 'a-token',
    userAgent: 'player/1',
    referer: null,
    queryString: '',
    userId: null,
    maxSessions: null,
    archive: null,
    ...change,
  };
}
