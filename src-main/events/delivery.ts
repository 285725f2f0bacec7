import type { QueueRecord } from './queue-record.ts';

/** Result of an attempt to deliver events. */
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
      /** Wait that the receiver asked for, in milliseconds. */
      readonly retryAfterMs?: number;
    }
  /** The batch is larger than the receiver accepts. */
  | { readonly kind: 'too_large'; readonly message: string }
  /** The receiver refuses further events. */
  | { readonly kind: 'gone'; readonly message: string };

/** Transport of events to a receiver. Attempts run one at a time. Records of a failed attempt may be delivered again. */
export interface Delivery {
  /** Attempts to deliver the records once. Never rejects. */
  deliver(records: readonly QueueRecord[]): Promise<DeliveryResult>;
  /** Aborts a running attempt. */
  close(): Promise<void>;
}
