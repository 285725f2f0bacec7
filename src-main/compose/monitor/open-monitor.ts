import type { Fault } from '../../../src-preload/contract/api/alarm-faults.ts';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Config } from '../../config/schema/config.ts';
import { STREAM_ALARMS } from '../../../src-preload/contract/api/alarm-object.ts';
import { AlarmEvidence, type AlarmEvidenceOptions } from '../../control/alarms/alarm-evidence.ts';
import { AlarmService } from '../../control/alarms/alarm-service.ts';
import { ContentProbes, type ContentProbesOptions } from '../../control/alarms/content-probes.ts';
import type { EventServices } from '../../control/system/event-services.ts';
import { LoudnessService } from '../../control/alarms/loudness-service.ts';
import { messageOf } from '../../lib/error-message.ts';
import { neededContent } from '../../monitor/content.ts';
import { AlarmHistory } from '../../monitor/alarm-history.ts';
import { Alarms } from '../../monitor/alarms.ts';
import { Monitor } from '../../monitor/monitor.ts';
import type { DiskSpace } from '../../control/server-alerts.ts';
import type { BackendTrouble } from '../../sessions/backends.ts';
import type { StreamEntry } from '../../streams/stream-entry.ts';
import type { Streams } from '../../streams/streams.ts';
import { LoudnessLog } from '../../monitor/loudness/loudness-log.ts';
import type { ServerOptions } from '../server-options.ts';
import type { Storage } from '../storage.ts';
import { serverConditions } from './server-conditions.ts';
import { watchedStream, type StreamHistory } from './watched-stream.ts';

/** Dependencies of `openMonitor`. */
export interface MonitorDeps {
  readonly options: Pick<ServerOptions, 'clock' | 'log' | 'dataFolder'>;
  readonly config: () => Config;
  readonly streams: Pick<Streams, 'list' | 'get'>;
  readonly events: Pick<EventServices, 'bus' | 'sinks'>;
  /** Store of the history and the loudness; undefined without a database. */
  readonly store: Storage['alarms'];
  /** Decodes a key frame and some sound. */
  readonly probe: ContentProbesOptions['probe'];
  /** Faults of the server itself, by subject. */
  readonly alerts: () => Readonly<Record<string, Fault>>;
  /** JPEG of a key frame. */
  readonly picture: AlarmEvidenceOptions['picture'];
  /** Locks a range of an archive; false if the stream has no archive. */
  readonly lock: (
    name: string,
    time: { readonly startMs: number; readonly endMs: number; readonly note: string },
  ) => boolean;
  /** Backends that did not answer the last request. */
  readonly backends: () => readonly BackendTrouble[];
  /** Free and total space of the disks that are written to. */
  readonly diskSpaces: () => readonly DiskSpace[];
}

/** Alarms of the server. */
export interface MonitorUnit {
  readonly service: AlarmService;
  close(): Promise<void>;
}

/** Starts to monitor all streams and the server. */
export function openMonitor(deps: MonitorDeps): MonitorUnit {
  const { events, config, streams } = deps;
  const { clock, log } = deps.options;
  const failed = (error: unknown): void => {
    log.error('alarms could not be measured or stored', { error: messageOf(error) });
  };
  const history = deps.store && new AlarmHistory({ clock, store: deps.store.history, failed });
  const loudness =
    deps.store &&
    new LoudnessLog({ clock, folder: join(deps.options.dataFolder, 'loudness'), store: deps.store.loudness, failed });
  const restored = history?.open() ?? [];
  const alarms = new Alarms({
    now: () => clock.now(),
    restored,
    newId: randomUUID,
    changed: (alarm) => history?.keep(alarm),
    shelved: history?.shelved() ?? new Map(),
    shelvedChanged: (key, untilMs) => history?.shelve(key, untilMs),
    happened: (step, { id, name: media, alarm, severity, acknowledged_by: by, note, ...wrong }) => {
      const common = { media, alarm, severity, id };
      if (step === 'raised') {
        events.bus.emit('alarm_raised', {
          ...common,
          detail: wrong.detail,
          fault: wrong.fault,
          facts: wrong.facts,
        });
        const raised = alarms.find(id);
        if (raised) evidence.raised(raised);
      } else if (step === 'cleared') events.bus.emit('alarm_cleared', common);
      else {
        // Actions of operators are written at once, so that a power failure does not lose them.
        history?.write();
        events.bus.emit('alarm_acknowledged', { ...common, by, note });
      }
    },
  });
  const histories = new WeakMap<StreamEntry, StreamHistory>();
  // If a stream had no input when the server stopped, its encoder is expected to return after the start, too.
  const lostMs = new Map(
    restored.flatMap(({ name, alarm, raised_at: atMs, cleared_at: clearedMs }) =>
      name !== null && alarm === 'no_input' && clearedMs === null ? [[name, atMs] as const] : [],
    ),
  );
  const historyOf = (entry: StreamEntry): StreamHistory => {
    const lastTimes = histories.get(entry) ?? {
      lastFrameMs: lostMs.get(entry.name) ?? 0,
      lastSpliceMs: 0,
      watchedMs: 0,
      reportedMs: 0,
    };
    histories.set(entry, lastTimes);
    return lastTimes;
  };
  const endOfReceiving = events.bus.receive((received) => {
    for (const { event } of received) {
      if (event.event !== 'splice_point' || typeof event.media !== 'string') continue;
      const entry = streams.get(event.media);
      if (entry) historyOf(entry).lastSpliceMs = event.utc_ms;
    }
  });
  const monitor: Monitor = new Monitor({
    clock,
    alarms,
    failed,
    shared: () => config().alarms,
    streams: () =>
      streams
        .list()
        // A stream that only has an archive delivers no frames.
        .filter(({ isArchiveOnly }) => !isArchiveOnly)
        .map(
          (entry) => () =>
            watchedStream(entry, historyOf(entry), contentProbes.recentContent(entry.window), clock.now(), deps),
        ),
    server: () => serverConditions({ ...deps, lateMs: contentProbes.lateMs, nowMs: clock.now() }),
  });
  const evidence = new AlarmEvidence({
    clock,
    folder: join(deps.options.dataFolder, 'evidence'),
    failed,
    picture: deps.picture,
    stream({ name, alarm }) {
      const entry = streams.get(name ?? '');
      const kind = STREAM_ALARMS.find((one) => one === alarm);
      return (
        entry && { window: entry.window, lastedMs: kind ? monitor.rulesOf(entry.settings.alarms)[kind].raiseMs : 0 }
      );
    },
    graph: (name, alarm) => monitor.values.graph(name, alarm),
    lock({ name, alarm }, time) {
      if (name === null || !streams.get(name)?.isRecording) return false;
      return deps.lock(name, { ...time, note: `Alarm: ${alarm}` });
    },
  });
  const contentProbes: ContentProbes = new ContentProbes({
    clock,
    probe: deps.probe,
    measured: (name, fromMs, blocks) => loudness?.add(name, fromMs, blocks),
    *streams() {
      for (const { name, settings, window, runId } of streams.list()) {
        const rules = monitor.rulesOf(settings.alarms);
        const needs = neededContent(rules, settings.isLoudnessLogged);
        if (runId !== undefined && (needs.picture || needs.sound)) yield { name, window, needs, rules };
      }
    },
  });
  return {
    service: new AlarmService({
      alarms,
      history,
      evidence,
      loudness: loudness && deps.store && new LoudnessService({ clock, log: loudness, store: deps.store.loudness }),
    }),
    async close() {
      endOfReceiving();
      contentProbes.close();
      monitor.close();
      history?.close();
      await evidence.close();
      await loudness?.close();
    },
  };
}
