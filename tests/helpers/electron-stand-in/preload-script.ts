import { readFileSync } from 'node:fs';

/** Names of what the stand-in puts into the page to carry messages. */
export const CARRIER = { invoke: '__standInInvoke', send: '__standInSend', receive: '__standInReceive' } as const;

/**
 * The built preload as an init script of the page, with a `require('electron')` that knows what a sandboxed preload may use. Any other
 * package fails, as it does in the sandbox.
 */
export function preloadScript(file: string): string {
  return `(() => {
  if (window !== window.top) return;
  const listeners = new Map();
  Object.defineProperty(window, '${CARRIER.receive}', { value: (channel, args) => {
    for (const listener of listeners.get(channel) ?? []) listener({}, ...args);
  } });
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
