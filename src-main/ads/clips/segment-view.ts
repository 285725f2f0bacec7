import type { Part, Segment } from '../../segment/segment-window.ts';

/** A segment with the properties of another one, except for its parts. */
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

  /** Size of the source segment as an estimate: the actual size is known only after the parts are written. */
  get sizeBytes(): number {
    return this.source.sizeBytes;
  }
}
