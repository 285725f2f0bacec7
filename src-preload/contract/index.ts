export * from './bridge.ts';
export * from './calls.ts';
export * from './config-state.ts';
export * from './errors.ts';
export * from './ipc-channels.ts';
export * from './media-info.ts';
export * from './streams.ts';
export * from './topics.ts';
