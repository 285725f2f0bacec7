import { FlvClock } from '../../media/containers/flv/flv-clock.ts';
import { flvLayout, readFlvCapabilities, type FlvPlace } from '../../media/containers/flv/flv-layout.ts';
import { writeConfigMessages, writeMetadataMessage } from '../../media/containers/flv/flv-messages.ts';
import { FlvUnit } from '../../media/containers/flv/flv-unit.ts';
import type { AmfValue } from '../../media/containers/rtmp/amf0.ts';
import type { Track } from '../../media/track.ts';
import type { StreamUnit } from '../../stream/stream-hub.ts';

/** Tracks that a target takes, by their ids. */
export type FlvPlaces = ReadonlyMap<string, FlvPlace>;

/** Units of a stream as RTMP messages that all targets of the stream share. */
export class FlvFeed {
  readonly #clock = new FlvClock();
  #unit: FlvUnit | undefined;

  /** Continues after an interruption of the timeline. */
  discontinuity(): void {
    this.#clock.discontinuity();
  }

  /**
   * Chooses the tracks for a target, and writes the messages that announce them.
   * @param answer properties that the target states in its answer to `connect`
   */
  announce(
    tracks: readonly Track[],
    answer: ReadonlyMap<string, AmfValue>,
  ): { readonly places: FlvPlaces; readonly headers: readonly Buffer[] } {
    const { places } = flvLayout(tracks, readFlvCapabilities(answer));
    const { nowMs } = this.#clock;
    const headers = [writeMetadataMessage(places, true), ...writeConfigMessages(places, nowMs)];
    return {
      places: new Map(places.map((place) => [place.track.id, place])),
      headers: places.length > 0 ? headers : [],
    };
  }

  /** Takes the next unit of the stream. Called once for each unit, before `message`. */
  next(unit: StreamUnit): void {
    this.#unit = new FlvUnit(unit, this.#clock.place(unit.track, unit.dtsTicks, unit.ptsTicks));
  }

  /** Message of the current unit for targets with this place of its track. */
  message(place: FlvPlace): Buffer | undefined {
    return this.#unit?.message(place);
  }
}
