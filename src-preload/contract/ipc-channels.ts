/** IPC channel names of the Electron bridge: the same messages as over the WebSocket. */
export const IPC = {
  call: 'airdesk:call',
  subscribe: 'airdesk:subscribe',
  unsubscribe: 'airdesk:unsubscribe',
  event: 'airdesk:event',
} as const;
