import { onScopeDispose } from 'vue';
import { useBridge } from '../bridge.ts';
import { useServerStore } from './server-store.ts';

/** Keeps the server store in step with the bridge, as long as the component lives. */
export function useServerLink(): void {
  const bridge = useBridge();
  const server = useServerStore();
  server.setLink(bridge.link);
  const ends = [
    bridge.onLink((link) => server.setLink(link)),
    bridge.onInfo((info) => server.setInfo(info, bridge.mediaBase(info), Date.now())),
  ];
  onScopeDispose(() => {
    for (const end of ends) end();
  });
}
