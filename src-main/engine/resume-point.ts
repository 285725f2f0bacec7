import type { SegmenterResume } from '../segment/segmenter.ts';
import type { WindowEvent } from '../segment/window-event.ts';
import type { StreamSpec } from './messages.ts';

/** Where a closed stream may go on. */
export interface StreamEnd {
  /** Epoch milliseconds up to which its timeline is used; 0 for none. */
  readonly endMs: number;
  readonly resume: SegmenterResume;
}

/** The open or the newest segment of one track. */
interface TrackEnd {
  readonly timescale: number;
  msn: number;
  isOpen: boolean;
  hasParts: boolean;
  startTicks: number;
  endTicks: number;
}

interface CutPoint {
  /** UTC. */
  readonly seconds: number;
  readonly isDiscontinuity: boolean;
}

/** CutPoints that are remembered for tracks that lag behind. */
const MAX_BORDERS = 64;
/** Length of a segment of which only the start was told, in seconds. */
const EMPTY_SECONDS = 0.1;

/**
 * Where the window of a stream stands, by the events that came of it: what a media thread would say when it closes the
 * stream, for the case that it dies before it can.
 */
export class ResumePoint {
  #endSeconds: number;
  #nextMsn: number;
  #nextInitId: number;
  #isContinuation: boolean;
  #tracks = new Map<string, TrackEnd>();
  /** Where each segment begins, by media sequence number. */
  readonly #borders = new Map<number, CutPoint>();

  constructor({ endMs, resume }: StreamSpec) {
    this.#endSeconds = endMs / 1000;
    this.#nextMsn = resume.nextMsn;
    this.#nextInitId = resume.nextInitId;
    this.#isContinuation = resume.isContinuation;
  }

  take(events: readonly WindowEvent[]): void {
    for (const event of events) this.#take(event);
  }

  /** Where the next life goes on. */
  get end(): StreamEnd {
    return {
      endMs: this.#endSeconds * 1000,
      resume: { nextMsn: this.#nextMsn, nextInitId: this.#nextInitId, isContinuation: this.#isContinuation },
    };
  }

  /** The events that end what is open, all tracks with the same segment. */
  close(): WindowEvent[] {
    const newestMsn = this.#nextMsn - 1;
    const newestSeconds = this.#borders.get(newestMsn)?.seconds;
    if (newestSeconds === undefined) return [{ type: 'idle' }];
    for (const { endTicks, timescale } of this.#tracks.values())
      this.#endSeconds = Math.max(this.#endSeconds, endTicks / timescale);
    this.#endSeconds = Math.max(this.#endSeconds, newestSeconds + EMPTY_SECONDS);
    const events = [...this.#tracks].flatMap(([trackId, track]) => this.#closeTrack(trackId, track, newestMsn));
    this.#tracks.clear();
    this.#borders.clear();
    return [...events, { type: 'idle' }];
  }

  #closeTrack(trackId: string, track: TrackEnd, newestMsn: number): WindowEvent[] {
    const events: WindowEvent[] = [];
    const { timescale } = track;
    const endSecondsOf = (msn: number): number => this.#borders.get(msn + 1)?.seconds ?? this.#endSeconds;
    if (track.isOpen) {
      const untilNext = Math.max(1, Math.round(endSecondsOf(track.msn) * timescale) - track.startTicks);
      const durationTicks = track.hasParts ? track.endTicks - track.startTicks : untilNext;
      events.push({ type: 'segment-end', trackId, msn: track.msn, durationTicks, isGap: !track.hasParts });
    }
    // A track that never began is missing in the newest segment only.
    for (let msn = track.msn < 0 ? newestMsn : track.msn + 1; msn <= newestMsn; msn++) {
      const border = this.#borders.get(msn);
      if (!border) continue;
      const startTicks = Math.round(border.seconds * timescale);
      const durationTicks = Math.max(1, Math.round(endSecondsOf(msn) * timescale) - startTicks);
      events.push({
        type: 'segment-start',
        trackId,
        msn,
        startTicks,
        initId: this.#nextInitId - 1,
        isDiscontinuity: border.isDiscontinuity,
      });
      events.push({ type: 'segment-end', trackId, msn, durationTicks, isGap: true });
    }
    return events;
  }

  #take(event: WindowEvent): void {
    switch (event.type) {
      case 'init':
        this.#nextInitId = event.initId + 1;
        this.#tracks = new Map(
          event.tracks.map(({ track: { id, timescale } }) => [
            id,
            { timescale, msn: -1, isOpen: false, hasParts: false, startTicks: 0, endTicks: 0 },
          ]),
        );
        return;
      case 'segment-start': {
        this.#nextMsn = Math.max(this.#nextMsn, event.msn + 1);
        this.#isContinuation = true;
        const track = this.#tracks.get(event.trackId);
        if (!track) return;
        if (!this.#borders.has(event.msn))
          this.#addCutPoint(event.msn, {
            seconds: event.startTicks / track.timescale,
            isDiscontinuity: event.isDiscontinuity,
          });
        Object.assign(track, {
          msn: event.msn,
          isOpen: true,
          hasParts: false,
          startTicks: event.startTicks,
          endTicks: event.startTicks,
        });
        return;
      }
      case 'part': {
        const track = this.#tracks.get(event.trackId);
        if (!track) return;
        track.hasParts = true;
        track.endTicks = event.startTicks + event.durationTicks;
        return;
      }
      case 'segment-end': {
        const track = this.#tracks.get(event.trackId);
        if (!track) return;
        track.isOpen = false;
        track.endTicks = track.startTicks + event.durationTicks;
        return;
      }
      default:
        return;
    }
  }

  #addCutPoint(msn: number, border: CutPoint): void {
    this.#borders.set(msn, border);
    if (this.#borders.size > MAX_BORDERS) this.#borders.delete(this.#borders.keys().next().value ?? msn);
  }
}
