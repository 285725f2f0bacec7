import { alertsOf, type Alerts } from './compose/alerts.ts';
import { ClosingStack } from './compose/closing-stack.ts';
import { openConfiguration } from './compose/configuration.ts';
import { openHttp } from './compose/http.ts';
import { KeyService } from './control/system/key-service.ts';
import { openDatabases } from './compose/databases.ts';
import { openListeners } from './compose/listeners.ts';
import { openOperators } from './compose/operators.ts';
import { openMonitor } from './compose/monitor/open-monitor.ts';
import { openMediaUnits } from './compose/media-units.ts';
import type { RunningServer, ServerOptions } from './compose/server-options.ts';
import type { Config } from './config/schema/config.ts';
import { CertificateFiles } from './host/certificate-files.ts';

/** Maximum time for stopping all units, and for one unit, in milliseconds. The window waits a little longer. */
const CLOSE_MS = 8000;
const CLOSE_STEP_MS = 5000;

/** The media server, without a window. Opens its units in order and closes them in reverse order. */
export class AirdeskServer {
  readonly #options: ServerOptions;
  readonly #closing: ClosingStack;

  constructor(options: ServerOptions) {
    this.#options = options;
    this.#closing = new ClosingStack({ clock: options.clock, totalMs: CLOSE_MS, stepMs: CLOSE_STEP_MS });
  }

  /** Starts the server, once; resolves when it serves. If the start fails, closes all open units and rejects with the reason. */
  async start(): Promise<RunningServer> {
    try {
      return await this.#open();
    } catch (error) {
      await this.#closing.close();
      throw error;
    }
  }

  /** Closes the units in reverse order, in bounded time. Returns the names of units that did not close, and logs them. */
  async close(): Promise<readonly string[]> {
    const hung = await this.#closing.close();
    if (hung.length > 0)
      this.#options.log.error('the server stopped, but some parts did not close in time', {
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
    let hasHttp = false;
    const notReady = (): string | null => (isServing ? null : 'The server is starting or stopping');

    const db = await openDatabases(options, closing);
    const { events, storage } = db;
    const apply = async (config: Config): Promise<void> => {
      events.apply(config);
      operators.apply(config);
      await certificates.apply(config);
      media.apply(config);
      http.ports.apply(config);
      await Promise.all([listeners.apply(config), media.streams.apply(config), media.archive.apply(config)]);
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
    const listeners = openListeners(options, events.bus, {
      http: (listener) => http.ports.listen(listener),
      rtmp: (listener) =>
        media.engine.listenRtmp({ ...listener, ...(listener.kind === 'rtmps' ? { tls: certificates } : {}) }),
      connections: () => ({ http: http.ports.limits, rtmp: media.engine.rtmpConnections }),
    });
    const media = await openMediaUnits({ options, configuration, databases: db, listeners, closing });
    const keys = new KeyService([storage.seal.file, db.subscribers.key, media.asRun.key], log);
    const alerts = (): Alerts =>
      alertsOf({ ...db, options, configuration: configured, listeners, certificates, archive: media.archive, keys });
    const watch = {
      options,
      events,
      // Alarms are measured from the first second, before the counters of the HTTP listeners exist.
      alerts: (): Alerts => (hasHttp ? alerts() : {}),
      probe: media.codec.probe,
      picture: media.codec.pictures.of.bind(media.codec.pictures),
      lock: media.archive.lockForAlarm,
      store: db.storage.alarms,
      backends: () => media.sessions.troubles,
      diskSpaces: () => [...(db.folder.space ? [db.folder.space] : []), ...media.archive.diskSpaces],
      config: () => configuration.config,
    };
    const monitor = closing.use('alarms', openMonitor({ ...watch, streams: media.streams.streams }));
    const units = { ...db, ...media, keys, configuration, certificates, operators, listeners };
    const http = closing.use(
      'http',
      await openHttp({ ...units, alarms: monitor.service, options, startedMs, alerts, notReady }),
    );
    hasHttp = true;
    closing.use('connections', http.ports);
    closing.use('listeners', listeners);
    // Units close in reverse order: sessions and publishers end with a reason before their connections close, and a change
    // of the configuration cannot reach a closed unit.
    closing.use('sessions', media.sessions).start();
    closing.use('streams', media.streams);
    closing.use('changes of the configuration', configured);

    await certificates.apply(config);
    http.ports.apply(config);
    media.engine.limitRtmp(config);
    await listeners.apply(config);
    listeners.requireHttp();
    // After the ports are open, so that a start that fails leaves the event queues unchanged.
    events.apply(configuration.config);
    await media.streams.start(configuration.config);
    await media.archive.find();
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
