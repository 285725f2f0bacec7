import { Menu, Tray } from 'electron';
import type { DesktopTexts } from './desktop-texts.ts';

/** Actions of the tray icon. */
export interface TrayActions {
  toFront(): void;
  openWall(): void;
  quit(): void;
}

/** Tray icon. Its tooltip shows the number of live streams; a click brings the desk to the front. */
export class DeskTray {
  readonly #tray: Tray;
  readonly #texts: DesktopTexts;

  /** @param icon path of a picture of 32 × 32 pixels */
  constructor(icon: string, texts: DesktopTexts, { toFront, openWall, quit }: TrayActions) {
    this.#texts = texts;
    this.#tray = new Tray(icon);
    this.#tray.setContextMenu(
      Menu.buildFromTemplate([
        { label: texts.openDesk, click: toFront },
        { label: texts.newWall, click: openWall },
        { type: 'separator' },
        { label: texts.quit, click: quit },
      ]),
    );
    this.#tray.on('click', toFront);
  }

  /**
   * Updates the tooltip.
   * @param streamsOnAir undefined while the server is down
   */
  update(streamsOnAir: number | undefined): void {
    this.#tray.setToolTip(`Airdesk: ${stateText(this.#texts, streamsOnAir)}`);
  }
}

function stateText(texts: DesktopTexts, streamsOnAir: number | undefined): string {
  if (streamsOnAir === undefined) return texts.serverOff;
  return streamsOnAir === 0 ? texts.nothingOnAir : texts.onAir(streamsOnAir);
}
