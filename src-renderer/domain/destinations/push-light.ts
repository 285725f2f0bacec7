import type { PushStateObject } from '../../../src-preload/contract/api/push-object.ts';

/**
 * Condition of a destination. `sent`: the target confirms what it gets; `unacknowledged`: it takes data, and its protocol
 * has no confirmation; `unconfirmed`: it takes data, but confirms nothing; `slow`: it is behind; `working`: connects;
 * `waiting`: the stream has no frames; `retrying`: failed, with another attempt to come; `failed`: gave up; `planned`: its
 * start is later; `ended`: its planned end has passed; `off`.
 */
export type PushLight =
  | 'sent'
  | 'unacknowledged'
  | 'unconfirmed'
  | 'slow'
  | 'working'
  | 'waiting'
  | 'retrying'
  | 'failed'
  | 'planned'
  | 'ended'
  | 'off';

/** Colour of a condition: `good`: green; `care`: amber; `bad`: red; `off`: grey. */
export type PushColour = 'good' | 'care' | 'bad' | 'off';

export const PUSH_COLOURS: Readonly<Record<PushLight, PushColour>> = {
  sent: 'good',
  unacknowledged: 'good',
  unconfirmed: 'care',
  slow: 'care',
  working: 'care',
  waiting: 'care',
  retrying: 'bad',
  failed: 'bad',
  planned: 'off',
  ended: 'off',
  off: 'off',
};

/** Delay above which a target counts as slow, in milliseconds. */
const SLOW_MS = 2000;
/** Protocols without a confirmation of received data. */
const UNACKNOWLEDGED = /^(?:udp|rtp|tshttps?):/i;

/** Condition of a destination. A connection alone proves nothing, so only confirmed bytes make it `sent`. */
export function pushLight({
  url,
  state,
  code,
  lag,
  bytes_acknowledged: confirmed,
}: Pick<PushStateObject, 'url' | 'state' | 'code' | 'bytes_acknowledged' | 'lag'>): PushLight {
  switch (state) {
    case 'disabled':
      return 'off';
    case 'planned':
    case 'ended':
      return state;
    case 'error':
      return 'failed';
    case 'retry':
      return 'retrying';
    case 'pending':
    case 'starting':
      if (code !== null && code !== 'push_standby') return 'retrying';
      return state === 'pending' ? 'waiting' : 'working';
    case 'running':
      if (lag > SLOW_MS || code === 'push_slow') return 'slow';
      if ((confirmed ?? 0) > 0) return 'sent';
      return UNACKNOWLEDGED.test(url) ? 'unacknowledged' : 'unconfirmed';
  }
}
