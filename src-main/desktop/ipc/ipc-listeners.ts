import { ipcMain } from 'electron';
import { IPC } from '../../../src-preload/contract/index.ts';
import type { BridgeHandler } from './bridge-handler.ts';

/** Connects the IPC channels of the bridge with its handler. */
export function listenOnIpc(handler: BridgeHandler): void {
  ipcMain.handle(IPC.call, (event, name: unknown, input: unknown) => handler.call(event.senderFrame, name, input));
  ipcMain.on(IPC.subscribe, (event, topic: unknown) => {
    handler.subscribe(event.senderFrame, topic);
  });
  ipcMain.on(IPC.unsubscribe, (event, topic: unknown) => {
    handler.unsubscribe(event.senderFrame, topic);
  });
}
