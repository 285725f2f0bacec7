// Bridge of the window: two verbs over IPC. Runs in the sandbox, before the desk.
import { contextBridge, ipcRenderer } from 'electron';
import { IPC } from './contract/ipc-channels.ts';

type Listener = (payload: unknown) => void;

const listeners = new Map<string, Set<Listener>>();

ipcRenderer.on(IPC.event, (_event, topic: string, payload: unknown) => {
  for (const listener of listeners.get(topic) ?? []) listener(payload);
});

// Media of tiles uses a port that the page gets directly: the bridge would copy every frame.
ipcRenderer.on(IPC.feedPort, (event) => {
  window.postMessage(IPC.feedPort, location.origin, event.ports);
});

contextBridge.exposeInMainWorld('bridge', {
  call: (name: string, input: unknown): Promise<unknown> => ipcRenderer.invoke(IPC.call, name, input),
  on: (topic: string, listener: Listener): (() => void) => {
    const ofTopic = listeners.get(topic) ?? new Set<Listener>();
    // A separate function per subscription, so that a listener that subscribes twice is called twice.
    const own: Listener = (payload) => {
      listener(payload);
    };
    listeners.set(topic, ofTopic.add(own));
    ipcRenderer.send(IPC.subscribe, topic);
    return () => {
      if (!ofTopic.delete(own) || ofTopic.size > 0) return;
      listeners.delete(topic);
      ipcRenderer.send(IPC.unsubscribe, topic);
    };
  },
  openFeeds: (): void => {
    ipcRenderer.send(IPC.openFeeds);
  },
});
