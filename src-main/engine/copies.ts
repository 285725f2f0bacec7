import type { InputEnd } from '../ingest/input.ts';
import { because } from '../../src-preload/contract/explanations/explanations.ts';
import type { RunWindow } from '../segment/run-window.ts';
import { retain } from '../segment/shared-use.ts';
import type { WindowEvent } from '../segment/window-event.ts';
import type { FeedSender, SenderPort } from '../lib/channel/feeds.ts';
import type { InFlightParts } from './in-flight-parts.ts';
import type { CopyEvent } from './messages.ts';

/** Copy of one stream (`source`) into another (`follower`). */
interface Copy {
  readonly source: string;
  readonly follower: string;
  readonly feed: FeedSender<readonly CopyEvent[]>;
  readonly flight: Pick<InFlightParts, 'sent'>;
  /** Stops reading the run of the source; undefined while the source does not run. */
  detach?: () => void;
}

/** Copies streams into other streams: passes the window events of a run to its followers, which may be on any thread. */
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
   * @param feed receives the events; each part is retained for the receiver
   * @param flight records the parts that are sent
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
    // A copy cannot continue after a gap, so it ends; the follower opens it again.
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

  /** Reports whether stream `from` is stream `to`, or a direct or indirect copy of it. */
  #reaches(from: string, to: string): boolean {
    const visited = new Set<string>();
    const queue = [from];
    for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
      if (name === to) return true;
      if (visited.has(name)) continue;
      visited.add(name);
      for (const { follower, source } of this.#copies) if (follower === name) queue.push(source);
    }
    return false;
  }
}

/** Converts window events for a copy. Events before the tracks are left out, because a copy cannot use them. */
function copyEventsOf(events: readonly WindowEvent[], hasTracks: boolean): CopyEvent[] {
  const out: CopyEvent[] = [];
  let isKnown = hasTracks;
  for (const event of events) {
    const converted = copyEventOf(event);
    isKnown ||= converted?.type === 'tracks';
    if (converted && isKnown) out.push(converted);
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
