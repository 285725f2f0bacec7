import { because, type Explained } from '../../../src-preload/contract/explanations/explanations.ts';
import type { Clock } from '../../lib/clock.ts';
import { isOfThisMachine } from '../../lib/connection-limits.ts';
import { networkKind } from '../../lib/network-address.ts';
import type { OutgoingHosts } from '../../lib/outgoing-hosts.ts';
import type { StreamUnit } from '../../stream/stream-hub.ts';
import type { OpenPushTarget } from '../target/push-target.ts';
import { readDatagramAddress } from './datagram-address.ts';
import type { DatagramPacer } from './datagram-pacer.ts';
import { DatagramTarget } from './datagram-target.ts';
import type { TsFeedSettings } from './ts-feed.ts';
import { TsFeeds } from './ts-feeds.ts';

export interface DatagramTargetsOptions {
  readonly clock: Pick<Clock, 'now' | 'elapsed'>;
  readonly hosts: OutgoingHosts;
  /** Timer of all targets that take datagrams. */
  readonly pacer: Pick<DatagramPacer, 'add' | 'delete'>;
  /** Inputs of the stream, to which it must not be sent. */
  readonly ownInputs?: readonly DatagramListener[];
}

/** Settings of a push that apply to datagrams only. */
export interface DatagramSettings extends TsFeedSettings {
  /** Maximum number of routers for multicast; default 1. */
  readonly ttl?: number;
  /** Whether programs of this machine get the datagrams of a group, too; default true. */
  readonly isLooped?: boolean;
  /** Whether nothing is sent to a group while another sender sends to it; default false. */
  readonly isStandby?: boolean;
  /** Address or name of the network interface that sends; default: the one in the address, or of the route. */
  readonly networkInterface?: string;
}

/** Address at which an input of the stream receives datagrams: a group, a local address, or all local addresses. */
export interface DatagramListener {
  readonly port: number;
  readonly address?: string;
}

/** A push to a target that takes datagrams. */
interface DatagramPush {
  readonly url: string;
  /** Ids of the tracks to send; absent for all. */
  readonly tracks?: readonly string[];
  readonly datagrams?: DatagramSettings;
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
  of({ url, tracks, datagrams = {} }: DatagramPush): OpenPushTarget | Explained {
    const { clock, hosts } = this.#options;
    const { ttl, isLooped, isStandby, networkInterface, ...settings } = datagrams;
    const stated = readDatagramAddress(url);
    if (!('port' in stated)) return stated;
    const address = networkInterface === undefined ? stated : { ...stated, networkInterface };
    return (port) =>
      new DatagramTarget(
        {
          address,
          clock,
          hosts,
          feed: this.#feeds.acquire(settings, tracks),
          refusal: (ip) => this.#refusal(ip, address.port),
          ...(ttl === undefined ? {} : { ttl }),
          ...(isLooped === undefined ? {} : { isLooped }),
          ...(isStandby === undefined ? {} : { isStandby }),
        },
        port,
      );
  }

  /** Takes the next unit of the stream, before the targets get it. */
  next(unit: StreamUnit): void {
    this.#feeds.next(unit);
  }

  /** Takes a splice information section, whose times are those of the stream. */
  splice(section: Uint8Array): void {
    this.#feeds.splice(section);
  }

  /** Reason not to send to an address: an input of the stream receives there. */
  #refusal(ip: string, port: number): Explained | undefined {
    const { ownInputs = [] } = this.#options;
    const isHere = isOfThisMachine(ip, networkKind(ip));
    const isLoop = ownInputs.some(
      (input) => input.port === port && (input.address === ip || (input.address === undefined && isHere)),
    );
    return isLoop ? because('push_loop', { port }) : undefined;
  }
}

/** Reports whether a target takes datagrams. */
export function isDatagramUrl(url: string): boolean {
  return /^(?:udp|rtp):/i.test(url);
}
