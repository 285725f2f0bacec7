import { because, type Explained } from '../../src-preload/contract/explanations/explanations.ts';
import { maskAfterHost, maskSecrets } from '../lib/mask-secrets.ts';
import type { Track } from '../media/track.ts';
import type { StreamUnit } from '../stream/stream-hub.ts';
import type { OpenPushTarget, PushFault, PushTarget } from './target/push-target.ts';
import { FlvFeed } from './rtmp/flv-feed.ts';
import { isHttpUrl } from './http/http-address.ts';
import { httpTarget, type HttpTargetsOptions } from './http/http-targets.ts';
import { DatagramTargets, isDatagramUrl, type DatagramTargetsOptions } from './mpegts/datagram-targets.ts';
import type { PushSpec } from './push-spec.ts';
import { readRtmpAddress, shownRtmpUrl } from './rtmp/rtmp-address.ts';
import { RtmpTarget } from './rtmp/rtmp-target.ts';

type PushTargetsOptions = DatagramTargetsOptions & HttpTargetsOptions;

/** Targets of one stream by the scheme of their address, and the media that they share. */
export class PushTargets {
  readonly #options: PushTargetsOptions;
  readonly #flv = new FlvFeed();
  readonly #datagrams: DatagramTargets;

  constructor(options: PushTargetsOptions) {
    this.#options = options;
    this.#datagrams = new DatagramTargets(options);
  }

  /** Returns the function that connects to a target, and the address of the target without its secrets. */
  of(spec: PushSpec): { readonly shownUrl: string; readonly open: OpenPushTarget } {
    return { shownUrl: shownPushUrl(spec.url), open: this.#opening(spec) };
  }

  /** Sets the tracks of the stream, before the pushes get them. */
  tracks(tracks: readonly Track[]): void {
    this.#flv.tracks(tracks);
  }

  /** Takes the next unit of the stream, before the pushes get it. */
  next(unit: StreamUnit): void {
    this.#flv.next(unit);
    this.#datagrams.next(unit);
  }

  /** Takes a splice information section, whose times are those of the stream. */
  splice(section: Uint8Array): void {
    this.#datagrams.splice(section);
  }

  /** Continues after an interruption of the timeline. */
  discontinuity(): void {
    this.#flv.discontinuity();
  }

  #opening(spec: PushSpec): OpenPushTarget {
    if (isRtmp(spec.url)) return this.#rtmp(spec);
    if (isHttpUrl(spec.url)) return opening(httpTarget(spec, this.#options));
    if (isDatagramUrl(spec.url)) return opening(this.#datagrams.of(spec));
    return refusing({ code: 'push_not_supported', ...because('push_scheme') });
  }

  #rtmp({ url }: PushSpec): OpenPushTarget {
    const { clock, hosts, streamName } = this.#options;
    const address = readRtmpAddress(url, streamName);
    if (!('app' in address)) return refusing({ code: 'push_bad_address', ...address });
    return (port) => new RtmpTarget({ address, clock, hosts, feed: this.#flv }, port);
  }
}

/** Address of a target as shown to people, without its key. */
export function shownPushUrl(url: string): string {
  if (isRtmp(url)) return shownRtmpUrl(url);
  return isHttpUrl(url) ? maskAfterHost(url, '***') : maskSecrets(url);
}

function isRtmp(url: string): boolean {
  return /^rtmps?:/i.test(url);
}

/** Function that opens a target, or one that refuses for a reason. */
function opening(target: OpenPushTarget | Explained): OpenPushTarget {
  return typeof target === 'function' ? target : refusing({ code: 'push_bad_address', ...target });
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
