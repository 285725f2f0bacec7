import type { InputEnd } from '../ingest/input.ts';
import { because } from '../../src-preload/contract/explanations/explanations.ts';
import type { RunWindow } from '../segment/run-window.ts';
import { retain } from '../segment/shared-use.ts';
import type { WindowEvent } from '../segment/window-event.ts';
import type { FeedSender, SenderPort } from '../lib/channel/feeds.ts';
import type { InFlightParts } from './in-flight-parts.ts';
import type { CopyEvent } from './messages.ts';

/** One stream that is copied into another. */
interface Copy {
  readonly source: string;
  readonly follower: string;
  readonly feed: FeedSender<readonly CopyEvent[]>;
  readonly flight: Pick<InFlightParts, 'sent'>;
  /** Stops reading the source's run; undefined while the source has none. */
  detach?: () => void;
}

/** Copies of streams into others: passes the events of a run to its followers, on any thread. */
export class Copies {
  /** Runs of all open streams, by name. */
  readonly #runs = new Map<string, RunWindow>();
  readonly #copies = new Set<Copy>();
  /** Number of copies of each stream. */
  readonly #followers = new Map<string, number>();

  /** Reports whether a stream has followers, connected or waiting. */
  isFollowed(name: string): boolean {
    return this.#followers.has(name);
  }

  /** Registers the run of an opened stream. Its copies end with the run. */
  opened(name: string, run: RunWindow): void {
    this.#runs.set(name, run);
    run.onEnd(() => {
      this.#ended(name, run);
    });
    for (const copy of this.#copies) if (copy.source === name) this.#attach(copy, run);
  }

  /**
   * Follows a stream until the feed is closed.
   * @param feed receives the events; each part is retained for its receiver
   * @param flight counts the parts on their way
   */
  open(
    { source, follower }: { readonly source: string; readonly follower: string },
    feed: FeedSender<readonly CopyEvent[]>,
    flight: Pick<InFlightParts, 'sent'>,
  ): SenderPort {
    const copy: Copy = { source, follower, feed, flight };
    if (this.#reaches(source, follower)) {
      const why =
        source === follower ? because('copy_of_itself', { source }) : because('copy_circle', { source, follower });
      this.#end(copy, { code: 'bad_input_url', ...why });
    } else {
      this.#copies.add(copy);
      this.#followers.set(source, (this.#followers.get(source) ?? 0) + 1);
      const run = this.#runs.get(source);
      if (run) this.#attach(copy, run);
    }
    return {
      room: () => {},
      closed: () => {
        this.#drop(copy);
      },
    };
  }

  #attach(copy: Copy, run: RunWindow): void {
    copy.detach?.();
    if (run.hasTracks) this.#send(copy, [{ type: 'tracks', tracks: run.tracks }]);
    copy.detach = run.onEvents((events) => {
      const copied = copyEventsOf(events, run.hasTracks);
      if (copied.length > 0) this.#send(copy, copied);
    });
  }

  #ended(name: string, run: RunWindow): void {
    if (this.#runs.get(name) !== run) return;
    this.#runs.delete(name);
    for (const copy of this.#copies)
      if (copy.source === name)
        this.#end(copy, { code: 'input_ended', ...because('copy_source_closed', { source: name }) });
  }

  #drop(copy: Copy): void {
    if (!this.#copies.delete(copy)) return;
    copy.detach?.();
    const left = (this.#followers.get(copy.source) ?? 0) - 1;
    if (left > 0) this.#followers.set(copy.source, left);
    else this.#followers.delete(copy.source);
  }

  #end(copy: Copy, end: InputEnd): void {
    this.#drop(copy);
    copy.feed.end(end);
  }

  #send(copy: Copy, events: readonly CopyEvent[]): void {
    // A copy cannot continue after a gap; it restarts when it is opened again.
    if (!copy.feed.hasRoom) {
      this.#end(copy, { code: 'input_stalled', ...because('copy_late', { follower: copy.follower }) });
      return;
    }
    let bytes = 0;
    for (const event of events) {
      if (event.type !== 'part') continue;
      retain(event.bytes);
      bytes += event.bytes.length;
    }
    copy.flight.sent(events);
    copy.feed.write(events, bytes);
  }

  /** Reports whether a stream is a copy of another, directly or through others, or the same. */
  #reaches(from: string, to: string): boolean {
    const seen = new Set<string>();
    const left = [from];
    for (let name = left.pop(); name !== undefined; name = left.pop()) {
      if (name === to) return true;
      if (seen.has(name)) continue;
      seen.add(name);
      for (const { follower, source } of this.#copies) if (follower === name) left.push(source);
    }
    return false;
  }
}

/** Converts window events for a copy; events before the tracks are useless and left out. */
function copyEventsOf(events: readonly WindowEvent[], hasTracks: boolean): CopyEvent[] {
  const out: CopyEvent[] = [];
  let isKnown = hasTracks;
  for (const event of events) {
    const made = copyEventOf(event);
    isKnown ||= made?.type === 'tracks';
    if (made && isKnown) out.push(made);
  }
  return out;
}

function copyEventOf(event: WindowEvent): CopyEvent | undefined {
  switch (event.type) {
    case 'init':
      return { type: 'tracks', tracks: event.tracks.map(({ track }) => track) };
    case 'part':
      return { type: 'part', trackId: event.trackId, bytes: event.bytes };
    case 'splice':
      return { type: 'splice', atMs: event.atMs, section: event.section };
    case 'idle':
      return { type: 'idle' };
    default:
      return undefined;
  }
}
