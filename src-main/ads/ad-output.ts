import { StreamOutput } from '../delivery/stream-output.ts';
import type { ChangingWindow } from '../segment/segment-window.ts';
import type { AdDecision } from './decision/ad-decision.ts';
import type { Clip, Skip } from './clips/clip.ts';
import type { Explained } from '../../src-preload/contract/explanations/explanations.ts';
import type { Delivered, Showing } from './proof/showing.ts';

/** Playout plan of one viewer. The plan grows with the stream, and its decisions are final. */
export interface ViewerPlan {
  /** Shown clips, and skipped clips and breaks, oldest first. */
  readonly showings: readonly Showing[];
  readonly skips: readonly Skip[];
  /** Uses another decision from now on. Clips that have started play to their end. */
  renew(decision: AdDecision): void;
}

/** Window of one viewer: the stream with the clips of a plan. */
export interface ViewerWindow extends ChangingWindow {
  /** Clip segments in a segment of a track, or in one part of it. */
  deliveredIn(trackId: string, address: string, part: number | undefined): readonly Delivered[];
  /** Reports whether a segment differs from that of the stream. */
  isOfViewer(trackId: string, address: string): boolean;
  /** Clips in a segment. */
  clipsIn(trackId: string, address: string): readonly Clip[];
  /**
   * Shows the stream instead of clips from a segment on. Returns whether the segment had clips. Absent if clips are
   * separate segments, which the stream cannot replace.
   */
  giveUp?(trackId: string, address: string): boolean;
}

export interface AdOutputOptions {
  /** Output of the stream for all viewers. Bytes sent to this viewer count there. */
  readonly live: StreamOutput;
  readonly plan: ViewerPlan;
  readonly window: ViewerWindow;
  /** Called when a segment of a clip is first sent to the viewer. */
  readonly delivered: (delivered: Delivered) => void;
  /** Called when media of a clip cannot be read, with the reason. */
  readonly unreadable?: ((clip: Clip, why: Explained) => void) | undefined;
}

/** Output of a stream for one viewer, with the viewer's clips. */
export class AdOutput extends StreamOutput {
  readonly live: StreamOutput;
  readonly plan: ViewerPlan;
  readonly #window: ViewerWindow;
  readonly #options: AdOutputOptions;
  /** Whether a video segment was sent to the viewer. From then on, only video segments count as delivered. */
  #hasPictures = false;

  constructor(options: AdOutputOptions) {
    const { live, plan, window } = options;
    super(
      live.name,
      window,
      () => live.marks,
      () => live,
    );
    this.live = live;
    this.plan = plan;
    this.#window = window;
    this.#options = options;
  }

  /** False: one viewer requests each text once, so a cache would need more memory than the rest of the session. */
  protected override get cachesTexts(): boolean {
    return false;
  }

  override delivered(trackId: string, address: string, part?: number): void {
    const { content } = this.live.window.tracks.find(({ track }) => track.id === trackId)?.track ?? {};
    this.#hasPictures ||= content === 'video';
    if (this.#hasPictures && content !== 'video') return;
    for (const one of this.#window.deliveredIn(trackId, address, part))
      if (one.showing.delivered.add(one.index) && !one.showing.isSlate) this.#options.delivered(one);
  }

  override isOfViewer(trackId: string, address: string): boolean {
    return this.#window.isOfViewer(trackId, address);
  }

  override unreadable(trackId: string, address: string): boolean {
    const window = this.#window;
    let isClip = false;
    for (const clip of window.clipsIn(trackId, address)) {
      const why = clip.readFault?.();
      if (why === undefined) continue;
      isClip = true;
      this.#options.unreadable?.(clip, why);
    }
    return isClip && window.giveUp?.(trackId, address) === true;
  }

  override recordActivity(nowMs: number): void {
    super.recordActivity(nowMs);
    this.live.recordActivity(nowMs);
  }
}
