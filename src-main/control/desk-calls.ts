import { AirdeskError } from '../../src-preload/contract/errors.ts';
import type { CALLS, ServerInfo } from '../../src-preload/contract/index.ts';
import type { StreamQuality } from '../../src-preload/contract/api/streams.ts';
import { configCalls } from '../configuration/configuration-calls.ts';
import type { Caller } from '../operators/caller.ts';
import type { Handlers } from '../operators/handlers.ts';
import { isInScope, isLogin, requireAllStreams, watchReach } from '../operators/require.ts';
import { selectInput } from '../streams/select-input.ts';
import type { StreamEntry } from '../streams/stream-entry.ts';
import { isEventInScope } from './desk-scope.ts';
import { archiveCalls, type ArchiveCallsDeps } from './archive/archive-calls.ts';
import { caseOperations } from './archive/case-operations.ts';
import type { CaseService } from './archive/case-service.ts';
import { clipCalls, type ClipCallsDeps } from './clips/clip-calls.ts';
import type { TokenReach } from '../sessions/desk-tokens.ts';
import { sessionCalls } from './sessions/session-calls.ts';
import type { SessionSource } from './sessions/playback-sessions.ts';
import { alarmOperations } from './alarms/alarm-operations.ts';
import type { AlarmService } from './alarms/alarm-service.ts';
import { wallOperations } from './walls/wall-operations.ts';
import type { WallService } from './walls/wall-service.ts';
import type { DeskTopics, DeskTopicsOptions } from './desk-topics.ts';
import { logDownloads, type LogDownloadDeps, type LogDownloads } from './log-downloads.ts';
import { streamOperations, type StreamServices } from './stream-operations.ts';
import { addRecording, addStream, disableStreams, recordStreams, removeStreams, undoVersion } from './stream-edits.ts';
import { peopleOperations, type PeopleServices } from './system/people-operations.ts';
import { diagnostics } from './system/diagnostics.ts';
import { systemState, type SystemPort } from './system/system-state.ts';
import { portalOperations } from './subscribers/portal-operations.ts';
import { subscriberOperations, type SubscriberServices } from './subscribers/subscriber-operations.ts';

export interface DeskCallsOptions extends DeskTopicsOptions, Pick<StreamServices, 'explainAds' | 'probes'> {
  readonly asRun: StreamServices['asRun'] & LogDownloadDeps['asRun'];
  readonly alarms: AlarmService;
  readonly walls: WallService;
  /** Switches the recording of a stream on or off until its next restart. */
  readonly switchRecording: (entry: StreamEntry, isOn: boolean) => void;
  /** Quality of a stream in the last hour. */
  readonly quality: (entry: StreamEntry) => StreamQuality;
  /** False if a window runs without the sandbox of Chromium. */
  readonly hasSandbox: boolean;
  /** Information about the server that only the composition root has. */
  readonly describe: () => Pick<
    ServerInfo,
    'version' | 'hostname' | 'started_at' | 'base_url' | 'rtmp_url' | 'has_edit_login' | 'has_view_login'
  >;
  /** Viewers. */
  readonly sessions: SessionSource;
  /** Recordings. */
  readonly archive: Omit<ArchiveCallsDeps, 'clock' | 'alarms' | 'streams'>;
  /** Named collections of archive ranges. */
  readonly cases: CaseService;
  readonly logDownloads: LogDownloads;
  /** Files of VOD locations, and the conversion to clips. */
  readonly clips: ClipCallsDeps;
  /** State of the process and its machine. */
  readonly system: SystemPort;
  /** Portals and their subscribers. */
  readonly subscribers: SubscriberServices;
  /** Named logins and sessions of desks. */
  readonly logins: PeopleServices;
  /** Query that lets the caller's desk play streams without being a viewer. */
  readonly viewQuery: (caller: Caller, reach: TokenReach) => string;
}

export function deskCalls(options: DeskCallsOptions, shown: DeskTopics['streams']): Handlers<typeof CALLS> {
  const { configuration, streams, events } = options;
  return {
    'server.info': (_, { caller }) => serverInfo(options, caller),
    'streams.list': ({ max }, { caller }) => {
      const names = shown.names().filter((name) => isInScope(caller, name));
      return { streams: shown.statesOf(names.slice(0, max)) };
    },
    'streams.add': async (request, { by, caller }) => {
      await addStream(configuration, request, by, () => requireAllStreams(caller));
      return { name: request.name, publish_urls: shown.statesOf([request.name])[0]?.publish_urls ?? [] };
    },
    'streams.remove': async ({ name }, { by }) => ({
      version: undoVersion(configuration, await removeStreams(configuration, streams, [name], by)),
    }),
    'streams.remove_all': async ({ names }, { by }) => ({
      version: undoVersion(configuration, await removeStreams(configuration, streams, names, by)),
    }),
    'streams.disable_all': async ({ names, is_disabled: isDisabled }, { by }) => ({
      version: await disableStreams(configuration, names, isDisabled, by),
    }),
    'streams.record_all': ({ names, is_recorded: isRecorded }) =>
      recordStreams(streams, names, isRecorded, options.switchRecording),
    'streams.add_recording': ({ names }, { by, caller }) =>
      addRecording(configuration, streams, names, by, () => requireAllStreams(caller)),
    'streams.select_input': ({ name, input }) => ({ selected_input: selectInput(streams, name, input) }),
    'streams.transmissions': ({ name, push }) => ({ transmissions: [...streams.transmissions(name, push)] }),
    'streams.quality': ({ name }) => {
      const entry = streams.get(name);
      if (!entry) throw new AirdeskError('stream_not_found', `There is no stream ${name}`);
      return options.quality(entry);
    },
    ...streamOperations(options),
    ...configCalls(configuration, (name) => {
      const entry = streams.get(name);
      return entry && { viewers: entry.output.viewerCount, hasPublisher: entry.isPublished };
    }),
    ...alarmOperations(options),
    ...logDownloads({ ...options, downloadPath: options.archive.downloadPath }),
    ...wallOperations(options),
    'events.recent': (query, { caller }) => ({
      events: events.recent(query, (event) => isEventInScope(event, caller)),
    }),
    'events.test_sink': ({ name }, { by }) => {
      if (!events.sinks.test(name, by.who)) throw noSink(name);
    },
    'events.replay_sink': async ({ name }) => {
      const replayed = await events.sinks.replay(name);
      if (!replayed) throw noSink(name);
      return { count: replayed.count, is_more: replayed.isMore };
    },
    'events.sinks': () => ({ sinks: [...events.sinks.states().values()] }),
    ...sessionCalls(options.sessions, () => options.clock.now()),
    ...archiveCalls({ ...options.archive, streams, clock: options.clock, alarms: options.alarms }),
    ...caseOperations(options),
    ...clipCalls(options.clips),
    ...portalOperations(options.subscribers),
    ...subscriberOperations(options.subscribers),
    ...peopleOperations(options),
    'system.state': () => systemState(options.system),
    'system.diagnostics': (_, { caller }) => diagnostics(options, shown, caller),
    'system.confirm_keys': (_, { by }) => {
      options.system.keys.renew(by);
    },
  };
}

function serverInfo(
  { configuration, clock, describe, hasSandbox, viewQuery }: DeskCallsOptions,
  caller: Caller,
): ServerInfo {
  const reach = watchReach(caller);
  return {
    ...describe(),
    now: clock.now(),
    live_prefixes: [...configuration.config.livePrefixes.values()]
      .filter((live) => live.isPublishAllowed)
      .flatMap((live) => live.prefixes)
      .filter((prefix) => isInScope(caller, prefix)),
    wall_origins: [...configuration.config.wallOrigins],
    is_demo: configuration.isDemo,
    config_error: caller.prefixes ? null : configuration.error,
    may_operate: caller.mayWrite || caller.mayOperate === true,
    may_write: caller.mayWrite,
    ...(isLogin(caller) ? { login: caller.who } : {}),
    ...(caller.role === undefined ? {} : { role: caller.role }),
    ...(caller.session === undefined ? {} : { has_session: true as const }),
    ...(caller.prefixes ? { prefixes: [...caller.prefixes] } : {}),
    ...(hasSandbox ? {} : { no_sandbox: true as const }),
    may_watch_all: reach !== 'open',
    view_query: viewQuery(caller, reach),
  };
}

function noSink(name: string): AirdeskError {
  return new AirdeskError('not_found', `There is no event sink ${name.slice(0, 100)}`);
}
