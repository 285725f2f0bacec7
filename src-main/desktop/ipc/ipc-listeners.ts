import { ipcMain } from 'electron';
import { IPC } from '../../../src-preload/contract/index.ts';
import type { BridgeDoor } from './bridge-door.ts';

/** Opens door 1: connects the IPC channels of the bridge with the door. */
export function listenOnIpc(door: BridgeDoor): void {
  ipcMain.handle(IPC.call, (event, name: unknown, input: unknown) => door.call(event.senderFrame, name, input));
  ipcMain.on(IPC.subscribe, (event, topic: unknown) => {
    door.subscribe(event.senderFrame, topic);
  });
  ipcMain.on(IPC.unsubscribe, (event, topic: unknown) => {
    door.unsubscribe(event.senderFrame, topic);
  });
}
