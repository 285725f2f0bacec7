import type { Config } from '../config/schema/config.ts';
import type { Configuration } from '../configuration/configuration.ts';
import type { Engine } from '../engine/engine.ts';
import { openAds, type AdsUnit } from './ads.ts';
import { openAsRun, type AsRunUnit } from './as-run.ts';
import { openArchive, type ArchiveUnit } from './archive.ts';
import { openClips, type ClipsUnit } from './clips.ts';
import type { ClosingStack } from './closing-stack.ts';
import { openCodec, type CodecUnit } from './codec.ts';
import { openEngine } from './engine.ts';
import type { Databases } from './databases.ts';
import type { Listeners } from './listeners.ts';
import type { ServerOptions } from './server-options.ts';
import { openSessions, type SessionUnit } from './sessions.ts';
import { openStreams, type StreamsUnit } from './streams.ts';
import { openVod, readableFolders, type VodUnit } from './vod.ts';

/** Dependencies of `openMediaUnits`. */
export interface MediaUnitDeps {
  readonly options: ServerOptions;
  readonly configuration: Pick<Configuration, 'config'>;
  readonly databases: Pick<Databases, 'storage' | 'catalog' | 'events' | 'subscribers'>;
  readonly listeners: Pick<Listeners, 'ownPorts'>;
  readonly closing: ClosingStack;
}

/** Units that receive, record and deliver media (live streams, archives and files), and the sessions of viewers. */
export interface MediaUnits {
  readonly codec: CodecUnit;
  readonly archive: ArchiveUnit;
  readonly streams: StreamsUnit;
  readonly engine: Engine;
  readonly vod: VodUnit;
  readonly ads: AdsUnit;
  readonly clips: ClipsUnit;
  readonly asRun: AsRunUnit;
  readonly sessions: SessionUnit;
  /** Applies a configuration on the units without ports. */
  apply(config: Config): void;
}

/**
 * Opens the media units in order, before any stream runs. The caller closes sessions and streams, because they must
 * close before the ports.
 */
export async function openMediaUnits(deps: MediaUnitDeps): Promise<MediaUnits> {
  const { options, configuration, closing, listeners } = deps;
  const { storage, catalog, subscribers } = deps.databases;
  const { clock, log, dataFolder } = options;
  const { config } = configuration;
  const events = deps.databases.events.bus;

  const codec = closing.use('codec processes', openCodec(options));
  const archive = closing.use(
    'archive',
    openArchive({
      options,
      config,
      events,
      store: await catalog.store,
      cutPictures: codec.cutPictures,
      onCatalogCreated: (listener) => {
        catalog.onCreated(listener);
      },
      pictures: codec.pictures,
      protection: storage.archiveProtection,
      locks: storage.archiveLocks,
      episodes: storage.episodes,
      exportJobs: storage.exportJobs,
      streams: () => streams,
    }),
  );
  const streams = openStreams({
    options,
    config,
    events,
    runStarted: (entry) => {
      archive.follow(entry);
    },
    transmissions: storage.transmissions,
    hasArchive: archive.hasArchive,
    digestOf: (text) => storage.seal.digestOf(text),
    engine: () => engine,
  });
  const engine = closing.use(
    'engine',
    openEngine({ options, codec, streams, sessions: () => sessions, ownPorts: listeners.ownPorts }),
  );
  await engine.start();
  engine.allowFolders(readableFolders(config, dataFolder));
  const vod = closing.use('files', openVod({ options, config, streams: streams.streams }));
  const asRun = closing.use(
    'log of advertisements',
    openAsRun(options, events, () => configuration.config),
  );
  const ads = closing.use('clips', openAds({ options, config, streams: streams.streams, ...asRun }));
  const clips = closing.use(
    'preparation of clips',
    openClips({
      options,
      events,
      repository: storage.clipJobs,
      processes: codec.clips,
      inspect: ads.inspect,
      streams: streams.streams,
      config: () => configuration.config,
    }),
  );
  const sessions = openSessions({
    clock,
    log,
    events,
    streams: streams.streams,
    files: vod.played,
    ads: ads.advertisements,
    config: () => configuration.config,
    folder: dataFolder,
    bans: storage.bans,
    subscribers: subscribers.viewers,
    deskTokenMs: options.deskTokenMs,
  });
  subscribers.viewers.listen((subscriberId) => {
    sessions.playbackSessions.sessions.subscribersChanged(subscriberId);
  });
  subscribers.retain(() => configuration.config);
  return {
    codec,
    archive,
    streams,
    engine,
    vod,
    ads,
    clips,
    asRun,
    sessions,
    apply(now) {
      engine.allowFolders(readableFolders(now, dataFolder));
      engine.limitRtmp(now);
      vod.apply(now);
      ads.apply(now);
      sessions.apply(now);
    },
  };
}
