import type { Page } from 'playwright-core';

/** Makes a page store the last picture that its browser has drawn. Call it once per page, before the video seeks. */
export async function watchPictures(page: Page): Promise<void> {
  await page.evaluate(`(() => {
    const video = document.querySelector('figure video');
    if ('drawn' in video) return;
    video.drawn = NaN;
    const watch = () => video.requestVideoFrameCallback((_, { mediaTime }) => {
      video.drawn = mediaTime;
      watch();
    });
    watch();
  })()`);
}

/** Whether the browser has drawn the picture at the position of the video. @param frameMs duration of a picture */
export function isPictureDrawn(page: Page, frameMs: number): Promise<boolean> {
  return page.evaluate<boolean>(`(() => {
    const { currentTime, drawn } = document.querySelector('figure video');
    return currentTime - drawn > -0.001 && currentTime - drawn < ${(1.25 * frameMs) / 1000};
  })()`);
}
