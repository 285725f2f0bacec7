import type { Explained } from '../../../src-preload/contract/explanations/explanations.ts';
import type { Clock } from '../../lib/clock.ts';
import type { OutgoingHosts } from '../../lib/outgoing-hosts.ts';
import type { StreamUnit } from '../../stream/stream-hub.ts';
import type { OpenPushTarget } from '../target/push-target.ts';
import { readDatagramAddress } from './datagram-address.ts';
import type { DatagramPacer } from './datagram-pacer.ts';
import { DatagramTarget } from './datagram-target.ts';
import { TsFeeds } from './ts-feeds.ts';

export interface DatagramTargetsOptions {
  readonly clock: Pick<Clock, 'now' | 'elapsed'>;
  readonly hosts: OutgoingHosts;
  /** Timer of all targets that take datagrams. */
  readonly pacer: Pick<DatagramPacer, 'add' | 'delete'>;
}

/** A push to a target that takes datagrams. */
interface DatagramPush {
  readonly url: string;
  /** Ids of the tracks to send; absent for all. */
  readonly tracks?: readonly string[];
}

/** Targets of one stream that take datagrams, and the transport streams that they share. */
export class DatagramTargets {
  readonly #options: DatagramTargetsOptions;
  readonly #feeds: TsFeeds;

  constructor(options: DatagramTargetsOptions) {
    this.#options = options;
    this.#feeds = new TsFeeds(options);
  }

  /** Returns the function that opens a target, or the reason why its address is invalid. */
  of({ url, tracks }: DatagramPush): OpenPushTarget | Explained {
    const { clock, hosts } = this.#options;
    const address = readDatagramAddress(url);
    if (!('port' in address)) return address;
    return (port) => new DatagramTarget({ address, clock, hosts, feed: this.#feeds.acquire({}, tracks) }, port);
  }

  /** Takes the next unit of the stream, before the targets get it. */
  next(unit: StreamUnit): void {
    this.#feeds.next(unit);
  }

  /** Takes a splice information section, whose times are those of the stream. */
  splice(section: Uint8Array): void {
    this.#feeds.splice(section);
  }
}

/** Reports whether a target takes datagrams. */
export function isDatagramUrl(url: string): boolean {
  return /^(?:udp|rtp):/i.test(url);
}
