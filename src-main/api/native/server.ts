import type {
  NativeAgents,
  NativeAuth,
  NativeLicense,
  NativeListeners,
} from '../../../src-preload/contract/api/native.ts';
import type { ApiContext } from '../endpoints/api-context.ts';
import type { Caller } from '../../operators/caller.ts';

/** Licence of Airdesk (SPDX). */
const LICENSE = 'GPL-3.0-or-later';

/** Addresses that the server listens on. */
export function nativeListeners({ describe }: Pick<ApiContext, 'describe'>): NativeListeners {
  const listeners = [...describe().listeners];
  return { listeners, estimated_count: listeners.length, next: null, prev: null };
}

/** Configured kinds of access, and the caller's rights. Never contains names or passwords of logins. */
export function nativeAuth({ config }: Pick<ApiContext, 'config'>, caller: Caller): NativeAuth {
  const { editAuth, viewAuth, apiAuth, authBackends, auth, onPlay } = config();
  return {
    edit_auth: editAuth !== null,
    view_auth: viewAuth !== null,
    api_auth: apiAuth !== null,
    local_only: editAuth === null && apiAuth === null,
    // Backends concern the complete server, so callers with limited streams do not see them.
    backends: caller.prefixes ? [] : [...authBackends.keys()],
    has_auth_backend: [auth, onPlay].some((backend) => backend !== null && backend.url !== false),
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

/** Licence of the server. Airdesk does not check licences. */
export function nativeLicense({ describe }: Pick<ApiContext, 'describe'>): NativeLicense {
  return { status: 'not_required', license: LICENSE, version: describe().version };
}

/** Agents at cameras. The list is always empty, because this version has no gateway. */
export function nativeAgents(): NativeAgents {
  return { agents: [], estimated_count: 0, next: null, prev: null };
}
