import { hostname } from 'node:os';
import { openAds } from './compose/ads.ts';
import { alertsOf } from './compose/alerts.ts';
import { openArchive } from './compose/archive.ts';
import { openCodec } from './compose/codec.ts';
import { openConfiguration } from './compose/configuration.ts';
import { openDataFolder } from './compose/data-folder.ts';
import { openEngine } from './compose/engine.ts';
import { openHttp } from './compose/http.ts';
import { openListeners } from './compose/listeners.ts';
import { openOperators } from './compose/operators.ts';
import type { RunningServer, ServerOptions } from './compose/server-options.ts';
import { openSessions } from './compose/sessions.ts';
import { openCatalog, openStorage } from './compose/storage.ts';
import { openStreams } from './compose/streams.ts';
import { openSubscribers } from './compose/subscribers.ts';
import { openVod, readableFolders } from './compose/vod.ts';
import type { Config } from './config/config.ts';
import { EventServices } from './control/event-services.ts';
import { CertificateFiles } from './host/certificate-files.ts';
import { ClosingStack } from './compose/closing-stack.ts';

/** How long stopping may take, in all and for each part, in milliseconds; the window waits a little longer. */
const CLOSE_MS = 8000;
const CLOSE_STEP_MS = 5000;

/** The whole media server, without a window. Opens its units in order and closes them in reverse. */
export class AirdeskServer {
  readonly #options: ServerOptions;
  readonly #closing: ClosingStack;

  constructor(options: ServerOptions) {
    this.#options = options;
    this.#closing = new ClosingStack({ clock: options.clock, totalMs: CLOSE_MS, stepMs: CLOSE_STEP_MS });
  }

  /** Starts everything, once; resolves when it serves. Raises what keeps it from serving, with everything closed that was open. */
  async start(): Promise<RunningServer> {
    try {
      return await this.#open();
    } catch (error) {
      await this.#closing.close();
      throw error;
    }
  }

  /** Stops everything in reverse order, in bounded time. Returns what did not stop; it is in the log, too. */
  async close(): Promise<readonly string[]> {
    const hung = await this.#closing.close();
    if (hung.length > 0)
      this.#options.log.error('the server stopped; some parts did not close in time', {
        event: 'server_stopped',
        hung: hung.join('; '),
      });
    return hung;
  }

  async #open(): Promise<RunningServer> {
    const options = this.#options;
    const { dataFolder, version, clock, log } = options;
    const closing = this.#closing;
    const startedMs = clock.now();
    let isServing = false;
    const notReady = (): string | null => (isServing ? null : 'The server starts or stops');

    const folder = closing.use('data folder', await openDataFolder(options));
    const storage = closing.use('database', openStorage(options));
    const catalog = closing.use('catalog', openCatalog(options));
    const subscribers = closing.use('subscribers', openSubscribers(options));
    const events = closing.use(
      'event queues',
      await EventServices.open({ dataFolder, server: hostname(), version, clock, log }),
    );
    const apply = async (config: Config): Promise<void> => {
      events.apply(config);
      operators.apply(config);
      engine.allowFolders(readableFolders(config, dataFolder));
      await certificates.apply(config);
      vod.apply(config);
      ads.apply(config);
      sessions.apply(config);
      http.ports.apply(config);
      engine.limitRtmp(config);
      await Promise.all([listeners.apply(config), streams.apply(config), archive.apply(config)]);
    };
    const configured = closing.use(
      'configuration',
      await openConfiguration({ options, storage, events: events.bus, apply }),
    );
    const { configuration } = configured;
    const { config } = configuration;

    events.bus.emit('server_starting', { version });
    const certificates = closing.use('certificates', new CertificateFiles({ folder: dataFolder, clock, log }));
    const operators = closing.use(
      'logins',
      openOperators({ clock, log, settings: config, events: events.bus, storage }),
    );
    const codec = closing.use('codec processes', openCodec(options));
    const listeners = openListeners(options, events.bus, {
      http: (wanted) => http.ports.listen(wanted),
      rtmp: (wanted) => engine.listenRtmp({ ...wanted, ...(wanted.kind === 'rtmps' ? { tls: certificates } : {}) }),
      connections: () => ({ http: http.ports.limits, rtmp: engine.rtmpConnections }),
    });
    const archive = closing.use(
      'archive',
      openArchive({
        ...{ options, config, events: events.bus, store: await catalog.store },
        ...{ locks: storage.archiveLocks, episodes: storage.episodes },
        exportJobs: storage.exportJobs,
        cutPictures: codec.cutPictures,
        streams: () => streams,
      }),
    );
    const streams = openStreams({
      options,
      config,
      events: events.bus,
      begun: (entry) => {
        archive.follow(entry);
      },
      engine: () => engine,
    });
    const engine = closing.use(
      'engine',
      openEngine({ options, codec, streams, sessions: () => sessions, ownPorts: listeners.ownPorts }),
    );
    await engine.start();
    engine.allowFolders(readableFolders(config, dataFolder));
    const vod = closing.use('files', openVod({ options, config, streams: streams.streams }));
    const ads = closing.use('clips', openAds({ options, config, events: events.bus }));
    const sessions = openSessions({
      clock,
      log,
      events: events.bus,
      streams: streams.streams,
      files: vod.played,
      ads: ads.advertisements,
      config: () => configuration.config,
      folder: dataFolder,
    });
    const alerts = (): Record<string, string> =>
      alertsOf({ options, folder, storage, configuration: configured, listeners, certificates, archive, subscribers });
    const rooms = {
      storage,
      events,
      configuration,
      certificates,
      operators,
      codec,
      listeners,
      streams,
      sessions,
      vod,
      ads,
      subscribers,
    };
    const http = closing.use(
      'http',
      await openHttp({ ...rooms, options, startedMs, engine, archive, alerts, notReady }),
    );
    closing.use('connections', http.ports);
    closing.use('listeners', listeners);
    // Viewers and publishers end with a reason before their connections close, and no change meets what is closed.
    closing.use('sessions', sessions).start();
    closing.use('streams', streams);
    closing.use('changes of the configuration', configured);

    await certificates.apply(config);
    http.ports.apply(config);
    engine.limitRtmp(config);
    await listeners.apply(config);
    listeners.requireHttp();
    // Nothing of the queues is touched by a server that cannot have its port.
    events.apply(configuration.config);
    await streams.start(configuration.config);
    isServing = true;
    closing.use('announcement', {
      close() {
        isServing = false;
        events.bus.emit('server_stopping', { version });
      },
    });
    events.bus.emit('server_started', { version, base_url: listeners.baseUrl });
    return {
      get url() {
        return `${listeners.baseUrl}/`;
      },
      desk: http.desk,
      reload: () => configured.reload(),
    };
  }
}
