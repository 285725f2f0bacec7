import { useBridge } from './bridge.ts';
import { useServerStore } from './server-store.ts';
import { useBridgeFeed } from './use-bridge-feed.ts';

/** Keeps the server store in sync with the bridge while the component is mounted. */
export function useServerLink(): void {
  const bridge = useBridge();
  const server = useServerStore();
  useBridgeFeed({
    link: (link) => server.setLink(link),
    info: (info) => server.setInfo(info, bridge.mediaBase(info), Date.now()),
  });
}
