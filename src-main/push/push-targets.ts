import { because } from '../../src-preload/contract/explanations/explanations.ts';
import type { Clock } from '../lib/clock.ts';
import { maskSecrets } from '../lib/mask-secrets.ts';
import type { OutgoingHosts } from '../lib/outgoing-hosts.ts';
import type { StreamUnit } from '../stream/stream-hub.ts';
import type { OpenPushTarget, PushFault, PushTarget } from './target/push-target.ts';
import { FlvFeed } from './rtmp/flv-feed.ts';
import { readRtmpAddress, shownRtmpUrl } from './rtmp/rtmp-address.ts';
import { RtmpTarget } from './rtmp/rtmp-target.ts';

interface PushTargetsOptions {
  readonly streamName: string;
  readonly clock: Pick<Clock, 'now'>;
  readonly hosts: OutgoingHosts;
}

/** Targets of one stream by the scheme of their address, and the media that they share. */
export class PushTargets {
  readonly #options: PushTargetsOptions;
  readonly #flv = new FlvFeed();

  constructor(options: PushTargetsOptions) {
    this.#options = options;
  }

  /** Returns the function that connects to an address, and the address without its secrets. */
  of(url: string): { readonly shownUrl: string; readonly open: OpenPushTarget } {
    const shownUrl = shownPushUrl(url);
    if (!isRtmp(url)) return { shownUrl, open: refusing({ code: 'push_not_supported', ...because('push_scheme') }) };
    const { clock, hosts, streamName } = this.#options;
    const address = readRtmpAddress(url, streamName);
    if (!('app' in address)) return { shownUrl, open: refusing({ code: 'push_bad_address', ...address }) };
    return { shownUrl, open: (port) => new RtmpTarget({ address, clock, hosts, feed: this.#flv }, port) };
  }

  /** Takes the next unit of the stream, before the pushes get it. */
  next(unit: StreamUnit): void {
    this.#flv.next(unit);
  }

  /** Continues after an interruption of the timeline. */
  discontinuity(): void {
    this.#flv.discontinuity();
  }
}

/** Address of a target as shown to people, without its key. */
export function shownPushUrl(url: string): string {
  return isRtmp(url) ? shownRtmpUrl(url) : maskSecrets(url);
}

function isRtmp(url: string): boolean {
  return /^rtmps?:/i.test(url);
}

/** Target that refuses each attempt. */
function refusing(fault: PushFault): OpenPushTarget {
  return (port) => {
    const none: PushTarget = {
      sentBytes: 0,
      acknowledgedBytes: null,
      backlog: { bytes: 0, lagMs: 0, progressMs: 0 },
      tracks: () => new Set(),
      unit: () => undefined,
      close: () => undefined,
    };
    queueMicrotask(() => {
      port.failed(fault, true);
    });
    return none;
  };
}
