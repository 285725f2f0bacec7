import { mount, type VueWrapper } from '@vue/test-utils';
import { createPinia, setActivePinia } from 'pinia';
import { createApp, effectScope, type Component } from 'vue';
import { createMemoryHistory, createRouter, type Router } from 'vue-router';
import type { ServerInfo, StreamState } from '../../../src-preload/contract/index.ts';
import { bridgeKey } from '../../../src-renderer/bridge.ts';
import type { FrameListener } from '../../../src-renderer/lib/frame-ticker.ts';
import type { LinkState } from '../../../src-renderer/lib/link.ts';
import { useStreamsStore } from '../../../src-renderer/modules/streams/store.ts';
import { useWallStore } from '../../../src-renderer/modules/wall/store.ts';
import { wallContextKey, type WallContext } from '../../../src-renderer/modules/wall/wall-context.ts';
import { useServerStore } from '../../../src-renderer/server/server-store.ts';
import { FakeBridge } from './fake-bridge.ts';

/** What a component is mounted with. */
interface MountOptions {
  readonly props?: object;
  readonly slots?: Record<string, string>;
  /** Stands in the page: needed where the focus counts. */
  readonly isAttached?: boolean;
}

/** Modules that a test does not look at. */
const OTHER_PAGES = ['wall', 'streams', 'archive', 'sessions', 'alarms', 'configuration', 'log', 'login'].map(
  (name) => ({
    name,
    path: `/${name}`,
    alias: name === 'wall' ? '/' : [],
    component: { template: '<main></main>' },
  }),
);

/** The desk around a component under test: a bridge without a server, empty stores, a frame loop that a test turns, an audio context that it switches. */
export class TestDesk {
  readonly bridge = new FakeBridge();
  /** Whether the browser lets sound through. */
  isSoundOn = false;
  /** How often sound was asked for. */
  unlocks = 0;
  readonly #frames = new Set<FrameListener>();
  readonly #running = new Set<(isRunning: boolean) => void>();
  readonly #pinia = createPinia();

  /** Where the desk is; by default at the wall, between modules of which nothing is seen. */
  readonly router: Router;

  constructor(router = createRouter({ history: createMemoryHistory(), routes: OTHER_PAGES })) {
    this.router = router;
    setActivePinia(this.#pinia);
  }

  /** Lets the stores know the server: a login that may change things, unless a test says otherwise. */
  setServer(info: Partial<ServerInfo> = {}, link: Partial<LinkState> = {}): void {
    const now = Date.now();
    const server = useServerStore();
    // What a test does not give is not asked.
    const whole = {
      has_edit_login: true,
      may_write: true,
      live_prefixes: [],
      rtmp_url: null,
      now,
      ...info,
    } as ServerInfo;
    server.setInfo(whole, 'http://desk.example', now);
    server.setLink({ phase: 'live', heardAtMs: now, retryAtMs: null, mustLogIn: false, ...link });
  }

  /** Lets the stores hold these streams and no others. */
  setStreams(...changed: readonly StreamState[]): void {
    useStreamsStore().apply({ is_snapshot: true, changed, removed: [] }, performance.now());
    useWallStore().setPresent(changed.map(({ name }) => name));
  }

  /** Draws one frame. */
  frame(nowMs: number): void {
    for (const listener of this.#frames) listener(nowMs);
  }

  /** How many parts of the desk draw in each frame. */
  get drawing(): number {
    return this.#frames.size;
  }

  /** Lets the browser allow sound, or take it away. */
  setSound(isOn: boolean): void {
    this.isSoundOn = isOn;
    for (const listener of this.#running) listener(isOn);
  }

  mount(component: Component, { props = {}, slots = {}, isAttached = false }: MountOptions = {}): VueWrapper {
    return mount(component, {
      props,
      slots,
      ...(isAttached ? { attachTo: 'body' } : {}),
      global: { plugins: [this.#pinia, this.router], provide: this.#provided() },
    }) as VueWrapper;
  }

  /** Runs a composable as a component would, without a page. Returns what it made and how it ends. */
  run<T>(compose: () => T): { readonly made: T; end(): void } {
    const app = createApp({});
    app.use(this.#pinia);
    app.use(this.router);
    for (const key of Reflect.ownKeys(this.#provided())) app.provide(key as symbol, this.#provided()[key as symbol]);
    const scope = effectScope();
    const made = app.runWithContext(() => scope.run(compose));
    return { made: made as T, end: () => scope.stop() };
  }

  #provided(): Record<symbol, unknown> {
    return { [bridgeKey as symbol]: this.bridge, [wallContextKey as symbol]: this.#context() };
  }

  #context(): WallContext {
    const listen = <T>(set: Set<T>, listener: T): (() => void) => {
      set.add(listener);
      return () => void set.delete(listener);
    };
    const isRunning = (): boolean => this.isSoundOn;
    return {
      ticker: { add: (listener) => listen(this.#frames, listener) },
      audioMixer: {
        get isRunning() {
          return isRunning();
        },
        unlock: () => Promise.resolve(void (this.unlocks += 1)),
        onRunning: (listener) => listen(this.#running, listener),
        connect: () => null,
      },
      lastFrames: { keep: () => undefined, draw: () => false },
    };
  }
}
