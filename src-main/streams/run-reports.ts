import type { StreamMeasurements } from '../engine/messages.ts';
import type { WorkedInput } from '../engine/work-mark.ts';
import type { FailoverNotice } from '../ingest/failover-notice.ts';
import type { Clock } from '../lib/clock.ts';
import type { PushNotice } from '../push/push-spec.ts';
import type { ResumePoint } from '../segment/run-window.ts';
import type { StreamCommands } from './stream-commands.ts';
import type { StreamEvents } from './stream-events.ts';
import type { StreamQuarantine } from './stream-quarantine.ts';
import type { StreamRegistry } from './stream-registry.ts';
import type { StreamRuns } from './stream-runs.ts';
import { transmissionObject, type TransmissionLog } from './transmission-log.ts';

export interface RunReportsOptions {
  readonly clock: Clock;
  readonly registry: StreamRegistry;
  readonly commands: StreamCommands;
  readonly runs: StreamRuns;
  readonly quarantine: StreamQuarantine;
  readonly streamEvents: StreamEvents;
  readonly transmissions: TransmissionLog;
  /** Id of the address of a push, which does not reveal the key. */
  readonly targetId: (streamName: string, address: string) => string;
}

/** Handles the engine's reports of runs. Late reports of ended runs are ignored. */
export class RunReports {
  readonly #options: RunReportsOptions;

  constructor(options: RunReportsOptions) {
    this.#options = options;
  }

  /** Handles an event of the inputs of a run. */
  notice(runId: number, notice: FailoverNotice): void {
    const { runs, streamEvents, registry } = this.#options;
    const entry = runs.of(runId);
    if (!entry) return;
    streamEvents.notice(entry, notice);
    registry.changed(entry.name);
  }

  /** Handles an event or a transmission of a push of a run. */
  pushNotice(runId: number, notice: PushNotice): void {
    const { runs, streamEvents, registry, transmissions, targetId } = this.#options;
    const entry = runs.of(runId);
    if (!entry) return;
    if (notice.event === undefined) {
      transmissions.put(entry.name, targetId(entry.name, notice.address), transmissionObject(notice));
      return;
    }
    streamEvents.pushed(entry, notice);
    registry.changed(entry.name);
  }

  /** Handles measurements. */
  status(statuses: readonly StreamMeasurements[]): void {
    const { runs, streamEvents, registry } = this.#options;
    for (const status of statuses) {
      const entry = runs.of(status.id);
      if (!entry) continue;
      entry.measured(status);
      streamEvents.measured(entry, status.tracks);
      registry.changed(entry.name);
    }
  }

  /** Handles an input that ended its media thread and the streams on it. */
  inputAtFault({ stream, input }: WorkedInput, detail: string): void {
    const entry = this.#options.runs.of(stream);
    if (entry) this.#options.quarantine.atFault(entry, input, detail);
  }

  /**
   * Handles a run whose media thread died. Opens the stream again if it can play without an encoder; encoders
   * reconnect by themselves.
   */
  lost(runId: number, end: ResumePoint, detail: string): void {
    const { runs, commands, clock } = this.#options;
    const entry = runs.of(runId);
    // The end of an ending run is reported to the caller that ends it.
    if (!entry || entry.state.kind === 'ending') return;
    this.notice(runId, { event: 'media_thread_failed', code: 'media_thread_failed', detail });
    entry.refusals.add({ code: 'media_thread_failed', detail }, clock.now());
    runs.lost(runId, entry, end);
    entry.publisherLeft(clock.now());
    void commands.reopen(entry.name);
  }
}
