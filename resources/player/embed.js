/* global Hls */
'use strict';

/** Pauses between attempts in milliseconds; the last one repeats. */
const RETRY_MS = [1000, 1000, 2000, 3000, 5000];
/** How often it is looked whether the picture moves, and after how many looks without movement the viewer is told. */
const LOOK_MS = 500;
const STILL_LOOKS = 3;
/** Less than this between two looks is a player that gropes for something to play, in seconds. */
const MOVED_SECONDS = 0.2;
/** Further behind than this after a pause or in a tab that was hidden, the picture jumps to the present, in seconds. */
const LATE_SECONDS = 8;
/** A player that cannot decode is started anew, but not more often than this. */
const RECOVER_MS = 5000;

/** What the viewer reads, by the code of the server (docs/errors.md). */
const WORDS = {
  stream_not_found: 'There is no stream of this name.',
  stream_not_running: 'Waiting for the stream …',
  forbidden: 'You may not watch this stream.',
  playback_denied: 'You may not watch this stream.',
  session_banned: 'You may not watch this stream any more.',
  token_required: 'This stream needs an address with a token.',
  unauthorized: 'You may not watch this stream.',
  unreachable: 'The server cannot be reached.',
  not_playable: 'This browser cannot play the stream.',
};

/** The page of one stream: asks whether there is something to play, plays it, and tries again when it goes away. */
class EmbedPlayer {
  #video = document.querySelector('#video');
  #message = document.querySelector('#message');
  #sound = document.querySelector('#sound');
  // The query goes along: it may hold what lets the viewer in.
  #address = `index.m3u8${location.search}`;
  #hls;
  #attempt = 0;
  #retryTimer;
  #seenAt = 0;
  #stillLooks = 0;
  #recoveredAt = -Infinity;
  #mayBeHeard = true;

  start() {
    const video = this.#video;
    video.addEventListener('play', () => this.#goLive());
    video.addEventListener('volumechange', () => this.#showSound());
    video.addEventListener('error', () => {
      if (!this.#hls && video.src) this.#retry('error', WORDS.not_playable);
    });
    document.addEventListener('visibilitychange', () => {
      if (!document.hidden) this.#goLive();
    });
    window.addEventListener('online', () => {
      if (this.#retryTimer !== undefined) this.#look();
    });
    this.#sound.addEventListener('click', () => {
      video.muted = false;
      void video.play();
    });
    setInterval(() => this.#watch(), LOOK_MS);
    this.#show('loading', 'Loading …');
    this.#look();
  }

  /** Asks the server whether there is something to play. */
  async #look() {
    clearTimeout(this.#retryTimer);
    this.#retryTimer = undefined;
    const code = await this.#ask();
    if (code === undefined) this.#open();
    else
      this.#retry(
        code === 'stream_not_running' ? 'waiting' : 'error',
        WORDS[code] ?? `The stream cannot be played (${code}).`,
      );
  }

  /** The code of the error that stands against it; undefined where there is none. */
  async #ask() {
    try {
      const response = await fetch(this.#address, { cache: 'no-store' });
      // The server gave a token: the player goes on with it instead of getting another one.
      if (response.redirected) this.#address = response.url;
      if (response.ok) return undefined;
      const { error } = await response.json().catch(() => ({}));
      return (
        error ??
        (response.status === 403 ? 'forbidden' : response.status === 401 ? 'unauthorized' : `HTTP ${response.status}`)
      );
    } catch {
      return 'unreachable';
    }
  }

  #open() {
    this.#close();
    this.#stillLooks = 0;
    if (window.Hls?.isSupported()) this.#openWithHls();
    else if (this.#video.canPlayType('application/vnd.apple.mpegurl') !== '') this.#video.src = this.#address;
    else {
      this.#show('error', WORDS.not_playable);
      return;
    }
    this.#play();
  }

  #openWithHls() {
    const hls = new Hls({
      lowLatencyMode: true,
      maxLiveSyncPlaybackRate: 1.06,
      backBufferLength: 10,
      liveSyncDurationCount: 3,
      liveMaxLatencyDurationCount: 8,
    });
    this.#hls = hls;
    hls.on(Hls.Events.ERROR, (_event, { fatal, type, details }) => {
      if (!fatal || hls !== this.#hls) return;
      const now = performance.now();
      if (type === Hls.ErrorTypes.MEDIA_ERROR && now - this.#recoveredAt > RECOVER_MS) {
        this.#recoveredAt = now;
        hls.recoverMediaError();
        return;
      }
      this.#close();
      const isCodec = details === Hls.ErrorDetails.MANIFEST_INCOMPATIBLE_CODECS_ERROR;
      this.#retry(
        isCodec ? 'error' : 'waiting',
        isCodec ? WORDS.not_playable : 'The stream was interrupted. Waiting for it …',
      );
    });
    hls.attachMedia(this.#video);
    hls.loadSource(this.#address);
  }

  #close() {
    this.#hls?.destroy();
    this.#hls = undefined;
    if (this.#video.src) {
      this.#video.removeAttribute('src');
      this.#video.load();
    }
  }

  /** Plays with sound where the browser lets it, or else without, and offers the sound. */
  #play() {
    const video = this.#video;
    video.muted = !this.#mayBeHeard;
    video.play().catch((error) => {
      if (error.name !== 'NotAllowedError') return;
      if (video.muted) {
        this.#show('idle', 'Press play to watch.');
        return;
      }
      this.#mayBeHeard = false;
      this.#play();
    });
  }

  #retry(state, words) {
    this.#show(state, words);
    clearTimeout(this.#retryTimer);
    const pause = RETRY_MS[Math.min(this.#attempt, RETRY_MS.length - 1)];
    this.#attempt++;
    // Not all viewers at the same instant.
    this.#retryTimer = setTimeout(() => this.#look(), pause * (0.8 + 0.4 * Math.random()));
  }

  /** Tells whether the picture moves. While nothing is open the message says why, and stays. */
  #watch() {
    const { currentTime, paused } = this.#video;
    const moved = currentTime - this.#seenAt;
    this.#seenAt = currentTime;
    if (this.#retryTimer !== undefined || paused) return;
    if (moved > MOVED_SECONDS) {
      this.#stillLooks = 0;
      this.#attempt = 0;
      this.#show('playing', '');
    } else if (++this.#stillLooks >= STILL_LOOKS) {
      this.#show('waiting', WORDS.stream_not_running);
    }
  }

  #goLive() {
    const hls = this.#hls;
    if (hls && hls.liveSyncPosition !== null && hls.latency > LATE_SECONDS)
      this.#video.currentTime = hls.liveSyncPosition;
  }

  #showSound() {
    if (!this.#video.muted) this.#mayBeHeard = true;
    this.#sound.hidden = !this.#video.muted || this.#mayBeHeard;
  }

  #show(state, words) {
    if (this.#message.dataset.state === state && this.#message.textContent === words) return;
    this.#message.dataset.state = state;
    const text = document.createElement('span');
    text.textContent = words;
    this.#message.replaceChildren(text);
    this.#message.hidden = words === '';
  }
}

new EmbedPlayer().start();
