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

/** Where the window stands on the screens, in device-independent pixels. */
export type Bounds = z.infer<typeof boundsSchema>;

/** Place and form of the window, kept from one start to the next. */
export type WindowState = z.infer<typeof stateSchema>;

/** A window beside the first one: what it shows, behind `#` in the address of the desk, and where it stands. */
export type WallWindow = z.infer<typeof wallsSchema>[number];

/** The windows beside the first one that were open at the last end. One whose screen is gone stands at the usual place: `state` is undefined. */
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

/** Keeps the windows beside the first one, all or none. */
export function writeWallWindows(file: string, walls: readonly WallWindow[]): void {
  writeJson(file, walls);
}

/** Reads the kept state. Undefined where there is none, or it cannot be used on the screens of now. */
export function readWindowState(file: string, screens: readonly Bounds[]): WindowState | undefined {
  const state = stateSchema.safeParse(readJson(file));
  if (!state.success) return undefined;
  return screens.some((screen) => isReachable(state.data.bounds, screen)) ? state.data : undefined;
}

/** Keeps the state, whole or not at all. A disk that refuses it costs the place of the window only. */
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
    // The next start opens its windows at their usual place.
  }
}

/** Whether enough of the title bar lies on a screen to take hold of it. */
function isReachable(bounds: Bounds, screen: Bounds): boolean {
  const visible = Math.min(bounds.x + bounds.width, screen.x + screen.width) - Math.max(bounds.x, screen.x);
  return visible >= 100 && bounds.y >= screen.y - 8 && bounds.y <= screen.y + screen.height - 40;
}
