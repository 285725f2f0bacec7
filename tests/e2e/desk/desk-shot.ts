import type { Page } from 'playwright-core';

/** Widths and heights of the pictures: a phone, a tablet on its side and upright, a workstation, a large monitor. */
const SIZES = [
  [390, 844],
  [810, 1080],
  [1024, 768],
  [1280, 720],
  [1920, 1080],
] as const;

/** Keeps pictures of a page in the sizes that operators have, where `AIRDESK_SHOTS` names a folder. */
export async function shootDesk(page: Page, name: string): Promise<void> {
  const folder = process.env['AIRDESK_SHOTS'];
  if (folder === undefined) return;
  const usual = page.viewportSize();
  for (const [width, height] of SIZES) {
    await page.setViewportSize({ width, height });
    await page.screenshot({ path: `${folder}/${name}-${width}.png` });
  }
  if (usual) await page.setViewportSize(usual);
}
