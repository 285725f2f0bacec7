import type { StreamMeasurements } from '../engine/messages.ts';
import type { WorkedInput } from '../engine/work-mark.ts';
import type { FailoverNotice } from '../ingest/failover-notice.ts';
import type { Clock } from '../lib/clock.ts';
import type { ResumePoint } from '../segment/run-window.ts';
import type { StreamCommands } from './stream-commands.ts';
import type { StreamEvents } from './stream-events.ts';
import type { StreamQuarantine } from './stream-quarantine.ts';
import type { StreamRegistry } from './stream-registry.ts';
import type { StreamRuns } from './stream-runs.ts';

/** What reports are written into. */
export interface RunReportsOptions {
  readonly clock: Clock;
  readonly registry: StreamRegistry;
  readonly commands: StreamCommands;
  readonly runs: StreamRuns;
  readonly quarantine: StreamQuarantine;
  readonly streamEvents: StreamEvents;
}

/** What the engine reports of the runs. What comes late, of a run that has ended, is left out. */
export class RunReports {
  readonly #options: RunReportsOptions;

  constructor(options: RunReportsOptions) {
    this.#options = options;
  }

  /** Something happened to the inputs of a run. */
  notice(runId: number, notice: FailoverNotice): void {
    const { runs, streamEvents, registry } = this.#options;
    const entry = runs.of(runId);
    if (!entry) return;
    streamEvents.notice(entry, notice);
    registry.changed(entry.name);
  }

  /** Takes measurements. */
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

  /** An input ended its media thread, which takes its streams with it. */
  inputAtFault({ stream, input }: WorkedInput, detail: string): void {
    const entry = this.#options.runs.of(stream);
    if (entry) this.#options.quarantine.atFault(entry, input, detail);
  }

  /** The media thread of a run died. What has a picture of its own is opened again; an encoder comes back by itself. */
  lost(runId: number, end: ResumePoint, detail: string): void {
    const { runs, commands, clock } = this.#options;
    const entry = runs.of(runId);
    // The end of a run that is ended is answered to the one that asked for it.
    if (!entry || entry.state.kind === 'ending') return;
    this.notice(runId, { event: 'media_thread_failed', code: 'media_thread_failed', detail });
    entry.refusals.add('media_thread_failed', detail, clock.now());
    runs.lost(runId, entry, end);
    entry.publisherLeft(clock.now());
    void commands.reopen(entry.name);
  }
}
