import type { Track } from '../../track.ts';
import type { FlvTime } from './flv-clock.ts';
import type { FlvPlace } from './flv-layout.ts';
import { writeUnitMessage } from './flv-messages.ts';

/** Fields of an access unit that its messages contain. */
interface UnitFields {
  readonly track: Track;
  readonly isRandomAccess: boolean;
  readonly data: Uint8Array;
}

/** An access unit for RTMP receivers. Receivers with the same place of its track share the bytes of its message. */
export class FlvUnit {
  readonly track: Track;
  readonly time: FlvTime;
  readonly #fields: UnitFields;
  readonly #messages = new Map<string, Buffer>();

  constructor(fields: UnitFields, time: FlvTime) {
    this.track = fields.track;
    this.time = time;
    this.#fields = fields;
  }

  /** Message for receivers with this place of the track. The first call for a place reads the data. */
  message(place: FlvPlace): Buffer {
    const key = `${place.form}${place.trackNumber}`;
    let message = this.#messages.get(key);
    if (!message) {
      message = writeUnitMessage(place, this.time, this.#fields);
      this.#messages.set(key, message);
    }
    return message;
  }
}
