import { printFault, type Fault } from '../../src-preload/contract/api/alarm-faults.ts';
import { existsSync } from 'node:fs';
import { availableParallelism, hostname, totalmem } from 'node:os';
import { join } from 'node:path';
import { AirdeskError } from '../../src-preload/contract/errors.ts';
import { differences } from '../ads/clips/clip-fit.ts';
import type { ApiContext } from '../api/endpoints/api-context.ts';
import { httpApis } from '../api/http-apis.ts';
import { createHttpApp } from '../api/http-app.ts';
import type { LimitFigures } from '../api/metrics/limit-metrics.ts';
import { DOWNLOAD_PREFIX, UPLOAD_PREFIX } from '../api/http/prefixes.ts';
import { downloadRoutes } from '../api/download-routes.ts';
import { uploadRoutes } from '../api/upload-routes.ts';
import { RuntimeMetrics } from '../api/metrics/runtime-metrics.ts';
import type { Configuration } from '../configuration/configuration.ts';
import { CaseService } from '../control/archive/case-service.ts';
import { NoteService } from '../control/archive/note-service.ts';
import { Desk, type DeskOptions } from '../control/desk.ts';
import type { ClipCallsDeps } from '../control/clips/clip-calls.ts';
import type { AlarmService } from '../control/alarms/alarm-service.ts';
import type { StreamEntry } from '../streams/stream-entry.ts';
import type { KeyService } from '../control/system/key-service.ts';
import { InputProbes } from '../control/input-probes.ts';
import { WallService } from '../control/walls/wall-service.ts';
import type { EventServices } from '../control/system/event-services.ts';
import type { Engine } from '../engine/engine.ts';
import type { CertificatePort } from '../delivery/http-edge.ts';
import { FileTurns } from '../lib/file-turns.ts';
import { mediaInfo } from '../streams/media-info.ts';
import { Tally } from '../lib/tally.ts';
import { Tickets } from '../lib/tickets.ts';
import type { LogDownloads } from '../control/log-downloads.ts';
import type { Operators } from '../operators/operators.ts';
import type { ArchiveUnit } from './archive.ts';
import type { CodecUnit } from './codec.ts';
import type { AdsUnit } from './ads.ts';
import type { ClipsUnit } from './clips.ts';
import type { AsRunUnit } from './as-run.ts';
import { HttpPorts, transportPolicy } from './http-ports.ts';
import type { Listeners } from './listeners.ts';
import { openMedia } from './media.ts';
import type { ServerOptions } from './server-options.ts';
import type { SessionUnit } from './sessions.ts';
import type { SubscribersUnit } from './subscribers.ts';
import type { Storage } from './storage.ts';
import type { StreamsUnit } from './streams.ts';
import type { VodUnit } from './vod.ts';

/** Dependencies of `openHttp`. */
export interface HttpDeps {
  readonly options: ServerOptions;
  /** Start of the server, epoch milliseconds. */
  readonly startedMs: number;
  readonly storage: Pick<Storage, 'answerRepository' | 'archiveNotes' | 'archiveCases' | 'walls'>;
  readonly events: EventServices;
  readonly configuration: Configuration;
  readonly certificates: CertificatePort;
  readonly operators: Operators;
  readonly codec: Pick<CodecUnit, 'pictures' | 'makeSprite'>;
  readonly listeners: Listeners;
  readonly streams: Pick<StreamsUnit, 'streams' | 'stats'>;
  readonly sessions: SessionUnit;
  readonly vod: VodUnit;
  readonly ads: AdsUnit;
  readonly clips: Pick<ClipsUnit, 'service' | 'uploads' | 'backends'>;
  readonly subscribers: Pick<SubscribersUnit, 'api' | 'viewers' | 'webhookFigures'>;
  readonly asRun: Pick<AsRunUnit, 'log'>;
  readonly engine: Engine;
  readonly archive: Pick<
    ArchiveUnit,
    'service' | 'exports' | 'switch' | 'recorded' | 'splices' | 'figures' | 'episodes'
  >;
  readonly alarms: AlarmService;
  /** Lost key files, and the confirmation of new ones. */
  readonly keys: KeyService;
  /** Alerts that need an operator. */
  readonly alerts: () => Record<string, Fault>;
  /** Reason why the server is not ready; null while it is ready. */
  readonly notReady: () => string | null;
}

/** HTTP interfaces: the desk, the APIs, media, publishing. */
export interface HttpUnit {
  readonly desk: Desk;
  /** Ports and their connections. */
  readonly ports: HttpPorts;
  close(): Promise<void>;
}

/** Opens the HTTP interfaces. They serve the connections of `ports`. */
export async function openHttp(deps: HttpDeps): Promise<HttpUnit> {
  const { options, operators, certificates, configuration, events } = deps;
  const { clock, log } = options;
  const media = openMedia({
    ...deps,
    streams: deps.streams.streams,
    pictures: deps.codec.pictures,
    makeSprite: deps.codec.makeSprite,
    recorded: deps.archive.recorded,
    archive: deps.archive.service,
  });
  const describe = describeServer(deps);
  const { playbackSessions } = deps.sessions;
  const { deskTokens } = playbackSessions.sessions;
  const viewQuery: DeskOptions['viewQuery'] = (caller, reach) =>
    playbackSessions.viewQuery(
      deskTokens.issue(
        { id: caller.session ?? caller.who, login: caller.who, rights: operators.rightsFingerprint(caller.who) },
        reach,
      ),
    );
  // When the login of a desk ends, the media addresses that this desk has received become invalid.
  const endsOfLogins = [
    operators.onChange(() => deskTokens.keepOnly(({ login, rights }) => operators.rightsFingerprint(login) === rights)),
    operators.onPersonChange((person, keptSession) => {
      deskTokens.keepOnly(({ id, login }) => login !== person || id === keptSession);
    }),
    operators.sessions.onEnd((ended) => deskTokens.keepOnly(({ id }) => id !== ended)),
  ];
  const explainAds: DeskOptions['explainAds'] = (name, id) => {
    const session = playbackSessions.sessions.find(id);
    if (session?.name !== name) return undefined;
    return deps.ads.advertisements.explain(session, deps.streams.streams.outputs.get(name));
  };
  const folders = {
    config: () => configuration.config,
    fileRoot: options.dataFolder,
    files: new FileTurns({ clock, limit: 2 }),
  };
  const switchRecording = (entry: StreamEntry, isOn: boolean): void => {
    deps.archive.switch(entry, isOn);
  };
  const walls = new WallService(deps.storage.walls);
  const { episodes, exports } = deps.archive;
  const cases = new CaseService({ clock, store: deps.storage.archiveCases, episodes, exports });
  const probes = new InputProbes({
    configuration,
    streams: deps.streams.streams,
    engine: deps.engine,
    pictures: deps.codec.pictures,
  });
  const logDownloads: LogDownloads = new Tickets(clock);
  const desk = new Desk({
    logDownloads,
    configuration,
    streams: deps.streams.streams,
    events,
    clock,
    log,
    describe,
    hasSandbox: options.hasSandbox !== false,
    viewQuery,
    isOpenToAll: (name) => playbackSessions.isOpenToAll(name),
    explainAds,
    probes,
    asRun: deps.asRun.log,
    sessions: playbackSessions,
    archive: {
      archive: deps.archive.service,
      splices: deps.archive.splices,
      exports: deps.archive.exports,
      downloadPath: (ticket) => DOWNLOAD_PREFIX + ticket,
      notes: new NoteService(clock, deps.storage.archiveNotes),
    },
    cases,
    clips: {
      clips: deps.clips.service,
      files: deps.clips.uploads,
      backends: deps.clips.backends,
      uploadPath: (ticket) => UPLOAD_PREFIX + ticket,
      folders,
      streams: deps.streams.streams,
      compare: compareClip(deps),
    },
    subscribers: deps.subscribers.api,
    alarms: deps.alarms,
    walls,
    logins: operators,
    switchRecording,
    quality: (entry) => deps.streams.stats.quality(entry),
    system: {
      facts: () => ({ version: options.version, startedMs: deps.startedMs }),
      process,
      machine: () => ({ cores: availableParallelism(), memoryBytes: totalmem() }),
      figures: () => deps.streams.stats.figures(),
      listeners: () => deps.listeners.facts(),
      limits: () => limits(),
      archive: deps.archive.figures,
      keys: deps.keys,
      alerts: deps.alerts,
    },
  });
  const context: ApiContext = {
    streams: deps.streams.streams,
    stats: deps.streams.stats,
    sessions: playbackSessions,
    switchRecording,
    archive: deps.archive.service,
    archiveFigures: deps.archive.figures,
    episodes: deps.archive.episodes,
    clock,
    ...folders,
    keys: deps.keys,
    openFiles: () => deps.vod.views(),
    describe: () => ({ ...describe(), listeners: deps.listeners.facts() }),
  };
  const refused = new Tally();
  const cut = new Tally<'head' | 'body' | 'reply'>();
  const limits = (): LimitFigures => ({
    connections: { open: ports.limits.total, limit: ports.limits.limit },
    rtmpConnections: { open: deps.engine.rtmpConnections.total, limit: deps.engine.rtmpConnections.limit },
    refusedConnections: ports.limits.refused.entries(),
    cutConnections: cut.entries(),
    refusedRequests: refused.entries(),
    refusedViewers: playbackSessions.sessions.refused.entries(),
    refusedPublishers: deps.sessions.authorizer.refused.entries(),
    refusedLogins: operators.refused.entries(),
    quarantine: deps.streams.streams.quarantine.counters,
    lostAdRows: deps.asRun.log.lostRows,
    webhooks: deps.subscribers.webhookFigures,
    openFiles: deps.listeners.openFiles,
    threads: deps.streams.stats.figures().threads,
  });
  const runtime = new RuntimeMetrics(context, limits);
  const transport = transportPolicy(configuration, operators, () =>
    deps.listeners.facts().map(({ protocol, port }) => ({ kind: protocol, openPort: port })),
  );
  const { app, server } = await createHttpApp({
    desk,
    transport,
    access: operators,
    clock,
    routes: [
      uploadRoutes(deps.clips.uploads),
      downloadRoutes([logDownloads, ...(deps.archive.exports ? [deps.archive.exports.downloads] : [])]),
      httpApis({
        configuration,
        context,
        runtime,
        alerts: () =>
          Object.fromEntries(Object.entries(deps.alerts()).map(([about, fault]) => [about, printFault(fault)])),
        collections: {
          eventSinkState: (name) => events.sinks.state(name),
          answerRepository: deps.storage.answerRepository,
          explainAds,
          probes,
          asRun: deps.asRun.log,
          alarms: deps.alarms,
          exports: deps.archive.exports,
          clips: deps.clips.service,
          uploads: deps.clips.uploads,
          cases,
          walls,
          logins: operators,
          tokenUsedMs: (name) => operators.tokenUsedMs(name),
          notReady: deps.notReady,
        },
        subscribers: { ...deps.subscribers.api, viewers: deps.subscribers.viewers },
      }),
    ],
    log,
    events: events.bus,
    findSubject: (operation, input) => desk.subjectOf(operation, input),
    deskFolder: options.deskFolder,
    playerFolders: [join(options.resources, 'player'), options.playerLibraryFolder].filter((path) => existsSync(path)),
    media: (request, response) => media.handle(request, response),
    refused,
    cut,
  });
  const ports = new HttpPorts({
    clock,
    log,
    certificate: certificates,
    handler: media.handler,
    access: operators,
    transport,
    control: server,
    refused,
    cut,
  });
  return {
    desk,
    ports,
    async close() {
      for (const end of endsOfLogins) end();
      desk.close();
      runtime.close();
      await app.close();
    },
  };
}

/** Describes a file, and compares it with the output of a stream with the same check as before an insertion. */
function compareClip({ ads, streams: { streams } }: HttpDeps): ClipCallsDeps['compare'] {
  return async (path, name) => {
    const window = name === undefined ? undefined : streams.outputs.get(name)?.window;
    if (name !== undefined && (!window || window.tracks.length === 0))
      throw new AirdeskError('stream_not_running', `${name.slice(0, 200)} has no picture at the moment`);
    const clip = await ads.inspect(path);
    if ('detail' in clip)
      return { detail: clip.detail, explanation: clip.explanation ?? null, differences: [], media_info: null };
    const info = mediaInfo(clip.tracks.map(({ track, rate }) => ({ track, bitrate: rate.average ?? rate.peak })));
    return {
      detail: '',
      explanation: null,
      differences: window ? [...differences(clip, window)] : [],
      media_info: info && { ...info, duration: clip.durationMs },
    };
  };
}

function describeServer({ options, startedMs, listeners, operators }: HttpDeps): DeskOptions['describe'] {
  return () => ({
    version: options.version,
    hostname: hostname(),
    started_at: startedMs,
    base_url: listeners.baseUrl,
    rtmp_url: listeners.rtmpUrl,
    has_edit_login: operators.hasEditLogin,
    has_view_login: operators.hasViewLogin,
  });
}
