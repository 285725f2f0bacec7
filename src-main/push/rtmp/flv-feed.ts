import { FlvClock, type FlvTime } from '../../media/containers/flv/flv-clock.ts';
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
  readonly #times = new WeakMap<StreamUnit, FlvTime>();
  #newest: { readonly unit: StreamUnit; readonly message: FlvUnit } | undefined;
  #hasVideo = false;
  /** Joined messages of the targets that write now. */
  readonly #joined: { readonly messages: readonly Buffer[]; readonly bytes: Buffer }[] = [];

  /** Continues after an interruption of the timeline. */
  discontinuity(): void {
    this.#clock.discontinuity();
  }

  /**
   * Chooses the tracks for a target, and writes the messages that announce them.
   * @param answer properties that the target states in its answer to `connect`
   * @param first stored unit that the target gets next; undefined for the next unit of the stream
   */
  announce(
    tracks: readonly Track[],
    answer: ReadonlyMap<string, AmfValue>,
    first: StreamUnit | undefined,
  ): { readonly places: FlvPlaces; readonly headers: readonly Buffer[] } {
    const { places } = flvLayout(tracks, readFlvCapabilities(answer));
    const startMs = (first && this.#times.get(first)?.timestampMs) ?? this.#clock.nowMs;
    const headers = [writeMetadataMessage(places, true), ...writeConfigMessages(places, startMs)];
    return {
      places: new Map(places.map((place) => [place.track.id, place])),
      headers: places.length > 0 ? headers : [],
    };
  }

  /** Sets the tracks of the stream. */
  tracks(tracks: readonly Track[]): void {
    this.#hasVideo = tracks.some(({ content }) => content === 'video');
  }

  /** Whether targets write what they hold with a unit: audio waits for the next picture, which saves system calls. */
  isDue({ track }: Pick<StreamUnit, 'track'>): boolean {
    return !this.#hasVideo || track.content === 'video';
  }

  /** Takes the next unit of the stream. Called once for each unit, in order. */
  next(unit: StreamUnit): void {
    this.#joined.length = 0;
    const time = this.#clock.place(unit.track, unit.dtsTicks, unit.ptsTicks);
    this.#times.set(unit, time);
    this.#newest = { unit, message: new FlvUnit(unit, time) };
  }

  /** Message of a unit for targets with this place of its track. Targets share the message of the newest unit. */
  message(unit: StreamUnit, place: FlvPlace): Buffer | undefined {
    if (unit === this.#newest?.unit) return this.#newest.message.message(place);
    const time = this.#times.get(unit);
    return time && new FlvUnit(unit, time).message(place);
  }

  /** Messages as one buffer, which targets with the same messages share. */
  join(messages: readonly Buffer[]): Buffer {
    const [first] = messages;
    if (first && messages.length === 1) return first;
    const known = this.#joined.find(
      (other) =>
        other.messages.length === messages.length &&
        other.messages.every((message, index) => message === messages[index]),
    );
    if (known) return known.bytes;
    const bytes = Buffer.concat(messages);
    this.#joined.push({ messages: [...messages], bytes });
    return bytes;
  }
}
