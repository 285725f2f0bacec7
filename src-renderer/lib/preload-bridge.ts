import type {
  Bridge,
  CallInput,
  CallName,
  CallOutput,
  Reply,
  ServerInfo,
  TopicName,
  TopicPayload,
} from '../../src-preload/contract/index.ts';
import { unavailable } from './bridge-messages.ts';
import { HEARTBEAT_MS, inTime, LinkBoard } from './link.ts';
import type { DeskBridge, LinkState } from './link.ts';

interface Subscription {
  /** Subscribes anew; the server thread may have been started again. */
  renew(): void;
}

/** The bridge over the preload script of the window. The window cannot lose its server thread's address, but the thread may be busy or gone. */
export class PreloadBridge implements DeskBridge {
  readonly #bridge: Bridge;
  readonly #board = new LinkBoard();
  readonly #subscriptions = new Set<Subscription>();
  readonly #heartbeat: ReturnType<typeof setInterval>;
  #isBeating = false;

  constructor(bridge: Bridge) {
    this.#bridge = bridge;
    this.#heartbeat = setInterval(() => void this.#beat(), HEARTBEAT_MS);
    void this.#beat();
  }

  get link(): LinkState {
    return this.#board.link;
  }

  async call<N extends CallName>(name: N, input: CallInput<N>): Promise<Reply<CallOutput<N>>> {
    try {
      return await inTime(this.#bridge.call(name, input));
    } catch {
      return unavailable('The server thread does not answer');
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
    for (const subscription of this.#subscriptions) this.#subscriptions.delete(subscription);
  }

  async #beat(): Promise<void> {
    if (this.#isBeating) return;
    this.#isBeating = true;
    const reply = await this.call('server.info', {});
    this.#isBeating = false;
    if (!reply.ok) {
      const phase = this.#board.link.heardAtMs === null ? 'connecting' : 'stale';
      this.#board.set({ phase, retryAtMs: Date.now() + HEARTBEAT_MS });
      return;
    }
    const wasLost = this.#board.link.phase !== 'live';
    this.#board.set({ phase: 'live', heardAtMs: Date.now(), retryAtMs: null });
    if (wasLost) for (const subscription of this.#subscriptions) subscription.renew();
    this.#board.info(reply.value);
  }
}
