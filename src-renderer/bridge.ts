import type { InjectionKey } from 'vue';
import { inject } from 'vue';
import type { WindowBridge } from '../src-preload/contract/index.ts';
import { PreloadBridge } from './lib/preload-bridge.ts';
import { SocketBridge } from './lib/socket-bridge.ts';
import type { SocketHandlers } from './lib/socket-bridge.ts';
import type { DeskBridge } from './lib/link.ts';

/** Where `main.ts` puts the bridge for the components. */
export const bridgeKey: InjectionKey<DeskBridge> = Symbol('bridge');

/** The bridge to the server: through the preload script where there is one, else over a WebSocket to the host of the page. */
export function openBridge(): DeskBridge {
  // The preload script puts it there; in a browser there is none.
  const preload = (window as { readonly bridge?: WindowBridge }).bridge;
  if (preload) return new PreloadBridge(preload);
  const address = new URL('/-/bridge', location.href);
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
  return new SocketBridge({ open: (handlers) => openSocket(address, handlers), mediaBase: location.origin, mustLogIn });
}

/** Whether the server asks for a login before anything may be looked at. */
async function mustLogIn(): Promise<boolean> {
  try {
    const access: unknown = await (await fetch('/-/access', { cache: 'no-store' })).json();
    return typeof access === 'object' && access !== null && 'may_read' in access && access.may_read === false;
  } catch {
    return false;
  }
}

function openSocket(address: URL, handlers: SocketHandlers): WebSocket {
  const socket = new WebSocket(address);
  // Media of tiles comes as binary messages.
  socket.binaryType = 'arraybuffer';
  socket.onopen = () => handlers.onOpen();
  socket.onmessage = (event: MessageEvent<unknown>) => handlers.onMessage(event.data);
  socket.onclose = () => handlers.onClose();
  return socket;
}

/** The bridge, inside a component. */
export function useBridge(): DeskBridge {
  const bridge = inject(bridgeKey);
  if (!bridge) throw new Error('The bridge was not provided');
  return bridge;
}
