import { defineStore } from 'pinia';
import type { ServerInfo } from '../../src-preload/contract/index.ts';
import type { LinkState } from '../lib/link.ts';

interface ServerState {
  info: ServerInfo | null;
  mediaBase: string;
  link: LinkState;
  /** What must be added to the clock of this machine to get that of the server, in milliseconds. */
  clockOffsetMs: number;
}

/** The server behind the desk and the connection to it. State and synchronous setters only. */
export const useServerStore = defineStore('server', {
  state: (): ServerState => ({
    info: null,
    mediaBase: '',
    link: { phase: 'connecting', heardAtMs: null, retryAtMs: null, mustLogIn: false },
    clockOffsetMs: 0,
  }),
  getters: {
    isStale: (state) => state.link.phase === 'stale',
    /** Whether the login of this desk may change things; false before the first answer of the server. */
    /** Whether it may act on what runs; whatever may change things may. */
    mayOperate: (state) => state.info?.may_operate === true || state.info?.may_write === true,
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
