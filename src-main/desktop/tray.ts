import { Menu, Tray } from 'electron';

/** What the icon in the tray can do. */
export interface TrayActions {
  toFront(): void;
  openWall(): void;
  quit(): void;
}

/** The icon beside the clock of the system: what is on air, and the way to the desk when its windows are hidden or behind others. */
export class DeskTray {
  readonly #tray: Tray;

  /** @param icon path of a picture of 32 × 32 pixels */
  constructor(icon: string, { toFront, openWall, quit }: TrayActions) {
    this.#tray = new Tray(icon);
    this.#tray.setContextMenu(
      Menu.buildFromTemplate([
        { label: 'Open Airdesk', click: toFront },
        { label: 'New Wall Window', click: openWall },
        { type: 'separator' },
        { label: 'Quit', click: quit },
      ]),
    );
    this.#tray.on('click', toFront);
  }

  /** Says what the server does; `streamsOnAir` is undefined while it is not there. */
  say(streamsOnAir: number | undefined): void {
    this.#tray.setToolTip(`Airdesk: ${stateText(streamsOnAir)}`);
  }
}

function stateText(streamsOnAir: number | undefined): string {
  if (streamsOnAir === undefined) return 'the server is not running';
  if (streamsOnAir === 0) return 'nothing is on air';
  return streamsOnAir === 1 ? '1 stream is on air' : `${streamsOnAir} streams are on air`;
}
