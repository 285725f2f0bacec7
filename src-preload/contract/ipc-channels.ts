/** Names of the IPC channels. They carry the same messages as the WebSocket. Feed messages use a separate port. */
export const IPC = {
  call: 'airdesk:call',
  subscribe: 'airdesk:subscribe',
  unsubscribe: 'airdesk:unsubscribe',
  event: 'airdesk:event',
  openFeeds: 'airdesk:open-feeds',
  feedPort: 'airdesk:feed-port',
} as const;
