import type { PushStateObject } from '../../../../src-preload/contract/api/push-object.ts';

/**
 * Condition of a destination, for its colour: `sent`: the target confirms what it gets; `unconfirmed`: it takes data, but
 * confirms nothing; `slow`: it is behind; `working`: connects or waits; `failed`; `off`.
 */
export type PushLight = 'sent' | 'unconfirmed' | 'slow' | 'working' | 'failed' | 'off';

/** Delay above which a target counts as slow, in milliseconds. */
const SLOW_MS = 2000;

/** Condition of a destination. A connection alone proves nothing, so only confirmed bytes make it `sent`. */
export function pushLight(push: Pick<PushStateObject, 'state' | 'code' | 'bytes_acknowledged' | 'lag'>): PushLight {
  switch (push.state) {
    case 'disabled':
      return 'off';
    case 'error':
    case 'retry':
      return 'failed';
    case 'pending':
    case 'starting':
      return push.code === null ? 'working' : 'failed';
    case 'running':
      if (push.lag > SLOW_MS || push.code === 'push_slow') return 'slow';
      return (push.bytes_acknowledged ?? 0) > 0 ? 'sent' : 'unconfirmed';
  }
}
