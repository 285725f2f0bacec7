import { onScopeDispose } from 'vue';
import type { ServerInfo, TopicName, TopicPayload } from '../../src-preload/contract/index.ts';
import { useBridge } from './bridge.ts';
import type { LinkState } from '../lib/link.ts';

/** Bridge listeners of a part of the desk. */
export interface FeedListeners {
  /** State of the connection: called at once, then with every change. */
  readonly link?: (link: LinkState) => void;
  /** Called with every answer to the heartbeat: regularly, and as soon as the server is back. */
  readonly info?: (info: ServerInfo) => void;
  /** Listeners of topics. The first message after a subscription, and after each lost connection, is a snapshot. */
  readonly topics?: { readonly [N in TopicName]?: (payload: TopicPayload<N>) => void };
}

/** Open feed of bridge messages. */
export interface BridgeFeed {
  /** Subscribes to the topics again, so that each starts with a snapshot. */
  renew(): void;
}

/** Listens to the bridge while the component is mounted. */
export function useBridgeFeed({ link, info, topics = {} }: FeedListeners): BridgeFeed {
  const bridge = useBridge();
  const ends: (() => void)[] = [];
  if (link) {
    link(bridge.link);
    ends.push(bridge.onLink(link));
  }
  if (info) ends.push(bridge.onInfo(info));

  function subscribe<N extends TopicName>(topic: N): (() => void)[] {
    const listener = topics[topic];
    return listener ? [bridge.on(topic, listener)] : [];
  }
  // The keys of the object are exactly the names of its type.
  const subscribeAll = (): (() => void)[] => (Object.keys(topics) as TopicName[]).flatMap((topic) => subscribe(topic));

  let subscriptions = subscribeAll();
  const unsubscribeAll = (): void => subscriptions.forEach((end) => end());
  onScopeDispose(() => {
    unsubscribeAll();
    for (const end of ends) end();
  });
  return {
    renew() {
      unsubscribeAll();
      subscriptions = subscribeAll();
    },
  };
}
