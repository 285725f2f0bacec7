/* exported keepLiveDistance */
'use strict';

/** Slower than this a viewer would notice: Shaka and dash.js slow down as much. */
const SLOW_RATE = 0.95;
/** So much nearer to the live edge than it should be a player is slowed down, in seconds: less is the unsteadiness of what is measured. */
const NEAR_SECONDS = 0.15;

/**
 * Keeps a low-latency hls.js from playing nearer to the live edge than the playlist says (PART-HOLD-BACK, RFC 8216bis 4.4.3.8). A stream that has just
 * started has nothing farther back, so its first viewers start there; hls.js plays faster to come nearer, but never slower, and would stay where the next
 * late part is a stall. With it the picture comes as early, and the distance grows by a second in twenty.
 *
 * @param hls the player
 * @param video its element
 */
function keepLiveDistance(hls, video) {
  const { config } = hls;
  const fastRate = config.maxLiveSyncPlaybackRate;
  let isSlow = false;
  const look = () => {
    const { latency, targetLatency } = hls;
    const lackSeconds = latency > 0 && targetLatency !== null ? targetLatency - latency : 0;
    const isTooNear = lackSeconds > (isSlow ? 0 : NEAR_SECONDS);
    if (isTooNear === isSlow) return;
    isSlow = isTooNear;
    // Where it may not play faster, hls.js leaves the rate alone.
    config.maxLiveSyncPlaybackRate = isSlow ? 1 : fastRate;
    video.playbackRate = isSlow ? SLOW_RATE : 1;
  };
  video.addEventListener('timeupdate', look);
  hls.once('hlsDestroying', () => {
    video.removeEventListener('timeupdate', look);
    if (isSlow) video.playbackRate = 1;
  });
}
