import { defineStore } from 'pinia';
import type { ServerInfo } from '../../src-preload/contract/index.ts';
import { roleAllows, SERVER_DOMAINS, type Access, type Domain } from '../../src-preload/contract/operations/roles.ts';
import type { LinkState } from '../lib/link.ts';

/** Whether a login has an access in a domain. For a person, the role decides; a limit to some streams closes pages about the server. */
export function infoAllows(info: ServerInfo, domain: Domain, access: Access): boolean {
  if (info.prefixes !== undefined && SERVER_DOMAINS.has(domain)) return false;
  if (info.role !== undefined) return roleAllows(info.role, domain, access);
  return access === 'view' || info.may_write || (access === 'operate' && info.may_operate);
}

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
    /** Whether this login has an access in a domain; false before the first answer of the server. */
    may: ({ info }) => {
      return (domain: Domain, access: Access): boolean => info !== null && infoAllows(info, domain, access);
    },
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
