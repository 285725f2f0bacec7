import { readFileSync } from 'node:fs';

/** Names of the functions that carry messages in the page. */
export const CARRIER = {
  invoke: '__standInInvoke',
  send: '__standInSend',
  receive: '__standInReceive',
  port: '__standInPort',
} as const;

/**
 * Built preload script as an init script of the page, with a `require('electron')` that provides the modules of a
 * sandboxed preload script. Requiring any other package fails, as in the sandbox.
 */
export function preloadScript(file: string): string {
  return `(() => {
  if (window !== window.top) return;
  const listeners = new Map();
  Object.defineProperty(window, '${CARRIER.receive}', { value: (channel, args) => {
    for (const listener of listeners.get(channel) ?? []) listener({}, ...args);
  } });
  // Ports of message channels: the other end of each is in the main process, and bytes cross as text.
  const ports = new Map();
  const unpack = (data) => typeof data === 'object' && data !== null && 'base64' in data
    ? Uint8Array.from(atob(data.base64), (one) => one.charCodeAt(0)).buffer
    : data;
  Object.defineProperty(window, '${CARRIER.port}Open', { value: (id, channel) => {
    const { port1, port2 } = new MessageChannel();
    ports.set(id, port1);
    port1.onmessage = ({ data }) => void window.${CARRIER.port}(id, data);
    for (const listener of listeners.get(channel) ?? []) listener({ ports: [port2] });
  } });
  Object.defineProperty(window, '${CARRIER.port}Send', { value: (id, data) => ports.get(id)?.postMessage(unpack(data)) });
  const electron = {
    contextBridge: { exposeInMainWorld: (name, api) => Object.defineProperty(window, name, { value: Object.freeze(api), enumerable: true }) },
    ipcRenderer: {
      invoke: (channel, ...args) => window.${CARRIER.invoke}(channel, args),
      send: (channel, ...args) => void window.${CARRIER.send}(channel, args),
      on: (channel, listener) => listeners.set(channel, [...(listeners.get(channel) ?? []), listener]),
    },
  };
  const load = (name) => {
    if (name === 'electron') return electron;
    throw new Error('module not found in the sandbox: ' + name);
  };
  const module = { exports: {} };
  (function (require, module, exports) {
${readFileSync(file, 'utf8')}
  })(load, module, module.exports);
})();`;
}
