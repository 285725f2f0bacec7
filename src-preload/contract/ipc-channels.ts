/** Names of the IPC channels. They carry the messages of the WebSocket; feed messages use a port of their own. */
export const IPC = {
  call: 'airdesk:call',
  subscribe: 'airdesk:subscribe',
  unsubscribe: 'airdesk:unsubscribe',
  event: 'airdesk:event',
  openFeeds: 'airdesk:open-feeds',
  feedPort: 'airdesk:feed-port',
} as const;
