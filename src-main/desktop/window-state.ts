import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';

const boundsSchema = z.object({
  x: z.number().int(),
  y: z.number().int(),
  width: z.number().int().min(400),
  height: z.number().int().min(300),
});
const stateSchema = z.object({ bounds: boundsSchema, isMaximized: z.boolean(), isFullScreen: z.boolean() });
const wallsSchema = z.array(z.object({ place: z.string().startsWith('/').max(2_000), state: stateSchema })).max(32);

/** Position and size of a window, in device-independent pixels. */
export type Bounds = z.infer<typeof boundsSchema>;

/** Position and state of a window, stored between runs. */
export type WindowState = z.infer<typeof stateSchema>;

/** An additional window. `place` is its page: the part after `#` in the address of the desk. */
export type WallWindow = z.infer<typeof wallsSchema>[number];

/** Reads the additional windows of the previous run. `state` is undefined if the screen is no longer connected. */
export function readWallWindows(
  file: string,
  screens: readonly Bounds[],
): { readonly place: string; readonly state: WindowState | undefined }[] {
  const walls = wallsSchema.safeParse(readJson(file));
  if (!walls.success) return [];
  return walls.data.map(({ place, state }) => ({
    place,
    state: screens.some((screen) => isReachable(state.bounds, screen)) ? state : undefined,
  }));
}

/** Writes the additional windows atomically. */
export function writeWallWindows(file: string, walls: readonly WallWindow[]): void {
  writeJson(file, walls);
}

/** Reads the stored state of the first window. Undefined if there is none, or if its screen is no longer connected. */
export function readWindowState(file: string, screens: readonly Bounds[]): WindowState | undefined {
  const state = stateSchema.safeParse(readJson(file));
  if (!state.success) return undefined;
  return screens.some((screen) => isReachable(state.data.bounds, screen)) ? state.data : undefined;
}

/** Writes the state of the first window atomically. If that fails, only the position is lost. */
export function writeWindowState(file: string, state: WindowState): void {
  writeJson(file, state);
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

function writeJson(file: string, value: unknown): void {
  try {
    writeFileSync(`${file}.new`, JSON.stringify(value));
    renameSync(`${file}.new`, file);
  } catch {
    // Ignored: the next start then opens the windows at their default position.
  }
}

/** Reports whether enough of the title bar is on a screen to drag the window. */
function isReachable(bounds: Bounds, screen: Bounds): boolean {
  const visible = Math.min(bounds.x + bounds.width, screen.x + screen.width) - Math.max(bounds.x, screen.x);
  return visible >= 100 && bounds.y >= screen.y - 8 && bounds.y <= screen.y + screen.height - 40;
}
