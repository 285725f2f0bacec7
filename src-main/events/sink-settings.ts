import { isAbsolute, join } from 'node:path';
import type { EventLevel } from '../../src-preload/contract/events/event-entry.ts';
import type { LocateFile } from '../lib/allowed-paths.ts';
import type { Clock } from '../lib/clock.ts';
import type { Delivery } from './delivery.ts';
import type { EventCondition } from './event-filter.ts';
import { HttpDelivery } from './http-delivery.ts';
import { httpPost } from './http-post.ts';
import { LogDelivery } from './log-delivery.ts';

/** Maximum time for an answer of a receiver, in milliseconds. */
const POST_TIMEOUT_MS = 15_000;

/** Configuration of one sink. Equal settings stand for the same sink. */
export interface SinkSettings {
  readonly name: string;
  readonly url: string | null;
  readonly only: readonly EventCondition[];
  readonly except: readonly EventCondition[];
  readonly level: EventLevel | null;
  readonly throttleDelayMs: number;
  readonly resendLimit: number | null;
  readonly resendTimeoutMs: number | null;
  /** Maximum size of a log file, in bytes. */
  readonly maxBytes: number;
  /** Number of old log files to keep. */
  readonly maxFiles: number;
  /** Fields added to every event. */
  readonly extra: Readonly<Record<string, string>>;
  /** Secrets for signing messages. */
  readonly secrets: readonly string[];
}

export interface DeliveryContext {
  readonly clock: Clock;
  readonly server: string;
  readonly userAgent: string;
  /** Base folder of relative log file paths. */
  readonly fileRoot: string;
  /** Resolves links in the path of a log file; default: the path unchanged. */
  readonly locate?: LocateFile;
}

/** Transport for the address of a sink; undefined for an unknown scheme. */
export function deliveryOf(
  { name, url, secrets, maxBytes, maxFiles }: SinkSettings,
  { clock, server, userAgent, fileRoot, locate }: DeliveryContext,
): Delivery | undefined {
  const match = /^(https?|log|jsonlog):\/\/(.+)$/i.exec(url ?? '');
  const scheme = match?.[1]?.toLowerCase();
  if (!match?.[2] || url === null) return undefined;
  if (scheme === 'log' || scheme === 'jsonlog') {
    return new LogDelivery({
      path: isAbsolute(match[2]) ? match[2] : join(fileRoot, match[2]),
      ...(locate ? { locate } : {}),
      form: scheme,
      maxBytes,
      maxFiles,
    });
  }
  if (!URL.canParse(url)) return undefined;
  const { post, close } = httpPost(url, POST_TIMEOUT_MS, clock);
  const delivery = new HttpDelivery({ post, clock, origin: `${server} ${name}`, userAgent, secrets });
  return {
    deliver: (records) => delivery.deliver(records),
    close: async () => {
      await delivery.close();
      close();
    },
  };
}
