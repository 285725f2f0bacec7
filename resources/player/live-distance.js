/* exported keepLiveDistance */
'use strict';

/** Minimum playback rate that viewers do not notice, as in Shaka and dash.js. */
const SLOW_RATE = 0.95;
/** Deviation towards the live edge above which a player is slowed down, in seconds; smaller ones are measuring noise. */
const NEAR_SECONDS = 0.15;

/**
 * Keeps a low-latency hls.js from playing nearer to the live edge than the playlist states (PART-HOLD-BACK, RFC 8216bis
 * 4.4.3.8). The first viewers of a stream that has just started must start too near. hls.js plays faster to reduce its
 * distance, but never slower, so the next late part would stall it. Playing slower adds a second of distance in twenty
 * seconds, without a later start.
 *
 * @param hls the player
 * @param video its element
 */
function keepLiveDistance(hls, video) {
  const { config } = hls;
  const fastRate = config.maxLiveSyncPlaybackRate;
  let isSlow = false;
  const update = () => {
    const { latency, targetLatency } = hls;
    const lackSeconds = latency > 0 && targetLatency !== null ? targetLatency - latency : 0;
    const isTooNear = lackSeconds > (isSlow ? 0 : NEAR_SECONDS);
    if (isTooNear === isSlow) return;
    isSlow = isTooNear;
    // If it may not play faster, hls.js does not set the rate.
    config.maxLiveSyncPlaybackRate = isSlow ? 1 : fastRate;
    video.playbackRate = isSlow ? SLOW_RATE : 1;
  };
  video.addEventListener('timeupdate', update);
  hls.once('hlsDestroying', () => {
    video.removeEventListener('timeupdate', update);
    if (isSlow) video.playbackRate = 1;
  });
}
