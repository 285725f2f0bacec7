import type { Engine } from '../engine/engine.ts';
import type { StreamSpec } from '../engine/messages.ts';
import type { Clock } from '../lib/clock.ts';
import type { ResumePoint, RunWindow } from '../segment/run-window.ts';
import { hasOwnPicture } from './publish-policy.ts';
import type { RunEnd } from './run-state.ts';
import type { StreamEntry } from './stream-entry.ts';
import type { StreamEvents } from './stream-events.ts';
import type { StreamQuarantine } from './stream-quarantine.ts';

/** What the runs need. */
export interface StreamRunsOptions {
  readonly clock: Clock;
  readonly engine: () => Engine;
  readonly streamEvents: StreamEvents;
  readonly quarantine: StreamQuarantine;
  /** A run begins; its window has nothing of it yet. */
  readonly begun: (entry: StreamEntry) => void;
  /** The state of a stream is another one. */
  readonly changed: (entry: StreamEntry) => void;
}

/** The runs of all streams in the engine. Its caller orders what happens to one stream. */
export class StreamRuns {
  readonly #options: StreamRunsOptions;
  readonly #entries = new Map<number, StreamEntry>();
  #next = 1;
  #nextPublication = 1;

  constructor(options: StreamRunsOptions) {
    this.#options = options;
  }

  /** The stream of a run that has not ended. */
  of(runId: number): StreamEntry | undefined {
    return this.#entries.get(runId);
  }

  /** The window of a run that has not ended. Throws where there is none. */
  windowOf(runId: number): RunWindow {
    const run = this.#entries.get(runId)?.run;
    if (!run) throw new Error(`The run ${runId} is over`);
    return run;
  }

  /** Opens a stream that has something to show without an encoder. @param reason `configured` opens only what runs without viewers */
  open(entry: StreamEntry, reason: 'configured' | 'viewer' | 'restart'): void {
    const { settings } = entry;
    if (entry.runId !== undefined || settings.isDisabled || !hasOwnPicture(settings)) return;
    // Only its encoder opens it again.
    if (entry.isArchiveOnly) return;
    if (reason === 'configured' && !settings.isStatic) return;
    const runId = this.#begin(entry, reason);
    this.#options.engine().open(this.#options.quarantine.spec(entry, runId));
  }

  /** The run that a publisher comes into; where it is new, placing the encoder in the engine opens it. */
  join(entry: StreamEntry): StreamSpec & { readonly publication: number } {
    const spec = this.#options.quarantine.spec(entry, entry.runId ?? this.#begin(entry, 'publisher'));
    return { ...spec, publication: this.#nextPublication++ };
  }

  /** Ends the run of a stream, where it has one. */
  async end(entry: StreamEntry, next: RunEnd): Promise<void> {
    const { runId } = entry;
    entry.ending(next);
    if (runId !== undefined) this.#ended(runId, entry, next, await this.#options.engine().closeStream(runId));
  }

  /** The media thread of a run died. */
  lost(runId: number, entry: StreamEntry, end: ResumePoint): void {
    this.#ended(runId, entry, 'thread_failed', end);
  }

  #begin(entry: StreamEntry, reason: 'configured' | 'viewer' | 'publisher' | 'restart'): number {
    const runId = this.#next++;
    entry.opened(runId, this.#options.clock.now());
    this.#entries.set(runId, entry);
    const { streamEvents, begun } = this.#options;
    streamEvents.opened(entry, reason);
    begun(entry);
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
