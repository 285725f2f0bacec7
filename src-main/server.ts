import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { availableParallelism, hostname } from 'node:os';
import { join } from 'node:path';
import { AirdeskError } from '../src-preload/contract/index.ts';
import { httpApis } from './api/http-apis.ts';
import { createHttpApp } from './api/http-app.ts';
import type { ProcessHost } from './codec/process-host.ts';
import { TestPictureCache } from './codec/test-picture-cache.ts';
import { CodecUnit } from './compose/codec-unit.ts';
import type { Config } from './config/config.ts';
import { ConfigFile } from './config/config-file.ts';
import type { ApiContext, ListenerFacts } from './api/api-context.ts';
import { Operators } from './operators/operators.ts';
import { CertificateFiles } from './host/certificate-files.ts';
import { Configuration } from './configuration/configuration.ts';
import { ConfigurationHistory } from './configuration/configuration-history.ts';
import { Desk } from './control/desk.ts';
import { embedPage } from './delivery/embed-page.ts';
import { EventServices } from './control/event-services.ts';
import { HttpPorts, transportPolicy } from './compose/http-ports.ts';
import { listenersOf, visibleHost, type ListenerKind } from './host/listeners.ts';
import { readMachineLoad } from './host/machine-load.ts';
import { checkPaths } from './configuration/path-policy.ts';
import { Pictures } from './control/pictures.ts';
import { playerStream } from './api/player/player-streams.ts';
import { RuntimeMetrics } from './api/metrics/runtime-metrics.ts';
import { sessionEvents } from './control/session-events.ts';
import { DiskWatch, NO_SANDBOX, serverAlerts } from './control/server-alerts.ts';
import { ServerStats } from './streams/server-stats.ts';

import { Streams } from './streams/streams.ts';
import { openSessions, type SessionUnit } from './compose/sessions.ts';
import { ConfigVersionReader } from './db/config-version-reader.ts';
import { ConfigVersionWriter } from './db/config-version-writer.ts';
import { Database } from './db/database.ts';
import { KeptAnswers } from './db/kept-answers.ts';
import { FolderLock } from './db/folder-lock.ts';
import { TextSeal } from './db/text-seal.ts';
import { MediaHandler } from './delivery/media-handler.ts';
import { nodeExchange } from './delivery/node-exchange.ts';
import { TsOutputs } from './delivery/ts-output.ts';
import { Engine } from './engine/engine.ts';
import type { PublishAnswer } from './engine/messages.ts';
import { HttpPublishEndpoint } from './delivery/http-publish-endpoint.ts';
import type { Clock } from './lib/clock.ts';
import { closeInOrder } from './lib/close-in-order.ts';
import { ListenerSet } from './lib/listener-set.ts';
import { OwnPorts } from './lib/own-ports.ts';
import { FileTurns } from './lib/file-turns.ts';
import type { Log } from './lib/log.ts';
import { openPrivateFolder, worldReadable } from './lib/private-folder.ts';
import { newestKeyFrame } from './packaging/mp4/key-frame.ts';

/** How a server is started. */
export interface ServerOptions {
  /** Folder of configuration, database and caches; made where it is not there. */
  readonly dataFolder: string;
  /** Configuration file; `airdesk.conf` in the data folder without it. */
  readonly configFile?: string;
  readonly version: string;
  /** Folder of the files that are shipped with the application. */
  readonly resources: string;
  /** Folder of `hls.min.js`, which embed pages load. */
  readonly playerLibraryFolder: string;
  /** Folder of the built desk; absent where there is none. */
  readonly deskFolder?: string;
  /** Entries of threads and processes. */
  readonly mediaThreadEntry: URL;
  readonly codecProcessEntry: URL;
  /** False where a window runs without the sandbox of Chromium; desk and alerts say so. */
  readonly hasSandbox?: boolean;
  /** Starts codec processes where this process may not fork them itself. */
  readonly codecHost?: ProcessHost;
  /** Media threads; without it one for each core but one. 0 runs everything in this thread, for tests. */
  readonly mediaThreads?: number;
  readonly clock: Clock;
  readonly log: Log;
}

/** How long stopping may take, in all and for each part, in milliseconds; the window waits a little longer. */
const CLOSE_MS = 8000;
const CLOSE_STEP_MS = 5000;

/** What stands behind the HTTP doors. */
interface HttpRooms {
  readonly streams: Streams;
  readonly stats: ServerStats;
  readonly configuration: Configuration;
  readonly engine: Engine;
  readonly playbackSessions: SessionUnit['playbackSessions'];
  readonly guard: SessionUnit['guard'];
  readonly events: EventServices;
}

/** The whole media server, without a window. Starts its rooms in order and stops them in reverse. */
export class AirdeskServer {
  readonly #options: ServerOptions;
  readonly #codec: CodecUnit;
  readonly #startedMs: number;
  readonly #certificate: CertificateFiles;
  readonly #ownPorts = new OwnPorts();
  #listeners: ListenerSet<ListenerKind> | undefined;
  #lock: FolderLock | undefined;
  #rightsAlert: string | null = null;
  #database: Database | undefined;
  #databaseFault: string | null = null;
  #disk: DiskWatch | undefined;
  #events: EventServices | undefined;
  #configuration: Configuration | undefined;
  #engine: Engine | undefined;
  #streams: Streams | undefined;
  #stats: ServerStats | undefined;
  #runtime: RuntimeMetrics | undefined;
  #desk: Desk | undefined;
  #playbackSessions: SessionUnit | undefined;
  #access: Operators | undefined;
  #ports: HttpPorts | undefined;
  #closeApp: (() => Promise<void>) | undefined;
  /** Whether everything has started, and nothing is being stopped. */
  #isServing = false;

  constructor(options: ServerOptions) {
    this.#options = options;
    this.#startedMs = options.clock.now();
    this.#certificate = new CertificateFiles({ folder: options.dataFolder, clock: options.clock, log: options.log });
    this.#codec = new CodecUnit(options);
  }

  /** Base address of the desk and the media, as seen from this machine. Known after `start`. */
  get url(): string {
    return `${this.#baseUrl}/`;
  }

  /** The use cases of the desk, for a window in the same process. Known after `start`. */
  get desk(): Desk {
    if (!this.#desk) throw new AirdeskError('unavailable', 'The server has not started');
    return this.#desk;
  }

  /** Starts everything; resolves when it serves. Raises what keeps it from serving. */
  async start(): Promise<void> {
    const { dataFolder, clock, log } = this.#options;
    await openPrivateFolder(dataFolder, ['airdesk.db', 'airdesk.key'], log);
    this.#lock = FolderLock.take(dataFolder, { log, now: () => clock.now() });
    const events = await EventServices.open({
      dataFolder,
      server: hostname(),
      version: this.#options.version,
      clock,
      log,
    });
    this.#events = events;
    const demoText = await readFile(join(this.#options.resources, 'default.conf'), 'utf8');
    const configFile = this.#options.configFile ?? join(dataFolder, 'airdesk.conf');
    const file = new ConfigFile(configFile);
    if ((this.#rightsAlert = await worldReadable(configFile)) !== null) log.warn(this.#rightsAlert);
    this.#disk = new DiskWatch(dataFolder, clock);
    void this.#disk.start();
    this.#database = this.#openDatabase();
    const history = new ConfigurationHistory(this.#versionStore(this.#database), log);
    const configuration = await Configuration.load({
      file,
      history,
      demoText,
      apply: (config) => this.#apply(config),
      check: (before, after, by) => checkPaths(before, after, by, this.#options.dataFolder),
      clock,
      log,
      events: events.bus,
    });
    events.bus.emit('server_starting', { version: this.#options.version });
    this.#configuration = configuration;
    const { config } = configuration;
    const streams = new Streams(config, { clock, log, events: events.bus, engine: () => engine });
    this.#streams = streams;
    const stats = new ServerStats({ clock, streams, machine: readMachineLoad });
    this.#stats = stats;
    this.#playbackSessions = openSessions({
      clock,
      log,
      events: sessionEvents(events.bus, clock),
      streams,
      config: () => configuration.config,
      folder: dataFolder,
    });
    const { playbackSessions, guard } = this.#playbackSessions;
    const engine = await this.#startEngine(streams, stats, guard);
    engine.allowPaths(config.allowedPaths);
    await this.#startHttp({ streams, stats, configuration, engine, playbackSessions, guard, events });
    // Nothing of the queues is touched by a server that cannot have its port.
    events.apply(configuration.config);
    streams.start(config);
    await streams.applied;
    stats.start();
    this.#isServing = true;
    events.bus.emit('server_started', { version: this.#options.version, base_url: this.#baseUrl });
  }

  /** Reads the configuration file again and puts it into force. Raises what is wrong with it, which is in the log then; what ran goes on. */
  async reload(): Promise<void> {
    const { log } = this.#options;
    await this.#configuration?.reload({ who: 'server', fromWhere: 'signal' }).catch((error: unknown) => {
      log.error('the configuration was not read again', {
        error: error instanceof Error ? error.message : String(error),
      });
      throw error;
    });
  }

  /** Stops everything in reverse order, in bounded time. Returns what did not stop; it is in the log, too. */
  async close(): Promise<readonly string[]> {
    const { clock, log, version } = this.#options;
    this.#isServing = false;
    this.#events?.bus.emit('server_stopping', { version });
    const hung = await closeInOrder(
      [
        { name: 'configuration', close: () => this.#configuration?.close() },
        { name: 'disk watch', close: () => this.#disk?.close() },
        { name: 'measurements', close: () => this.#closeMeasurements() },
        { name: 'listeners', close: () => this.#listeners?.close() },
        { name: 'connections', close: () => this.#ports?.close() },
        { name: 'http', close: () => this.#closeApp?.() },
        { name: 'engine', close: () => this.#engine?.close() },
        { name: 'codec processes', close: () => this.#codec.close() },
        { name: 'event queues', close: () => this.#events?.close() },
        { name: 'database', close: () => this.#database?.close() },
        { name: 'lock of the data folder', close: () => this.#lock?.close() },
      ],
      { clock, totalMs: CLOSE_MS, stepMs: CLOSE_STEP_MS },
    );
    if (hung.length > 0)
      log.error('the server stopped without what hangs', { event: 'server_stopped', hung: hung.join('; ') });
    return hung;
  }

  #closeMeasurements(): void {
    this.#desk?.close();
    this.#stats?.close();
    this.#runtime?.close();
    this.#streams?.close();
    this.#playbackSessions?.close();
    this.#certificate.close();
  }

  /** The database; undefined where it cannot be opened: video goes on, and what happens is not recorded. */
  #openDatabase(): Database | undefined {
    const { dataFolder, clock, log } = this.#options;
    try {
      return Database.open(join(dataFolder, 'airdesk.db'), { log, now: () => clock.now() });
    } catch (error) {
      this.#databaseFault = error instanceof Error ? error.message : String(error);
      log.error('the database cannot be opened; nothing is recorded', { error: this.#databaseFault });
      return undefined;
    }
  }

  #versionStore(database: Database | undefined): ConstructorParameters<typeof ConfigurationHistory>[0] {
    if (!database) return undefined;
    try {
      const seal = TextSeal.ofFile(join(this.#options.dataFolder, 'airdesk.key'));
      return {
        reader: new ConfigVersionReader(database.connection, seal),
        writer: new ConfigVersionWriter(database.connection, seal),
      };
    } catch (error) {
      this.#options.log.error('the history of the configuration cannot be opened', {
        error: error instanceof Error ? error.message : String(error),
      });
      return undefined;
    }
  }

  async #startEngine(streams: Streams, stats: ServerStats, guard: SessionUnit['guard']): Promise<Engine> {
    const { clock, log, dataFolder } = this.#options;
    const pictures = new TestPictureCache({ folder: join(dataFolder, 'cache'), maker: this.#codec.pool });
    const engine = new Engine(
      {
        threads: this.#options.mediaThreads ?? Math.max(1, availableParallelism() - 1),
        threadEntry: this.#options.mediaThreadEntry,
        fileRoot: dataFolder,
        ownPorts: this.#ownPorts.shared,
        clock,
        log,
      },
      {
        window: (id, events) => {
          streams.window(id, events);
        },
        status: (thread, statuses) => {
          stats.thread(thread);
          streams.status(statuses);
        },
        decidePublish: (request, place) => guard.decide(request, place),
        publishEnded: (id) => {
          streams.publishEnded(id);
        },
        notice: (id, notice) => {
          streams.notice(id, notice);
        },
        inputAtFault: (input, detail) => {
          streams.inputAtFault(input, detail);
        },
        streamLost: (id, end, detail) => {
          streams.lost(id, end, detail);
        },
        testPicture: (wanted) => pictures.load(wanted),
        readExternal: (spec) => this.#codec.urlReaders.open(spec),
      },
    );
    this.#engine = engine;
    await engine.start();
    return engine;
  }

  async #startHttp({
    streams,
    stats,
    configuration,
    engine,
    playbackSessions,
    guard,
    events,
  }: HttpRooms): Promise<void> {
    const { clock, log, version, resources } = this.#options;
    const now = (): number => clock.now();
    const access = new Operators({
      settings: configuration.config,
      clock,
      hostname: hostname(),
      notify: ({ event, address, login }) => {
        events.bus.emit('auth_failed', { ip: address, user: login, is_slowed: event === 'login_slowed' });
      },
    });
    this.#access = access;
    const describe = (): ReturnType<ConstructorParameters<typeof Desk>[0]['describe']> => ({
      version,
      hostname: hostname(),
      started_at: this.#startedMs,
      base_url: this.#baseUrl,
      rtmp_url: this.#rtmpUrl,
      has_edit_login: access.hasEditLogin,
    });
    const context: ApiContext = {
      streams,
      stats,
      sessions: playbackSessions,
      clock,
      fileRoot: this.#options.dataFolder,
      files: new FileTurns({ clock, limit: 2 }),
      config: () => configuration.config,
      configError: () => configuration.error,
      describe: () => ({ ...describe(), listeners: this.#listenerFacts() }),
    };
    const runtime = new RuntimeMetrics(context);
    this.#runtime = runtime;
    const desk = new Desk({
      configuration,
      streams,
      events,
      clock,
      log,
      describe,
      hasSandbox: this.#options.hasSandbox !== false,
      viewQuery: () => playbackSessions.viewQuery,
    });
    this.#desk = desk;
    const pictures = new Pictures(
      async (frame) => (await this.#codec.pool.run('picture', frame)).jpeg,
      (output) => newestKeyFrame(output.window),
    );
    const handler = new MediaHandler({
      outputs: streams.outputs,
      sessions: playbackSessions.sessions,
      tokenName: () => playbackSessions.tokenName,
      isOwnHost: (host) => access.isOwnHost(host),
      tsOutputs: new TsOutputs(),
      now,
      port: {
        isKnown: (name) => streams.get(name) !== undefined,
        demand: (name) => streams.demand(name),
        describe: (name, kind) => {
          const entry = streams.get(name);
          if (!entry) return undefined;
          const stream = playerStream(entry, { nowMs: now(), baseUrl: this.#baseUrl, rtmpUrl: this.#rtmpUrl });
          return JSON.stringify(kind === 'info' ? stream : (stream.stats.media_info ?? { streams: [], tracks: [] }));
        },
        picture: (name) => pictures.get(streams.outputs.get(name)),
        embedPage: (name) => embedPage(name, playbackSessions.domainsOf(name)),
      },
    });
    const httpPublish = new HttpPublishEndpoint<PublishAnswer>({
      clientAddress: (peer, header) => access.clientAddress(peer, header),
      isExternal: (facts) => access.isForeignSender(facts),
      decide: (request, accept) =>
        guard.decide(request, (stream) => {
          accept({ accepted: true, stream });
        }),
      open: (request, answer, port) => engine.publishByHttp(request, answer, port),
    });
    const transport = transportPolicy(configuration, access, () => this.#listeners?.list() ?? []);
    const { app, server } = await createHttpApp({
      desk,
      transport,
      access,
      clock,
      routes: httpApis({
        configuration,
        context,
        runtime,
        alerts: () => this.#alerts(),
        eventSinkState: (name) => events.state(name),
        keptAnswers: this.#database && new KeptAnswers(this.#database.connection),
        tokenUsedMs: (name) => access.tokenUsedMs(name),
        notReady: () => (this.#isServing ? null : 'The server starts or stops'),
      }),
      log,
      events: events.bus,
      deskFolder: this.#options.deskFolder,
      playerFolders: [join(resources, 'player'), this.#options.playerLibraryFolder].filter((folder) =>
        existsSync(folder),
      ),
      media: (request, response) => {
        if (httpPublish.take(request, response)) return true;
        const exchange = nodeExchange(request, response, (peer, header) => access.clientAddress(peer, header));
        const address = handler.address(exchange.path);
        if (address) handler.handle(exchange, address);
        return address !== undefined;
      },
    });
    const certificate = this.#certificate;
    const ports = new HttpPorts({ clock, log, certificate, handler, access, transport, control: server });
    this.#ports = ports;
    this.#closeApp = () => app.close();
    this.#listeners = new ListenerSet({
      clock,
      log,
      open: async (wanted) => {
        const tls = wanted.kind === 'rtmps' ? { tls: this.#certificate } : {};
        const isRtmp = wanted.kind === 'rtmp' || wanted.kind === 'rtmps';
        return this.#ownPorts.during(await (isRtmp ? engine.listenRtmp({ ...wanted, ...tls }) : ports.listen(wanted)));
      },
    });
    await this.#certificate.apply(configuration.config);
    await this.#listeners.apply(listenersOf(configuration.config));
    const http = this.#listeners.list().filter(({ kind }) => kind === 'http' || kind === 'https');
    if (http.length === 0) log.warn('no http port is configured; nothing can be watched');
    // With one port left there is a desk to mend the others with.
    if (http[0] && http.every(({ openPort }) => openPort === null))
      throw new AirdeskError('port_in_use', `HTTP cannot be served on port ${http[0].port}: ${http[0].error ?? ''}`);
  }

  /** Puts a configuration into force, as a difference. */
  async #apply(config: Config): Promise<void> {
    this.#events?.apply(config);
    this.#access?.apply(config);
    this.#engine?.allowPaths(config.allowedPaths);
    await this.#certificate.apply(config);
    this.#playbackSessions?.apply(config);
    await Promise.all([this.#listeners?.apply(listenersOf(config)), this.#streams?.apply(config)]);
  }

  #listenerFacts(): ListenerFacts[] {
    return (this.#listeners?.list() ?? []).flatMap(({ kind, host, openPort }) =>
      openPort === null ? [] : [{ protocol: kind, host, port: openPort }],
    );
  }

  /** What somebody should look at. */
  #alerts(): Record<string, string> {
    const alerts = serverAlerts({
      configuration: this.#configuration,
      disk: this.#disk?.fault ?? null,
      database: this.#databaseFault,
      history: this.#configuration?.history.fault ?? null,
    });
    if (this.#options.hasSandbox === false) alerts['window_sandbox'] = NO_SANDBOX;
    if (this.#rightsAlert !== null) alerts['config_rights'] = this.#rightsAlert;
    for (const { kind, host, port, error } of this.#listeners?.list() ?? [])
      if (error !== null) alerts[`${kind} ${host === null ? '' : `${host}:`}${port}`] = error;
    const certificate = this.#certificate.alert(this.#options.clock.now());
    return certificate === null ? alerts : { ...alerts, certificate };
  }

  /** Base address as seen from this machine: that of the first port that could be had. */
  get #baseUrl(): string {
    return this.#urlOf(['http', 'https']) ?? '';
  }

  /** Where encoders publish, as seen from this machine; null for nowhere. */
  get #rtmpUrl(): string | null {
    return this.#urlOf(['rtmp']);
  }

  #urlOf(kinds: readonly ListenerKind[]): string | null {
    const first = this.#listeners?.list().find(({ kind, openPort }) => openPort !== null && kinds.includes(kind));
    return first ? `${first.kind}://${visibleHost(first)}:${first.openPort}` : null;
  }
}
