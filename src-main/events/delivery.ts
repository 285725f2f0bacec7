import type { QueueRecord } from './queue-record.ts';

/** What became of an attempt to deliver events. */
export type DeliveryResult =
  | { readonly kind: 'delivered' }
  | {
      readonly kind: 'failed';
      readonly code:
        | 'event_sink_unreachable'
        | 'event_sink_timeout'
        | 'event_sink_refused'
        | 'event_sink_not_written'
        | 'path_not_allowed';
      readonly message: string;
      /** How long the other side asks to be left alone, in milliseconds. */
      readonly retryAfterMs?: number;
    }
  /** It is more than the other side takes at once. */
  | { readonly kind: 'too_large'; readonly message: string }
  /** The other side wants nothing any more. */
  | { readonly kind: 'gone'; readonly message: string };

/** A way to bring events somewhere. Attempts come one after the other; the same records may come again. */
export interface Delivery {
  /** Tries once. Never rejects. */
  deliver(records: readonly QueueRecord[]): Promise<DeliveryResult>;
  /** Ends an attempt that is under way. */
  close(): Promise<void>;
}
