import { systemClock } from '../../src-main/lib/clock.ts';
import { AirdeskError } from '../../src-preload/contract/errors.ts';
import { FileTurns } from '../../src-main/lib/file-turns.ts';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import { httpApis } from '../../src-main/api/http-apis.ts';
import { createHttpApp } from '../../src-main/api/http-app.ts';
import { ConfigFile } from '../../src-main/config/config-file.ts';
import { PersonRepository } from '../../src-main/db/person-repository.ts';
import { Operators } from '../../src-main/operators/operators.ts';
import { RuntimeMetrics } from '../../src-main/api/metrics/runtime-metrics.ts';
import { Configuration } from '../../src-main/configuration/configuration.ts';
import { ConfigurationHistory } from '../../src-main/configuration/configuration-history.ts';
import { ServerStats } from '../../src-main/streams/server-stats.ts';
import type { SessionView } from '../../src-main/control/sessions/playback-sessions.ts';
import type { StreamEntry } from '../../src-main/streams/stream-entry.ts';
import { Streams } from '../../src-main/streams/streams.ts';
import { ConfigVersionReader } from '../../src-main/db/config-version-reader.ts';
import { ConfigVersionWriter } from '../../src-main/db/config-version-writer.ts';
import type { DeskCallsOptions } from '../../src-main/control/desk-calls.ts';
import { Database } from '../../src-main/db/database.ts';
import { JobRepository } from '../../src-main/db/job-repository.ts';
import { AnswerRepository } from '../../src-main/db/answer-repository.ts';
import { ABSENT_SERVICES } from './absent-services.ts';
import type { ClipCallsDeps } from '../../src-main/control/clips/clip-calls.ts';
import type { SubscriberServices } from '../../src-main/control/subscribers/subscriber-operations.ts';
import { LogProofService } from '../../src-main/control/subscribers/log-proof-service.ts';
import {
  OperationExportService,
  OperationExportJobs,
  type OperationExportJob,
} from '../../src-main/control/subscribers/operation-export-service.ts';
import { OperationExportWriter } from '../../src-main/control/subscribers/operation-export-writer.ts';
import { jobStore } from '../../src-main/compose/job-store.ts';
import { PortalService, type KeyRefusal } from '../../src-main/control/subscribers/portal-service.ts';
import { ViewerAccess } from '../../src-main/control/subscribers/viewer-access.ts';
import { ViewerTokenService } from '../../src-main/control/subscribers/viewer-token-service.ts';
import { WebhookPosts } from '../../src-main/control/subscribers/webhook-posts.ts';
import { SecretSeal } from '../../src-main/control/subscribers/secret-seal.ts';
import { WebhookDeliveries } from '../../src-main/control/subscribers/webhook-deliveries.ts';
import { WebhookService } from '../../src-main/control/subscribers/webhook-service.ts';
import { DatabaseWorker } from '../../src-main/db/thread/database-worker.ts';
import { SubscribersOnThread } from '../../src-main/db/thread/subscribers-on-thread.ts';
import { TextSeal } from '../../src-main/db/text-seal.ts';
import { archiveServices } from './archive-services.ts';
import { FakeClock } from './fake-clock.ts';
import { VodUploads } from '../../src-main/clips/vod-uploads.ts';
import { locationsOf } from '../../src-main/compose/vod.ts';
import type { VodLocation } from '../../src-main/vod/vod-location.ts';
import { silentLog } from '../../src-main/lib/log.ts';
import { AnswerCheck } from './answer-check.ts';
import { StagedArchive } from './staged-archive.ts';
import { StagedEngine } from './staged-engine.ts';
import { portalsOf, sessionSource } from './session-source.ts';

/** Reply with its body, parsed if it is JSON. */
export interface StageAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Headers;
}

const PREFIX = '/mediaserver/api/v3';

/**
 * Collection API on a free port, over a real configuration file, with streams without a media thread. Every reply is compared
 * with the OpenAPI document.
 */
export class CollectionStage {
  readonly clock = new FakeClock();
  readonly engine = new StagedEngine();
  readonly sessions = new Map<string, SessionView>();
  readonly #folder = mkdtempSync(join(tmpdir(), 'airdesk-collections-'));
  readonly #database: Database;
  #closeApp: (() => Promise<void>) | undefined;
  #configuration: Configuration | undefined;
  #streams: Streams | undefined;
  #check: AnswerCheck | undefined;
  readonly #subscribers = new DatabaseWorker({ entry: undefined, clock: systemClock, log: silentLog });
  /** Base address without a slash at the end. */
  url = '';
  /** Archives of the stage. */
  readonly archive = new StagedArchive(this.clock);
  /** Reported wrong keys of portals. */
  readonly keyRefusals: KeyRefusal[] = [];
  /** Signs past hours of the logs. */
  signDigests: () => Promise<void> = () => Promise.resolve();
  /** Rights of viewers with a token of a subscriber. */
  viewers: ViewerAccess | undefined;
  /** Calls of the desk about portals and their subscribers. */
  subscriberServices: SubscriberServices | undefined;
  /** Ends deliveries of webhooks. */
  closeDeliveries: () => Promise<void> = () => Promise.resolve();
  /** Restarts deliveries with the state of the database. */
  restartDeliveries: () => Promise<void> = () => Promise.resolve();
  /** Reason why the server is not ready. */
  notReady: string | null = null;
  /** Names of the queries to the subscriber database. */
  readonly queryNames: string[] = [];
  /** Logged faults of the server. */
  readonly faults: string[] = [];

  private constructor() {
    this.#database = Database.open(join(this.#folder, 'airdesk.db'), { log: silentLog, now: () => this.clock.now() });
  }

  /** Serves the collections over a configuration text. */
  static async start(text: string): Promise<CollectionStage> {
    const stage = new CollectionStage();
    await stage.#start(text);
    return stage;
  }

  get configuration(): Configuration {
    if (!this.#configuration) throw new Error('the stage has not started');
    return this.#configuration;
  }

  get streams(): Streams {
    if (!this.#streams) throw new Error('the stage has not started');
    return this.#streams;
  }

  /** Calls of the desk about archives: notes are stored in the database, and there are no exports. */
  get archiveCalls(): DeskCallsOptions['archive'] {
    const { notes } = this.archiveServices;
    const none = { splices: undefined, exports: undefined };
    return { archive: this.archive.service, ...none, downloadPath: (ticket) => ticket, notes };
  }

  /** Calls of the desk about clips, without a codec process; no file has the format of a stream. */
  get clipCalls(): ClipCallsDeps {
    const refuse = (): Promise<never> => Promise.reject(new AirdeskError('unavailable', 'No clips here'));
    return {
      clips: {
        list: () => [],
        get: () => undefined,
        progress: () => undefined,
        requireLocation: () => undefined,
        survey: refuse,
        create: refuse,
        remove: refuse,
      },
      files: { announce: refuse, put: refuse, remove: refuse },
      backends: { list: () => Promise.resolve([]), save: refuse, remove: refuse },
      uploadPath: (ticket) => `/-/upload/${ticket}`,
      folders: {
        config: () => this.configuration.config,
        fileRoot: this.#folder,
        files: new FileTurns({ clock: systemClock, limit: 2 }),
      },
      streams: this.streams,
      compare: refuse,
    };
  }

  /** Uploads into the folders of VOD locations. */
  get uploads(): VodUploads {
    const { folders } = this.clipCalls;
    const locations = (): Map<string, VodLocation> =>
      new Map(locationsOf(folders.config(), this.#folder).map((location) => [location.prefix, location]));
    return new VodUploads({ clock: systemClock, locations, files: folders.files });
  }

  /** OpenAPI document of the server. */
  get document(): unknown {
    return this.#check?.document;
  }

  /** The configuration file. */
  get text(): string {
    return readFileSync(join(this.#folder, 'airdesk.conf'), 'utf8');
  }

  /** Notes and cases of archives, in the database. */
  get archiveServices(): ReturnType<typeof archiveServices> {
    return archiveServices(this.#database.connection, { clock: this.clock, episodes: this.archive.episodes });
  }

  async #start(text: string): Promise<void> {
    const { clock, sessions } = this;
    const path = join(this.#folder, 'airdesk.conf');
    writeFileSync(path, text);
    const seal = TextSeal.ofFile(join(this.#folder, 'airdesk.key'));
    const history = new ConfigurationHistory(
      {
        reader: new ConfigVersionReader(this.#database.connection, seal),
        writer: new ConfigVersionWriter(this.#database.connection, seal),
      },
      silentLog,
    );
    const configuration = await Configuration.load({
      file: new ConfigFile(path),
      history,
      demoText: '',
      apply: (config) => this.streams.apply(config),
      clock,
      log: silentLog,
    });
    if (configuration.error !== null) throw new Error(configuration.error);
    this.#configuration = configuration;
    const streams = new Streams(configuration.config, { clock, log: silentLog, engine: () => this.engine.engine });
    this.#streams = streams;
    streams.start(configuration.config);
    const stats = new ServerStats({
      clock,
      streams,
      machine: () => Promise.resolve({ busyTicks: 1, totalTicks: 4, memory: 0.5 }),
    });
    const context = {
      configuration,
      streams,
      stats,
      clock,
      sessions: sessionSource(sessions, (name) => portalsOf(configuration.config, streams.get(name))),
      switchRecording: (entry: StreamEntry, isOn: boolean) => {
        entry.isRecordingSwitched = isOn;
      },
      archive: this.archive.service,
      archiveFigures: this.archive.figures,
      episodes: this.archive.episodes,
      keys: { lost: [], renew: () => undefined },
      openFiles: () => [],
      fileRoot: this.#folder,
      files: new FileTurns({ clock: systemClock, limit: 2 }),
      config: () => configuration.config,
      describe: () => ({
        version: '0.0.0',
        hostname: 'host.example.org',
        started_at: clock.now(),
        base_url: 'http://127.0.0.1:80',
        rtmp_url: null,
        listeners: [],
      }),
    };
    await this.#subscribers.open('subscribers-open', join(this.#folder, 'subscribers.db'));
    const store = new SubscribersOnThread({
      call: (name, ...input) => {
        const [query] = input;
        this.queryNames.push(name === 'subscribers-read' ? (query as { readonly name: string }).name : name);
        return this.#subscribers.call(name, ...input);
      },
    });
    const secretSeal = new SecretSeal(() => seal);
    const posts = new WebhookPosts({ clock, seal: secretSeal });
    const newDeliveries = () =>
      new WebhookDeliveries({
        store: () => Promise.resolve(store),
        clock,
        log: silentLog,
        random: () => 0,
        posts,
      });
    let deliveries = newDeliveries();
    this.closeDeliveries = () => deliveries.close();
    this.restartDeliveries = () => (deliveries = newDeliveries()).start();
    const viewers = new ViewerAccess({ store: () => Promise.resolve(store), clock });
    this.viewers = viewers;
    const portals = new PortalService({
      store: () => Promise.resolve(store),
      clock,
      recorded: (portalId, command) => {
        deliveries.recorded(portalId);
        viewers.commanded(command);
      },
      portalChanged: () => {
        viewers.changed();
      },
      keyRefused: (refusal) => this.keyRefusals.push(refusal),
    });
    const webhooks = new WebhookService({
      store: () => Promise.resolve(store),
      clock,
      portals,
      posts,
      seal: secretSeal,
      deliveries: {
        changed: (...webhook) => {
          deliveries.changed(...webhook);
        },
      },
    });
    const signingKey = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const logProof = new LogProofService({
      store: () => Promise.resolve(store),
      signingKey: () => Promise.resolve(signingKey),
    });
    const viewerTokens = new ViewerTokenService({ store: () => Promise.resolve(store), clock, portals, viewers });
    const exportJobs = new OperationExportJobs({
      clock,
      store: jobStore<OperationExportJob>(new JobRepository(this.#database.connection, 'operation_export_job')),
      runner: new OperationExportWriter(() => Promise.resolve(store)),
      codes: { failed: 'export_failed', cancelled: 'export_cancelled' },
      ended: () => undefined,
      unstored: () => undefined,
    });
    const exports = new OperationExportService({ clock, jobs: exportJobs, folder: join(this.#folder, 'exports') });
    this.subscriberServices = { portals, webhooks, logProof, viewerTokens, exports };
    this.signDigests = async () => {
      await store.write({ kind: 'digests', privateKey: signingKey, nowMs: clock.now() });
    };
    const runtime = new RuntimeMetrics(context);
    const log = {
      ...silentLog,
      error: (message: string, fields: unknown) => void this.faults.push(`${message} ${JSON.stringify(fields)}`),
    };
    const access = new Operators({
      settings: configuration.config,
      clock,
      hostname: 'host.example.org',
      notify: () => undefined,
      people: new PersonRepository(this.#database.connection),
    });
    const { app, server } = await createHttpApp({
      desk: { call: () => Promise.resolve({ ok: true, value: {} }), subscribe: () => undefined },
      clock,
      access,
      routes: [
        httpApis({
          configuration,
          context,
          runtime,
          alerts: () => ({}),
          collections: {
            answerRepository: new AnswerRepository(this.#database.connection),
            ...ABSENT_SERVICES,
            clips: this.clipCalls.clips,
            uploads: this.uploads,
            cases: this.archiveServices.cases,
            logins: access,
            notReady: () => this.notReady,
          },
          subscribers: { portals, webhooks, logProof, viewers, viewerTokens, exports },
        }),
      ],
      log,
      deskFolder: undefined,
      playerFolders: [],
      media: () => false,
    });
    // Fastify does not close this port, because the stage opened it. An open port would keep the APIs in memory until
    // the last test file.
    this.#closeApp = async () => {
      server.close().closeAllConnections();
      await app.close();
      runtime.close();
      streams.close();
    };
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    this.#check = AnswerCheck.of(await (await fetch(`${this.url}${PREFIX}/schema`)).text());
  }

  /** Gives frames to all open streams, so that they are alive. */
  feed(change: Parameters<StagedEngine['status']>[1] = {}): void {
    for (const spec of this.engine.open.values())
      this.streams.reports.status([
        this.engine.status(spec, { lastUnitMs: this.clock.now(), startedMs: this.clock.now(), ...change }),
      ]);
  }

  /** Status, code and source of the first error of a refused request; otherwise the same as `request`. */
  async refusal(...request: Parameters<CollectionStage['request']>): Promise<unknown[]> {
    const { status, body } = await this.request(...request);
    const { errors, error } = body as {
      readonly errors: readonly { readonly code: string; readonly source?: unknown }[];
      readonly error: string;
    };
    if (errors[0]?.code !== error) throw new Error(`${error} is not the code of the first of its errors`);
    return [status, error, errors[0]?.source];
  }

  /**
   * Sends a request below the prefix of the collection API, or to another API by its complete path.
   *
   * @param body JSON, or a text that is sent unchanged
   */
  async request(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<StageAnswer> {
    const hasBody = body !== undefined;
    // The document contains other APIs with their complete paths.
    const base = /^\/((mediaserver|streamer|tv-management)\/api|-\/)/.test(path) ? this.url : this.url + PREFIX;
    const response = await fetch(base + path, {
      method,
      headers: { ...(hasBody ? { 'content-type': 'application/json' } : {}), ...headers },
      ...(hasBody ? { body: typeof body === 'string' ? body : JSON.stringify(body) } : {}),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
    const parsed: unknown = isJson && text !== '' ? JSON.parse(text) : text;
    if (method !== 'HEAD' && method !== 'OPTIONS')
      this.#check?.verify(method, path, response.status, response.headers.get('content-type'), parsed);
    return { status: response.status, body: parsed, headers: response.headers };
  }

  /**
   * Restores a configuration text for the next test: all streams restart. The clock, the history, and the replies
   * stored by idempotency key are not reset.
   */
  async reset(text: string): Promise<void> {
    for (const next of ['', text]) await this.configuration.changes.replace(next, { who: 'test', fromWhere: 'reset' });
    this.sessions.clear();
    this.faults.length = 0;
    this.notReady = null;
  }

  async close(): Promise<void> {
    await this.#closeApp?.();
    await this.#configuration?.close();
    await this.closeDeliveries();
    await this.#subscribers.close();
    this.#database.close();
    rmSync(this.#folder, { recursive: true, force: true });
    // Test files share a process, and their variables stay in memory until the process ends.
    this.#closeApp = this.#configuration = this.#streams = undefined;
    this.#check = this.viewers = this.subscriberServices = undefined;
    this.closeDeliveries = this.restartDeliveries = this.signDigests = () => Promise.resolve();
  }
}
