import { mount, type VueWrapper } from '@vue/test-utils';
import { createPinia, setActivePinia } from 'pinia';
import { createApp, effectScope, type Component } from 'vue';
import { createMemoryHistory, createRouter, type Router } from 'vue-router';
import type { ServerInfo, StreamState } from '../../../src-preload/contract/index.ts';
import { bridgeKey } from '../../../src-renderer/server/bridge.ts';
import type { FrameListener } from '../../../src-renderer/lib/frame-ticker.ts';
import type { LinkState } from '../../../src-renderer/lib/link.ts';
import { useStreamsStore } from '../../../src-renderer/domain/streams/store.ts';
import { useWallStore } from '../../../src-renderer/modules/wall/store.ts';
import { wallContextKey, type WallContext } from '../../../src-renderer/modules/wall/wall-context.ts';
import { useServerStore } from '../../../src-renderer/server/server-store.ts';
import { FakeBridge } from './fake-bridge.ts';

/** Options for mounting a component. */
interface MountOptions {
  readonly props?: object;
  readonly slots?: Record<string, string>;
  /** Whether the component is attached to the document, which focusing requires. */
  readonly isAttached?: boolean;
}

/** Pages of modules that the tests do not open. */
const OTHER_PAGES = ['wall', 'streams', 'archive', 'sessions', 'alarms', 'configuration', 'log', 'login'].map(
  (name) => ({
    name,
    path: `/${name}`,
    alias: name === 'wall' ? '/' : [],
    component: { template: '<main></main>' },
  }),
);

/**
 * Desk around a component under test: a bridge without a server, empty stores, a frame loop driven by the test, and a
 * controllable audio context.
 */
export class TestDesk {
  readonly bridge = new FakeBridge();
  /** Whether the browser allows audio. */
  isSoundOn = false;
  /** Number of requests for audio. */
  unlocks = 0;
  readonly #frames = new Set<FrameListener>();
  readonly #running = new Set<(isRunning: boolean) => void>();
  readonly #pinia = createPinia();

  /** Router of the desk. By default it is at the wall, and all pages are empty. */
  readonly router: Router;

  constructor(router = createRouter({ history: createMemoryHistory(), routes: OTHER_PAGES })) {
    this.router = router;
    setActivePinia(this.#pinia);
  }

  /** Sets the server in the stores: by default connected, with a login that has full rights. */
  setServer(info: Partial<ServerInfo> = {}, link: Partial<LinkState> = {}): void {
    const now = Date.now();
    const server = useServerStore();
    // Fields that a test does not set are not read.
    const fullInfo = {
      has_edit_login: true,
      may_write: true,
      live_prefixes: [],
      rtmp_url: null,
      now,
      ...info,
    } as ServerInfo;
    server.setInfo(fullInfo, 'http://desk.example', now);
    server.setLink({ phase: 'live', receivedAtMs: now, retryAtMs: null, mustLogIn: false, ...link });
  }

  /** Replaces the streams in the stores. */
  setStreams(...changed: readonly StreamState[]): void {
    useStreamsStore().apply({ is_snapshot: true, changed, removed: [] }, performance.now());
    useWallStore().setPresent(changed.map(({ name }) => name));
  }

  /** Draws one frame. */
  frame(nowMs: number): void {
    for (const listener of this.#frames) listener(nowMs);
  }

  /** Number of parts of the desk that draw in each frame. */
  get drawing(): number {
    return this.#frames.size;
  }

  /** Sets whether the browser allows audio. */
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

  /** Runs a composable without a component. Returns its result, and a function that ends it. */
  run<T>(compose: () => T): { readonly result: T; end(): void } {
    const app = createApp({});
    app.use(this.#pinia);
    app.use(this.router);
    for (const key of Reflect.ownKeys(this.#provided())) app.provide(key as symbol, this.#provided()[key as symbol]);
    const scope = effectScope();
    const result = app.runWithContext(() => scope.run(compose));
    return { result: result as T, end: () => scope.stop() };
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
      lastFrames: { store: () => undefined, draw: () => false },
    };
  }
}
