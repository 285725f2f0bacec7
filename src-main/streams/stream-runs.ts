import type { Engine } from '../engine/engine.ts';
import type { StreamSpec } from '../engine/messages.ts';
import type { Clock } from '../lib/clock.ts';
import type { ResumePoint, RunWindow } from '../segment/run-window.ts';
import { hasOwnPicture } from './publish-policy.ts';
import type { RunEnd } from './run-state.ts';
import type { StreamEntry } from './stream-entry.ts';
import type { StreamEvents } from './stream-events.ts';
import type { StreamQuarantine } from './stream-quarantine.ts';

export interface StreamRunsOptions {
  readonly clock: Clock;
  readonly engine: () => Engine;
  readonly streamEvents: StreamEvents;
  readonly quarantine: StreamQuarantine;
  /** Called when a run starts, before its first event. */
  readonly started: (entry: StreamEntry) => void;
  /** Called when the state of a stream changed. */
  readonly changed: (entry: StreamEntry) => void;
}

/** Runs of all streams in the engine. The caller serializes the calls for one stream. */
export class StreamRuns {
  readonly #options: StreamRunsOptions;
  readonly #entries = new Map<number, StreamEntry>();
  #next = 1;
  #nextPublication = 1;

  constructor(options: StreamRunsOptions) {
    this.#options = options;
  }

  /** Stream of a run that has not ended. */
  of(runId: number): StreamEntry | undefined {
    return this.#entries.get(runId);
  }

  /** Window of a run that has not ended. Throws if there is none. */
  windowOf(runId: number): RunWindow {
    const run = this.#entries.get(runId)?.run;
    if (!run) throw new Error(`The run ${runId} has ended`);
    return run;
  }

  /**
   * Opens a stream that can play without an encoder.
   *
   * @param reason `configured` opens only streams that run without viewers
   */
  open(entry: StreamEntry, reason: 'configured' | 'viewer' | 'restart'): void {
    const { settings } = entry;
    if (entry.runId !== undefined || settings.isDisabled || !hasOwnPicture(settings)) return;
    // Only the encoder of an archive-only stream opens it again.
    if (entry.isArchiveOnly) return;
    if (reason === 'configured' && !settings.isStatic) return;
    const runId = this.#start(entry, reason);
    this.#options.engine().open(this.#options.quarantine.spec(entry, runId));
  }

  /** Specification of the run for a publisher. Opens a new run when the encoder is attached to the engine. */
  join(entry: StreamEntry): StreamSpec & { readonly publication: number } {
    const spec = this.#options.quarantine.spec(entry, entry.runId ?? this.#start(entry, 'publisher'));
    return { ...spec, publication: this.#nextPublication++ };
  }

  /** Ends the run of a stream, if it has one. */
  async end(entry: StreamEntry, next: RunEnd): Promise<void> {
    const { runId } = entry;
    entry.ending(next);
    if (runId !== undefined) this.#ended(runId, entry, next, await this.#options.engine().closeStream(runId));
  }

  /** Records a run whose media thread died. */
  lost(runId: number, entry: StreamEntry, end: ResumePoint): void {
    this.#ended(runId, entry, 'thread_failed', end);
  }

  #start(entry: StreamEntry, reason: 'configured' | 'viewer' | 'publisher' | 'restart'): number {
    const runId = this.#next++;
    entry.opened(runId, this.#options.clock.now());
    this.#entries.set(runId, entry);
    const { streamEvents, started } = this.#options;
    streamEvents.opened(entry, reason);
    started(entry);
    entry.run?.onEvents((events) => {
      for (const event of events) if (event.type === 'splice') streamEvents.spliced(entry, event);
    });
    return runId;
  }

  #ended(runId: number, entry: StreamEntry, reason: RunEnd | 'thread_failed', end: ResumePoint): void {
    const bytesIn = entry.status?.bytesIn ?? 0;
    this.#entries.delete(runId);
    entry.ended(end, this.#options.clock.now());
    this.#options.streamEvents.closed(entry, reason, bytesIn);
    this.#options.changed(entry);
  }
}
