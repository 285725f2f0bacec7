import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import { AlarmDesk } from '../../control/alarms/alarm-desk.ts';
import { ContentLooks, type ContentLooksOptions } from '../../control/alarms/content-looks.ts';
import type { EventServices } from '../../control/event-services.ts';
import { LoudnessDesk } from '../../control/alarms/loudness-desk.ts';
import { messageOf } from '../../lib/error-message.ts';
import { needsLooks } from '../../monitor/content.ts';
import { AlarmHistory } from '../../monitor/alarm-history.ts';
import { Alarms } from '../../monitor/alarms.ts';
import { Monitor, type ServerCondition } from '../../monitor/monitor.ts';
import type { StreamEntry } from '../../streams/stream-entry.ts';
import type { Streams } from '../../streams/streams.ts';
import { LoudnessLog } from '../../monitor/loudness/loudness-log.ts';
import type { ServerOptions } from '../server-options.ts';
import type { Storage } from '../storage.ts';
import { watchedStream, type StreamPast } from './watched-stream.ts';

/** What the alarms are opened with. */
export interface MonitorDeps {
  readonly options: Pick<ServerOptions, 'clock' | 'log' | 'dataFolder'>;
  readonly config: () => Config;
  readonly streams: Pick<Streams, 'list' | 'get'>;
  readonly events: Pick<EventServices, 'bus' | 'states'>;
  /** Where the history and the loudness are kept; undefined where they cannot be. */
  readonly kept: Storage['alarms'];
  /** Decodes a key frame and some sound. */
  readonly look: ContentLooksOptions['look'];
  /** What is wrong with the server itself, by subject. */
  readonly alerts: () => Readonly<Record<string, string>>;
}

/** The alarms of the server. */
export interface MonitorUnit {
  readonly desk: AlarmDesk;
  close(): Promise<void>;
}

/** Subjects of alerts that are no fault, but how the server was started. */
const NO_FAULTS: ReadonlySet<string> = new Set(['window_sandbox']);
/** How long a sink fails before it is an alarm, in milliseconds. */
const SINK_MS = 60_000;

/** Begins to watch all streams and the server. */
export function openMonitor(deps: MonitorDeps): MonitorUnit {
  const { events, config, streams } = deps;
  const { clock, log } = deps.options;
  const failed = (error: unknown): void => {
    log.error('alarms could not be measured or kept', { error: messageOf(error) });
  };
  const history = deps.kept && new AlarmHistory({ clock, store: deps.kept.history, failed });
  const loudness =
    deps.kept &&
    new LoudnessLog({ clock, folder: join(deps.options.dataFolder, 'loudness'), store: deps.kept.loudness, failed });
  const alarms = new Alarms({
    now: () => clock.now(),
    newId: randomUUID,
    changed: (alarm) => history?.keep(alarm),
    happened: (step, { id, name: media, alarm, severity, detail, acknowledged_by: by, note }) => {
      const facts = { media, alarm, severity, id };
      if (step === 'raised') events.bus.emit('alarm_raised', { ...facts, detail });
      else if (step === 'cleared') events.bus.emit('alarm_cleared', facts);
      else events.bus.emit('alarm_acknowledged', { ...facts, by, note });
    },
  });
  const pasts = new WeakMap<StreamEntry, StreamPast>();
  const past = (entry: StreamEntry): StreamPast => {
    const known = pasts.get(entry) ?? { lastFrameMs: 0, lastSpliceMs: 0 };
    pasts.set(entry, known);
    return known;
  };
  const endOfReceiving = events.bus.receive((received) => {
    for (const { event } of received) {
      if (event.event !== 'splice_point' || typeof event.media !== 'string') continue;
      const entry = streams.get(event.media);
      if (entry) past(entry).lastSpliceMs = event.utc_ms;
    }
  });
  const monitor = new Monitor({
    ...{ clock, alarms, failed },
    shared: () => config().alarms,
    streams: () =>
      streams.list().map((entry) => () => watchedStream(entry, past(entry), looks.seen(entry.window), deps)),
    server: () => [...alertConditions(deps.alerts()), ...sinkConditions(events), ...lateLooks(looks.lateMs)],
  });
  const looks = new ContentLooks({
    clock,
    look: deps.look,
    measured: (name, fromMs, blocks) => loudness?.add(name, fromMs, blocks),
    *streams() {
      for (const { name, settings, window, runId } of streams.list()) {
        const needs = needsLooks(monitor.rulesOf(settings.alarms), settings.isLoudnessLogged);
        if (runId !== undefined && (needs.picture || needs.sound)) yield { name, window, needs };
      }
    },
  });
  return {
    desk: new AlarmDesk({
      ...{ alarms, history },
      loudness: loudness && deps.kept && new LoudnessDesk({ clock, log: loudness, kept: deps.kept.loudness }),
    }),
    async close() {
      endOfReceiving();
      looks.close();
      monitor.close();
      history?.close();
      await loudness?.close();
    },
  };
}

function alertConditions(alerts: Readonly<Record<string, string>>): ServerCondition[] {
  return Object.entries(alerts)
    .filter(([subject]) => !NO_FAULTS.has(subject))
    .map(([subject, detail]) => {
      const alarm = subject === 'certificate' || subject === 'archive' || subject === 'disk' ? subject : 'server';
      const severity = alarm === 'archive' || alarm === 'disk' ? 'critical' : 'major';
      const rule = { severity, raiseMs: 0, clearMs: 2000 } as const;
      return { name: null, alarm, subject, detail, isFaulty: true, rule };
    });
}

function lateLooks(lateMs: number): ServerCondition[] {
  const detail = `This machine is full: picture and sound are measured every ${Math.round(lateMs / 1000)} s only`;
  const rule = { severity: 'info', raiseMs: 10_000, clearMs: 60_000 } as const;
  return [{ name: null, alarm: 'server', subject: 'looks', isFaulty: lateMs > 0, detail, rule }];
}

function sinkConditions(events: MonitorDeps['events']): ServerCondition[] {
  return [...events.states().values()].map(({ name, status, last_error: error, backlog }) => ({
    ...{ name: null, alarm: 'event_sink', subject: name },
    isFaulty: status === 'retrying' || status === 'disabled',
    detail: `Sink ${name}: ${error?.message ?? 'gone'}; ${backlog} events wait`,
    rule: { severity: 'major', raiseMs: SINK_MS, clearMs: 5000 },
  }));
}
