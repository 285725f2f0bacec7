import type {
  CallInput,
  CallName,
  CallOutput,
  Reply,
  ServerInfo,
  TopicName,
  TopicPayload,
  WindowBridge,
} from '../../src-preload/contract/index.ts';
import { IPC } from '../../src-preload/contract/ipc-channels.ts';
import { readServerMessage, unavailable } from './bridge-messages.ts';
import { FeedBoard } from './feed-link.ts';
import { HEARTBEAT_MS, withTimeout, LinkBoard, STALE_MS } from './link.ts';
import type { DeskBridge, LinkState } from './link.ts';
import { LINK } from './error-texts.ts';

interface Subscription {
  /** Subscribes again, because the server thread may have restarted. */
  renew(): void;
}

/**
 * Bridge over the preload script of the window. The window always knows its server thread, but the thread may be busy or may
 * have exited.
 */
export class PreloadBridge implements DeskBridge {
  readonly feeds = new FeedBoard((message) => this.#port?.postMessage(message));
  readonly #bridge: WindowBridge;
  readonly #board = new LinkBoard();
  readonly #subscriptions = new Set<Subscription>();
  readonly #heartbeat: ReturnType<typeof setInterval>;
  /** Start of the heartbeat under way, in epoch milliseconds; undefined for none. */
  #beatingSinceMs: number | undefined;
  #port: MessagePort | undefined;

  constructor(bridge: WindowBridge) {
    this.#bridge = bridge;
    window.addEventListener('message', this.#onPort);
    bridge.openFeeds();
    this.#heartbeat = setInterval(() => void this.#beat(), HEARTBEAT_MS);
    void this.#beat();
  }

  get link(): LinkState {
    return this.#board.link;
  }

  async call<N extends CallName>(name: N, input: CallInput<N>): Promise<Reply<CallOutput<N>>> {
    try {
      return await withTimeout(this.#bridge.call(name, input));
    } catch {
      return unavailable(LINK.threadSilent);
    }
  }

  on<N extends TopicName>(topic: N, listener: (payload: TopicPayload<N>) => void): () => void {
    let end = this.#bridge.on(topic, listener);
    const subscription = {
      renew: () => {
        end();
        end = this.#bridge.on(topic, listener);
      },
    };
    this.#subscriptions.add(subscription);
    return () => {
      this.#subscriptions.delete(subscription);
      end();
    };
  }

  onLink(listener: (link: LinkState) => void): () => void {
    return this.#board.onLink(listener);
  }

  onInfo(listener: (info: ServerInfo) => void): () => void {
    return this.#board.onInfo(listener);
  }

  mediaBase(info: ServerInfo): string {
    return info.base_url.replace(/\/+$/, '');
  }

  retryNow(): void {
    void this.#beat();
  }

  close(): void {
    clearInterval(this.#heartbeat);
    window.removeEventListener('message', this.#onPort);
    this.#port?.close();
    this.#port = undefined;
    for (const subscription of this.#subscriptions) this.#subscriptions.delete(subscription);
  }

  /** Receives the port for the media of tiles from the preload script. */
  readonly #onPort = ({ source, data, ports: [port] }: MessageEvent<unknown>): void => {
    if (source !== window || data !== IPC.feedPort || !port) return;
    this.#port?.close();
    this.#port = port;
    port.onmessage = ({ data: feedMessage }: MessageEvent<unknown>) => {
      if (feedMessage instanceof ArrayBuffer) {
        this.feeds.frame(feedMessage);
        return;
      }
      const message = readServerMessage(feedMessage);
      if (message?.kind === 'feed') this.feeds.state(message.feed, message.state);
    };
    this.feeds.connected();
  };

  async #beat(): Promise<void> {
    if (this.#beatingSinceMs !== undefined) {
      const isLate = Date.now() - this.#beatingSinceMs > STALE_MS;
      if (isLate && this.#board.link.phase === 'live') this.#board.set({ phase: 'stale' });
      return;
    }
    this.#beatingSinceMs = Date.now();
    const reply = await this.call('server.info', {});
    this.#beatingSinceMs = undefined;
    if (!reply.ok) {
      const phase = this.#board.link.receivedAtMs === null ? 'connecting' : 'stale';
      this.#board.set({ phase, retryAtMs: Date.now() + HEARTBEAT_MS });
      return;
    }
    const wasLost = this.#board.link.phase !== 'live';
    this.#board.set({ phase: 'live', receivedAtMs: Date.now(), retryAtMs: null });
    if (wasLost) for (const subscription of this.#subscriptions) subscription.renew();
    this.#board.info(reply.value);
  }
}
