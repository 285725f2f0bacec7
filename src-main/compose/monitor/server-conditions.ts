import type { Fault } from '../../../src-preload/contract/api/alarm-faults.ts';
import type { EventServices } from '../../control/system/event-services.ts';
import type { DiskSpace } from '../../control/server-alerts.ts';
import type { ServerCondition } from '../../monitor/monitor.ts';
import type { BackendTrouble } from '../../sessions/backends.ts';

/** State of the server itself. */
export interface ServerFacts {
  /** Faults, by subject. */
  readonly alerts: () => Readonly<Record<string, Fault>>;
  readonly events: { readonly sinks: Pick<EventServices['sinks'], 'states'> };
  readonly backends: () => readonly BackendTrouble[];
  readonly diskSpaces: () => readonly DiskSpace[];
  /** Duration of the last check of all streams if it was too long, in milliseconds. */
  readonly lateMs: number;
  readonly nowMs: number;
}

/** Subjects of alerts that follow from the start options of the server. They are no faults. */
const NO_FAULTS: ReadonlySet<string> = new Set(['window_sandbox']);
/** Kinds of alarms. The subject of such an alert is the name of its kind, or starts with this name. */
const ALARMS = ['certificate', 'archive', 'disk'] as const;
/** Time that a sink must fail before it is an alarm, in milliseconds. */
const SINK_MS = 60_000;

/** Period after the last request to a backend during which its failure counts, in milliseconds. */
const BACKEND_MS = 300_000;
/** A disk is nearly full if both its free share and its free bytes are below these limits. */
const FREE_SHARE = 0.05;
const FREE_BYTES = 10 * 1024 ** 3;

/** Conditions of the server itself. */
export function serverConditions(facts: ServerFacts): readonly ServerCondition[] {
  return [
    ...alertConditions(facts.alerts()),
    ...sinkConditions(facts.events),
    ...facts.backends().map((trouble) => backendCondition(trouble, facts.nowMs)),
    ...facts.diskSpaces().map(diskSpaceCondition),
    ...lateProbes(facts.lateMs),
  ];
}

function backendCondition({ location, sinceMs, lastMs, reason }: BackendTrouble, nowMs: number): ServerCondition {
  return {
    name: null,
    alarm: 'backend',
    subject: location,
    sinceMs,
    isFaulty: nowMs - lastMs < BACKEND_MS,
    fault: 'backend_silent',
    facts: { place: location, explanation: reason },
    rule: { severity: 'major', raiseMs: 10_000, clearMs: 0 },
  };
}

function diskSpaceCondition({ folder, freeBytes, totalBytes }: DiskSpace): ServerCondition {
  const isFaulty = freeBytes < totalBytes * FREE_SHARE && freeBytes < FREE_BYTES;
  return {
    name: null,
    alarm: 'disk_nearly_full',
    subject: folder,
    isFaulty,
    fault: 'disk_nearly_full',
    facts: { folder, free_mib: Math.floor(freeBytes / 1024 ** 2) },
    rule: { severity: 'major', raiseMs: 0, clearMs: 60_000 },
  };
}

function alertConditions(alerts: Readonly<Record<string, Fault>>): ServerCondition[] {
  return Object.entries(alerts)
    .filter(([subject]) => !NO_FAULTS.has(subject))
    .map(([subject, { fault, facts }]) => {
      const alarm = ALARMS.find((one) => subject === one || subject.startsWith(`${one}_`)) ?? 'server';
      const severity = alarm === 'archive' || alarm === 'disk' ? 'critical' : 'major';
      const rule = { severity, raiseMs: 0, clearMs: 2000 } as const;
      return { name: null, alarm, subject, fault, facts, isFaulty: true, rule };
    });
}

function lateProbes(lateMs: number): ServerCondition[] {
  const facts = { seconds: Math.round(lateMs / 1000) };
  const rule = { severity: 'info', raiseMs: 10_000, clearMs: 60_000 } as const;
  return [
    { name: null, alarm: 'server', subject: 'probes', isFaulty: lateMs > 0, fault: 'measured_seldom', facts, rule },
  ];
}

function sinkConditions(events: ServerFacts['events']): ServerCondition[] {
  return [...events.sinks.states().values()].map(({ name, status, last_error: error, backlog }) => ({
    name: null,
    alarm: 'event_sink',
    subject: name,
    isFaulty: status === 'retrying' || status === 'disabled',
    fault: 'sink_failing',
    facts: { name, explanation: error?.message ?? 'gone', waiting: backlog },
    rule: { severity: 'major', raiseMs: SINK_MS, clearMs: 5000 },
  }));
}
