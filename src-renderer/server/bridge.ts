import type { InjectionKey } from 'vue';
import { inject } from 'vue';
import type { WindowBridge } from '../../src-preload/contract/index.ts';
import { httpLogin } from '../lib/desk-login.ts';
import { PreloadBridge } from '../lib/preload-bridge.ts';
import { SocketBridge } from '../lib/socket-bridge.ts';
import type { Socket, SocketHandlers } from '../lib/socket-bridge.ts';
import type { DeskBridge } from '../lib/link.ts';

/** Injection key of the bridge; provided by `main.ts`. */
export const bridgeKey: InjectionKey<DeskBridge> = Symbol('bridge');

/** Opens the bridge to the server: through the preload script if there is one, else over a WebSocket to the host of the page. */
export async function openBridge(): Promise<DeskBridge> {
  // Set by the preload script; absent in a browser.
  const preload = (window as { readonly bridge?: WindowBridge }).bridge;
  if (preload) return new PreloadBridge(preload);
  const address = new URL('/-/bridge', location.href);
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
  const login = httpLogin({
    request: (path, request) => fetch(path, request),
    onLogin: () => bridge.reconnect(),
    onLogout: () => location.reload(),
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
      // A closing socket drops messages and logs an error to the console.
      if (socket.readyState === WebSocket.OPEN) socket.send(text);
    },
    close: () => socket.close(),
  };
}

/** Bridge to the server, for use inside a component. */
export function useBridge(): DeskBridge {
  const bridge = inject(bridgeKey);
  if (!bridge) throw new Error('The bridge was not provided');
  return bridge;
}
