import type { CallName, ErrorValue, ServerInfo, TopicName, TopicPayload } from '../../../src-preload/contract/index.ts';
import type { DeskLogin } from '../../../src-renderer/lib/desk-login.ts';
import type { DeskBridge, LinkState } from '../../../src-renderer/lib/link.ts';
import { LinkBoard } from '../../../src-renderer/lib/link.ts';

type Listener = (payload: never) => void;

/**
 * Bridge without a server: records the calls, answers with values of a test (default: an empty value), and emits
 * messages on request.
 */
export class FakeBridge implements DeskBridge {
  readonly calls: (readonly [name: string, input: unknown])[] = [];
  readonly answers: Partial<Record<CallName, unknown>> = {
    'streams.pushes': { pushes: [] },
    'streams.add_push': { name: '', id: '', version: null },
    'streams.change_push': { name: '', id: '', version: null },
    'streams.switch_pushes': { version: null },
    'streams.remove_push': { version: null },
    'streams.transmissions': { transmissions: [] },
    'alarms.list': { alarms: [] },
    'walls.list': { walls: [] },
    'archive.recorded': { streams: [] },
    'archive.splices': { splices: [] },
    'archive.marks': { alarms: [], locks: [], notes: [], is_more: false },
    'streams.quality': { from_at: 0, step_ms: 1, bitrate: [], fps: [], errors: [], latency: [], viewers: [] },
    'alarms.loudness': { days: [] },
    'alarms.download_history': { path: '/-/download/ticket' },
    'alarms.download_loudness': { path: '/-/download/ticket' },
    'ads.download_as_run': { path: '/-/download/ticket' },
    'ads.download_key': { path: '/-/download/ticket' },
    'config.text': { text: '', revision: '1.1', version: 1 },
    'config.directives': { blocks: {} },
    'system.state': { disks: [] },
  };
  readonly errors: Partial<Record<CallName, ErrorValue>> = {};
  /** Login of a browser; undefined, as in the window of the application, unless a test sets a login. */
  login?: DeskLogin;
  /** Number of requests to reconnect immediately. */
  retries = 0;
  readonly #board = new LinkBoard();
  readonly #topics = new Map<TopicName, Set<Listener>>();
  #listeners = 0;

  constructor() {
    this.#board.set({ phase: 'live', receivedAtMs: 0 });
  }

  get link(): LinkState {
    return this.#board.link;
  }

  /** Number of listeners of all kinds. */
  get listeners(): number {
    return this.#listeners;
  }

  readonly call = ((name: CallName, input: unknown) => {
    this.calls.push([name, input]);
    const error = this.errors[name];
    return Promise.resolve(error ? { ok: false, error } : { ok: true, value: this.answers[name] ?? {} });
    // Answers of tests are not typed.
  }) as DeskBridge['call'];

  /** Names of the calls so far. */
  get called(): string[] {
    return this.calls.map(([name]) => name);
  }

  on<N extends TopicName>(topic: N, listener: (payload: TopicPayload<N>) => void): () => void {
    const listeners = this.#topics.get(topic) ?? new Set();
    this.#topics.set(topic, listeners);
    // The types of topics and payloads correspond.
    const added = listener as Listener;
    listeners.add(added);
    return this.#counted(() => listeners.delete(added));
  }

  onLink(listener: (link: LinkState) => void): () => void {
    return this.#counted(this.#board.onLink(listener));
  }

  onInfo(listener: (info: ServerInfo) => void): () => void {
    return this.#counted(this.#board.onInfo(listener));
  }

  /** Sets the state of the connection. */
  setLink(change: Partial<LinkState>): void {
    this.#board.set(change);
  }

  /** Answers a heartbeat; fields that a test does not set are not read. */
  sendInfo(info: Partial<ServerInfo>): void {
    this.#board.info(info as ServerInfo);
  }

  /** Sends a message of a topic. */
  send<N extends TopicName>(topic: N, payload: TopicPayload<N>): void {
    for (const listener of this.#topics.get(topic) ?? []) listener(payload as never);
  }

  mediaBase(): string {
    return 'http://desk.example';
  }

  retryNow(): void {
    this.retries += 1;
  }

  close(): void {
    // The bridge has no connection to close.
  }

  #counted(end: () => void): () => void {
    this.#listeners += 1;
    return () => {
      this.#listeners -= 1;
      end();
    };
  }
}
