import { ipcMain, MessageChannelMain } from 'electron';
import { IPC } from '../../../src-preload/contract/index.ts';
import type { BridgeHandler } from './bridge-handler.ts';
import type { FeedRelay } from './feed-relay.ts';

/** Connects the IPC channels of the bridge with its handler, and the port of feeds with their relay. */
export function listenOnIpc(handler: BridgeHandler, feeds: FeedRelay): void {
  ipcMain.handle(IPC.call, (event, name: unknown, input: unknown) => handler.call(event.senderFrame, name, input));
  ipcMain.on(IPC.subscribe, (event, topic: unknown) => {
    handler.subscribe(event.senderFrame, topic);
  });
  ipcMain.on(IPC.unsubscribe, (event, topic: unknown) => {
    handler.unsubscribe(event.senderFrame, topic);
  });
  ipcMain.on(IPC.openFeeds, (event) => {
    if (!handler.isDesk(event.senderFrame)) return;
    const { port1, port2 } = new MessageChannelMain();
    feeds.connect(port1);
    event.sender.postMessage(IPC.feedPort, null, [port2]);
  });
}
