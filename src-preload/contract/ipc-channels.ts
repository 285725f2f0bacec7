/** IPC channel names of the Electron bridge: the same messages as over the WebSocket; those about feeds go over a port of their own. */
export const IPC = {
  call: 'airdesk:call',
  subscribe: 'airdesk:subscribe',
  unsubscribe: 'airdesk:unsubscribe',
  event: 'airdesk:event',
  openFeeds: 'airdesk:open-feeds',
  feedPort: 'airdesk:feed-port',
} as const;
