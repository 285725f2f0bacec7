import type {
  NativeAgents,
  NativeAuth,
  NativeLicense,
  NativeListeners,
} from '../../../src-preload/contract/api/native.ts';
import type { ApiContext } from '../api-context.ts';
import type { Caller } from '../../operators/caller.ts';

/** Name of the licence of Airdesk (SPDX). */
const LICENSE = 'GPL-3.0-or-later';

/** Where the server listens. */
export function nativeListeners({ describe }: Pick<ApiContext, 'describe'>): NativeListeners {
  const listeners = [...describe().listeners];
  return { listeners, estimated_count: listeners.length, next: null, prev: null };
}

/** Who may use the APIs, and what the caller may do. Never names or passwords of logins. */
export function nativeAuth({ config }: Pick<ApiContext, 'config'>, caller: Caller): NativeAuth {
  const { editAuth, viewAuth, apiAuth, authBackends, auth, onPlay } = config();
  return {
    edit_auth: editAuth !== null,
    view_auth: viewAuth !== null,
    api_auth: apiAuth !== null,
    local_only: editAuth === null && apiAuth === null,
    // They concern the whole server.
    backends: caller.prefixes ? [] : [...authBackends.keys()],
    is_play_asked: [auth, onPlay].some((backend) => backend !== null && backend.url !== false),
    caller: {
      who: caller.who,
      may_read: caller.mayRead,
      may_operate: caller.mayWrite || caller.mayOperate === true,
      may_write: caller.mayWrite,
      prefixes: caller.prefixes ? [...caller.prefixes] : null,
      address: caller.address,
    },
  };
}

/** The licence: Airdesk needs none that is checked. */
export function nativeLicense({ describe }: Pick<ApiContext, 'describe'>): NativeLicense {
  return { status: 'not_required', license: LICENSE, version: describe().version };
}

/** Agents at cameras: none, as the gateway is not built in this version. */
export function nativeAgents(): NativeAgents {
  return { agents: [], estimated_count: 0, next: null, prev: null };
}
