import { type IpcMainEvent, type IpcMainInvokeEvent, ipcMain, MessageChannelMain, type WebContents } from 'electron';
import { IPC } from '../../../src-preload/contract/index.ts';
import type { BridgeHandler } from './bridge-handler.ts';
import type { PageFeeds } from './feed-switch.ts';

/** Connections of the windows to the server. */
interface Windows {
  /** Connection of the window that sent a message; undefined once it is closed. */
  ofSender(contents: WebContents): { readonly bridge: BridgeHandler; readonly feeds: PageFeeds } | undefined;
}

/** Connects the IPC channels of the bridge and the feed ports to the handlers of the windows. */
export function listenOnIpc(windows: Windows): void {
  const bridgeOf = (event: IpcMainEvent | IpcMainInvokeEvent): BridgeHandler | undefined =>
    windows.ofSender(event.sender)?.bridge;
  ipcMain.handle(IPC.call, (event, name: unknown, input: unknown) =>
    bridgeOf(event)?.call(event.senderFrame, name, input),
  );
  ipcMain.on(IPC.subscribe, (event, topic: unknown) => {
    bridgeOf(event)?.subscribe(event.senderFrame, topic);
  });
  ipcMain.on(IPC.unsubscribe, (event, topic: unknown) => {
    bridgeOf(event)?.unsubscribe(event.senderFrame, topic);
  });
  ipcMain.on(IPC.openFeeds, (event) => {
    const window = windows.ofSender(event.sender);
    if (!window?.bridge.isDesk(event.senderFrame)) return;
    const { port1, port2 } = new MessageChannelMain();
    window.feeds.connect(port1);
    event.sender.postMessage(IPC.feedPort, null, [port2]);
  });
}
