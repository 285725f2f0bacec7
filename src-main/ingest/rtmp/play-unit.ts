import type { FlvTime } from '../../media/containers/flv/flv-clock.ts';
import type { FlvPlace } from '../../media/containers/flv/flv-layout.ts';
import { writeUnitMessage } from '../../media/containers/flv/flv-messages.ts';
import type { StreamUnit } from '../../stream/stream-hub.ts';

/** An access unit for players. Its messages are written once. */
export class PlayUnit {
  readonly unit: StreamUnit;
  readonly time: FlvTime;
  readonly data: Uint8Array;
  /** Whether players can start with it. */
  isEntry = false;
  readonly #messages = new Map<string, Buffer>();

  /** @param data own copy of the data; default: those of the unit, which are borrowed */
  constructor(unit: StreamUnit, time: FlvTime, data = unit.data) {
    this.unit = data === unit.data ? unit : { ...unit, data };
    this.time = time;
    this.data = data;
  }

  /** Message with the unit, for players with this place of its track. */
  message(place: FlvPlace): Buffer {
    const key = `${place.form}${place.trackNumber}`;
    let message = this.#messages.get(key);
    if (!message) {
      message = writeUnitMessage(place, this.time, { isRandomAccess: this.unit.isRandomAccess, data: this.data });
      this.#messages.set(key, message);
    }
    return message;
  }
}
