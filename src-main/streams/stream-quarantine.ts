import { because } from '../../src-preload/contract/explanations/explanations.ts';
import type { StreamSpec } from '../engine/messages.ts';
import { isoTime, type Clock } from '../lib/clock.ts';
import { addressOfPeer } from '../lib/network-address.ts';
import { InputQuarantine, inputLabel, publisherKey, quarantineKey } from './input-quarantine.ts';
import type { PublishRefusal } from './publish-refusal.ts';
import type { StreamEntry } from './stream-entry.ts';
import type { StreamEvents } from './stream-events.ts';

/**
 * Quarantine of inputs and publishers: emits events, marks inputs in specifications of streams, and releases inputs for
 * operators.
 */
export class StreamQuarantine {
  readonly #inputs = new InputQuarantine();
  readonly #clock: Clock;
  readonly #streamEvents: Pick<StreamEvents, 'notice'>;

  constructor(clock: Clock, streamEvents: Pick<StreamEvents, 'notice'>) {
    this.#clock = clock;
    this.#streamEvents = streamEvents;
  }

  /** Number of inputs in quarantine, and number of quarantines since the start. */
  get counters(): { readonly active: number; readonly total: number } {
    return { active: this.#inputs.heldCount(this.#clock.now()), total: this.#inputs.quarantineCount };
  }

  /**
   * Records that an input ended its media thread.
   * @param index index in the configuration; the index after the last one is the backup
   */
  atFault(entry: StreamEntry, index: number, detail: string): void {
    const untilMs = this.#inputs.strike(quarantineKey(entry, index), this.#clock.now());
    if (untilMs === 0) return;
    this.#streamEvents.notice(entry, {
      event: 'input_quarantined',
      input: inputLabel(entry, index),
      code: 'input_quarantined',
      ...because('opened_again_at', { explanation: { detail }, time: isoTime(untilMs) }),
    });
  }

  /** Releases inputs of a stream at the request of an operator. */
  release(entry: StreamEntry, indexes: Iterable<number>): void {
    for (const index of indexes)
      if (this.#inputs.release(quarantineKey(entry, index), this.#clock.now()))
        this.#streamEvents.notice(entry, { event: 'input_released', input: inputLabel(entry, index) });
  }

  /** Refusal of a publisher in quarantine; undefined for any other publisher. */
  refusal(peer: string): PublishRefusal | undefined {
    const address = addressOfPeer(peer);
    const untilMs = this.#inputs.heldUntil(publisherKey(address), this.#clock.now());
    if (untilMs === 0) return undefined;
    return { code: 'input_quarantined', ...because('publish_held', { address, time: isoTime(untilMs) }) };
  }

  /** Specification of the next run of a stream, with quarantined inputs marked. */
  spec(entry: StreamEntry, runId: number): StreamSpec {
    const spec = entry.spec(runId, this.#clock.now());
    const hold = (index: number): { heldUntilMs?: number } => {
      const heldUntilMs = this.#inputs.heldUntil(quarantineKey(entry, index), this.#clock.now());
      return heldUntilMs === 0 ? {} : { heldUntilMs };
    };
    return {
      ...spec,
      // A publisher is refused before it connects to an input.
      inputs: spec.inputs.map((input, index) =>
        input.url.startsWith('publish://') ? input : { ...input, ...hold(index) },
      ),
      ...(spec.backup ? { backup: { ...spec.backup, ...hold(spec.inputs.length) } } : {}),
    };
  }
}
