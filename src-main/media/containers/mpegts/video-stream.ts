import type { VideoAssembler } from '../../codecs/assembler.ts';
import type { VideoTrack } from '../../track.ts';
import type { ElementarySink, ElementaryStream } from './elementary-stream.ts';
import type { Unroller } from '../../timing/unroll.ts';
import type { ReadPesHeader } from './pes-header.ts';

/** Distance of pictures that is taken where neither times nor earlier pictures say one: 25 a second. */
const DEFAULT_STEP_TICKS = 3600;
const MAX_STEP_TICKS = 90_000;

/** Turns the PES packets of a video stream into access units: one picture in each packet. */
export class VideoStream implements ElementaryStream {
  readonly trackId: string;
  readonly #assembler: VideoAssembler;
  readonly #clock: Unroller;
  readonly #sink: ElementarySink;
  #track: VideoTrack | undefined;
  #lastDts: number | undefined;
  #stepTicks = DEFAULT_STEP_TICKS;

  constructor(trackId: string, assembler: VideoAssembler, clock: Unroller, sink: ElementarySink) {
    this.trackId = trackId;
    this.#assembler = assembler;
    this.#clock = clock;
    this.#sink = sink;
  }

  get track(): VideoTrack | undefined {
    return this.#track;
  }

  pes(header: ReadPesHeader, bytes: Buffer, end: number): void {
    const dts = this.#dts(header);
    const picture = this.#assembler.assemble(bytes.subarray(header.payloadStart, end));
    const track = this.#assembler.track;
    if (track !== undefined && track !== this.#track) {
      this.#track = track;
      this.#sink.format(this);
    }
    if (picture === undefined || dts === undefined) return;
    this.#sink.unit(this, {
      trackId: this.trackId,
      dtsTicks: dts,
      ptsTicks: header.ptsTicks === undefined ? dts : this.#clock.peek(header.ptsTicks),
      isRandomAccess: picture.isRandomAccess,
      data: picture.data,
    });
  }

  interrupt(): void {
    // A picture never continues in another PES packet: there is nothing to forget.
  }

  #dts(header: ReadPesHeader): number | undefined {
    const stated = header.dtsTicks ?? header.ptsTicks;
    const last = this.#lastDts;
    if (stated === undefined) {
      if (last !== undefined) this.#lastDts = last + this.#stepTicks;
      return this.#lastDts;
    }
    const dts = this.#clock.unroll(stated);
    if (last !== undefined && dts > last && dts - last <= MAX_STEP_TICKS) this.#stepTicks = dts - last;
    this.#lastDts = dts;
    return dts;
  }
}
