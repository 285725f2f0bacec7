import type { Page } from 'playwright-core';

/** Size in pixels to which pictures are scaled. */
interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * Expression for a page: the grey pixels of a picture, as a `Uint8Array`, when it has loaded.
 *
 * @param image expression that returns the drawn element, or its promise
 */
export function greyIn(image: string, { width, height }: Size): string {
  return `(async () => {
    const context = new OffscreenCanvas(${width}, ${height}).getContext('2d', { willReadFrequently: true });
    context.imageSmoothingQuality = 'high';
    context.drawImage(await ${image}, 0, 0, ${width}, ${height});
    const { data } = context.getImageData(0, 0, ${width}, ${height});
    return Uint8Array.from({ length: data.length / 4 }, (_, at) => Math.round(0.299 * data[at * 4] + 0.587 * data[at * 4 + 1] + 0.114 * data[at * 4 + 2]));
  })()`;
}

/**
 * Grey pixels of a picture. They are transferred as one text, because a list of numbers takes a hundred times as long.
 */
export async function greyOf(page: Page, image: string, size: Size): Promise<Uint8Array> {
  return Buffer.from(
    await page.evaluate<string>(`(async () => btoa(String.fromCharCode(...await ${greyIn(image, size)})))()`),
    'base64',
  );
}

/** Average difference of two pictures over all pixels, 0 to 255. */
export function differenceOf(a: Uint8Array, b: Uint8Array): number {
  return a.reduce((sum, value, at) => sum + Math.abs(value - (b[at] ?? 0)), 0) / a.length;
}
