import { useBridge } from '../bridge.ts';
import { useServerStore } from './server-store.ts';
import { useBridgeFeed } from './use-bridge-feed.ts';

/** Keeps the server store in step with the bridge, as long as the component lives. */
export function useServerLink(): void {
  const bridge = useBridge();
  const server = useServerStore();
  useBridgeFeed({
    link: (link) => server.setLink(link),
    info: (info) => server.setInfo(info, bridge.mediaBase(info), Date.now()),
  });
}
