import { defineStore } from 'pinia';
import type { ServerInfo } from '../../src-preload/contract/index.ts';
import type { LinkState } from '../lib/link.ts';

interface ServerState {
  info: ServerInfo | null;
  mediaBase: string;
  link: LinkState;
  /** Server clock minus clock of this machine, in milliseconds. */
  clockOffsetMs: number;
}

/** Server of the desk and the connection to it. State and synchronous setters only. */
export const useServerStore = defineStore('server', {
  state: (): ServerState => ({
    info: null,
    mediaBase: '',
    link: { phase: 'connecting', receivedAtMs: null, retryAtMs: null, mustLogIn: false },
    clockOffsetMs: 0,
  }),
  getters: {
    isStale: (state) => state.link.phase === 'stale',
    /** Whether this login may control running streams; a login that may change the configuration always may. */
    mayOperate: (state) => state.info?.may_operate === true || state.info?.may_write === true,
    /** Whether this login may change the configuration; false before the first answer of the server. */
    mayWrite: (state) => state.info?.may_write === true,
  },
  actions: {
    setInfo(info: ServerInfo, mediaBase: string, nowMs: number) {
      this.info = info;
      this.mediaBase = mediaBase;
      this.clockOffsetMs = info.now - nowMs;
    },
    setLink(link: LinkState) {
      this.link = link;
    },
  },
});
