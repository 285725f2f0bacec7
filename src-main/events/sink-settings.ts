import { isAbsolute, join } from 'node:path';
import type { EventLevel } from '../../src-preload/contract/events/event-entry.ts';
import type { LocateFile } from '../lib/allowed-paths.ts';
import type { Clock } from '../lib/clock.ts';
import type { Delivery } from './delivery.ts';
import type { EventCondition } from './event-filter.ts';
import { HttpDelivery } from './http-delivery.ts';
import { httpPost } from './http-post.ts';
import { LogDelivery } from './log-delivery.ts';

/** How long a receiver may take to answer, in milliseconds. */
const POST_TIMEOUT_MS = 15_000;

/** What is configured for one sink. A value: two that are equal mean the same. */
export interface SinkSettings {
  readonly name: string;
  readonly url: string | null;
  readonly only: readonly EventCondition[];
  readonly except: readonly EventCondition[];
  readonly level: EventLevel | null;
  readonly throttleDelayMs: number;
  readonly resendLimit: number | null;
  readonly resendTimeoutMs: number | null;
  /** Size of a log file in bytes. */
  readonly maxBytes: number;
  /** Old log files that are kept. */
  readonly maxFiles: number;
  /** Facts that go with every event. */
  readonly extra: Readonly<Record<string, string>>;
  /** Secrets that messages are signed with. */
  readonly secrets: readonly string[];
}

/** What deliveries are made with. */
export interface DeliveryContext {
  readonly clock: Clock;
  readonly server: string;
  readonly userAgent: string;
  /** Folder that relative paths of log files start from. */
  readonly fileRoot: string;
  /** Finds where the path of a log file leads to; default: it is taken as it is. */
  readonly locate?: LocateFile;
}

/** How events of a sink are brought where it says; undefined where its address is of no known kind. */
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
