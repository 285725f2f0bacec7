import { FlvClock, type FlvTime } from '../../media/containers/flv/flv-clock.ts';
import { flvLayout, readFlvCapabilities, type FlvPlace } from '../../media/containers/flv/flv-layout.ts';
import {
  writeConfigMessages,
  writeMetadataMessage,
  writeUnitMessage,
} from '../../media/containers/flv/flv-messages.ts';
import type { AmfValue } from '../../media/containers/rtmp/amf0.ts';
import type { Track } from '../../media/track.ts';
import type { StreamUnit } from '../../stream/stream-hub.ts';

/** Tracks that a target takes, by their ids. */
export type FlvPlaces = ReadonlyMap<string, FlvPlace>;

/** Form in which a track is sent, which decides about the bytes of its messages. */
type PlaceForm = Pick<FlvPlace, 'form' | 'trackNumber'>;

/** Units of a stream as RTMP messages that all targets of the stream share. */
export class FlvFeed {
  readonly #clock = new FlvClock();
  /** Messages of the current unit. */
  readonly #messages: { readonly form: PlaceForm; readonly bytes: Buffer }[] = [];
  #time: FlvTime = { timestampMs: 0, compositionTimeMs: 0 };

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
  next({ track, dtsTicks, ptsTicks }: StreamUnit): void {
    this.#messages.length = 0;
    this.#time = this.#clock.place(track, dtsTicks, ptsTicks);
  }

  /** Message of the current unit for targets with this place of its track. */
  message(place: FlvPlace, unit: StreamUnit): Buffer {
    const { form, trackNumber } = place;
    const made = this.#messages.find((other) => other.form.form === form && other.form.trackNumber === trackNumber);
    if (made) return made.bytes;
    const bytes = writeUnitMessage(place, this.#time, unit);
    this.#messages.push({ form: { form, trackNumber }, bytes });
    return bytes;
  }
}
