import type { Part, Segment } from '../segment/segment-window.ts';

/** A segment as another one is, but for its parts. */
export abstract class SegmentView implements Segment {
  protected readonly source: Segment;

  constructor(source: Segment) {
    this.source = source;
  }

  abstract get parts(): readonly Part[];

  get trackId(): string {
    return this.source.trackId;
  }

  get startTicks(): number {
    return this.source.startTicks;
  }

  get durationTicks(): number {
    return this.source.durationTicks;
  }

  get startMs(): number {
    return this.source.startMs;
  }

  get isComplete(): boolean {
    return this.source.isComplete;
  }

  get isGap(): boolean {
    return this.source.isGap;
  }

  get initId(): number {
    return this.source.initId;
  }

  /** As large as what it stands for: nothing is written to know it. */
  get sizeBytes(): number {
    return this.source.sizeBytes;
  }
}
