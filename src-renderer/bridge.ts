import type { InjectionKey } from 'vue';
import { inject } from 'vue';
import type { WindowBridge } from '../src-preload/contract/index.ts';
import { httpLogin } from './lib/desk-login.ts';
import { PreloadBridge } from './lib/preload-bridge.ts';
import { SocketBridge } from './lib/socket-bridge.ts';
import type { Socket, SocketHandlers } from './lib/socket-bridge.ts';
import type { DeskBridge } from './lib/link.ts';

/** Where `main.ts` puts the bridge for the components. */
export const bridgeKey: InjectionKey<DeskBridge> = Symbol('bridge');

/** The bridge to the server: through the preload script where there is one, else over a WebSocket to the host of the page. */
export async function openBridge(): Promise<DeskBridge> {
  // The preload script puts it there; in a browser there is none.
  const preload = (window as { readonly bridge?: WindowBridge }).bridge;
  if (preload) return new PreloadBridge(preload);
  const address = new URL('/-/bridge', location.href);
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
  const login = httpLogin({
    ask: (path, request) => fetch(path, request),
    changed: () => bridge.reconnect(),
    left: () => location.reload(),
  });
  const bridge: SocketBridge = new SocketBridge({
    open: (handlers) => openSocket(address, handlers),
    mediaBase: location.origin,
    login,
    mustLogIn: (await login.access())?.mayRead === false,
  });
  return bridge;
}

function openSocket(address: URL, handlers: SocketHandlers): Socket {
  const socket = new WebSocket(address);
  // Media of tiles comes as binary messages.
  socket.binaryType = 'arraybuffer';
  socket.onopen = () => handlers.onOpen();
  socket.onmessage = (event: MessageEvent<unknown>) => handlers.onMessage(event.data);
  socket.onclose = () => handlers.onClose();
  return {
    send(text) {
      // One that is being closed takes nothing more, and complains of it in the console.
      if (socket.readyState === WebSocket.OPEN) socket.send(text);
    },
    close: () => socket.close(),
  };
}

/** The bridge, inside a component. */
export function useBridge(): DeskBridge {
  const bridge = inject(bridgeKey);
  if (!bridge) throw new Error('The bridge was not provided');
  return bridge;
}
