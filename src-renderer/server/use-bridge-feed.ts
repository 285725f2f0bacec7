import { onScopeDispose } from 'vue';
import type { ServerInfo, TopicName, TopicPayload } from '../../src-preload/contract/index.ts';
import { useBridge } from '../bridge.ts';
import type { LinkState } from '../lib/link.ts';

/** What a part of the desk wants to hear from the bridge. */
export interface FeedListeners {
  /** The connection: as it is now, then with every change. */
  readonly link?: (link: LinkState) => void;
  /** Every answer to the heartbeat: each three seconds while the server answers, and as soon as it is back. */
  readonly info?: (info: ServerInfo) => void;
  /** Messages of topics. The first one after a subscription, and after each lost connection, is a snapshot. */
  readonly topics?: { readonly [N in TopicName]?: (payload: TopicPayload<N>) => void };
}

/** A feed that is open. */
export interface BridgeFeed {
  /** Subscribes to the topics anew, so that each begins with a snapshot. */
  renew(): void;
}

/** Listens to the bridge for as long as the component lives. */
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
  // The keys of the object are the names of its type, no more.
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
