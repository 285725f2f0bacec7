import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';

const boundsSchema = z.object({
  x: z.number().int(),
  y: z.number().int(),
  width: z.number().int().min(400),
  height: z.number().int().min(300),
});
const stateSchema = z.object({ bounds: boundsSchema, isMaximized: z.boolean(), isFullScreen: z.boolean() });

/** Where the window stands on the screens, in device-independent pixels. */
export type Bounds = z.infer<typeof boundsSchema>;

/** Place and form of the window, kept from one start to the next. */
export type WindowState = z.infer<typeof stateSchema>;

/** Reads the kept state. Undefined where there is none, or it cannot be used on the screens of now. */
export function readWindowState(file: string, screens: readonly Bounds[]): WindowState | undefined {
  let state: WindowState;
  try {
    state = stateSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
  return screens.some((screen) => isReachable(state.bounds, screen)) ? state : undefined;
}

/** Keeps the state, whole or not at all. A disk that refuses it costs the place of the window only. */
export function writeWindowState(file: string, state: WindowState): void {
  try {
    writeFileSync(`${file}.new`, JSON.stringify(state));
    renameSync(`${file}.new`, file);
  } catch {
    // The next start opens the window at its usual place.
  }
}

/** Whether enough of the title bar lies on a screen to take hold of it. */
function isReachable(bounds: Bounds, screen: Bounds): boolean {
  const visible = Math.min(bounds.x + bounds.width, screen.x + screen.width) - Math.max(bounds.x, screen.x);
  return visible >= 100 && bounds.y >= screen.y - 8 && bounds.y <= screen.y + screen.height - 40;
}
