/* global Hls, keepLiveDistance, MESSAGES, ICONS, draw, longTime, nameOf */
'use strict';

/** Pauses between attempts in milliseconds; the last one repeats. */
const RETRY_MS = [1000, 1000, 2000, 3000, 5000];
/** Time between two checks of movement, in milliseconds, and number of checks without movement before a message. */
const CHECK_MS = 500;
const STILL_CHECKS = 3;
/** Number of checks without movement before the player is rebuilt. */
const STUCK_CHECKS = 30;
/** Minimum movement between two checks in seconds; a player that only seeks for media moves less. */
const MOVED_SECONDS = 0.2;
/** Delay after a pause, or in a hidden tab, above which the player seeks to the live edge, in seconds. */
const LATE_SECONDS = 8;
/** Minimum time between two restarts after decoding errors, in milliseconds. */
const RECOVER_MS = 5000;

/** Delay above which the picture is not labelled live, in seconds. */
const LIVE_SECONDS = 6;
/** Time between two stills of a stream whose video cannot be decoded, in milliseconds. */
const STILLS_MS = 1000;
/** Time without pointer movement after which the bar is hidden, in milliseconds. */
const BAR_MS = 3000;

/** Page of one stream: plays it when it is available, and retries when it ends. */
class EmbedPlayer {
  #video = document.querySelector('#video');
  #message = document.querySelector('#message');
  #sound = document.querySelector('#sound');
  // The query is kept, because it may contain the viewer's token.
  #address = `index.m3u8${location.search}`;
  #hls;
  #attempt = 0;
  #retryTimer;
  #lastTime = 0;
  #stillChecks = 0;
  #recoveredAt = -Infinity;
  #mayPlaySound = true;
  #live = document.querySelector('#live');
  #stills = document.querySelector('#stills');
  #missing = document.querySelector('#missing');
  /** Played address: the stream, or its video only; undefined while stills are shown. */
  #source = this.#address;
  #stillsTimer;
  #barTimer;
  /** Start position in an archive, in seconds after the start of its address; undefined for the live stream. */
  #startSeconds;
  /** Age of the picture of an archive, in seconds; undefined for the live stream. */
  ageSeconds = () => undefined;

  /** Current hls.js player; undefined if nothing plays, or if the browser plays HLS itself. */
  get hls() {
    return this.#hls;
  }

  /** Query with the viewer's token: that of the page, or with the token from the server. */
  get search() {
    return new URL(this.#address, location.href).search;
  }

  /** Plays an address of the archive from a position in seconds; without an address, the live stream. */
  playAddress(address, startSeconds) {
    this.#startSeconds = address === undefined ? undefined : startSeconds;
    this.#address = `${address ?? 'index.m3u8'}${this.search}`;
    this.#attempt = 0;
    this.#close();
    this.#show('loading', 'Loading …');
    this.#openWhenReady();
  }

  start() {
    const video = this.#video;
    video.addEventListener('play', () => this.#goLive());
    video.addEventListener('volumechange', () => this.#showSound());
    video.addEventListener('error', () => {
      if (!this.#hls && video.src) this.#retry('error', MESSAGES.not_playable);
    });
    document.addEventListener('visibilitychange', () => {
      if (!document.hidden) this.#goLive();
    });
    window.addEventListener('online', () => {
      if (this.#retryTimer !== undefined) this.#openWhenReady();
    });
    this.#sound.addEventListener('click', () => {
      video.muted = false;
      void video.play();
    });
    this.#openBar();
    setInterval(() => this.#watch(), CHECK_MS);
    this.#show('loading', 'Loading …');
    this.#openWhenReady();
  }

  /** Opens the player if the server has something to play; otherwise retries later. */
  async #openWhenReady() {
    clearTimeout(this.#retryTimer);
    this.#retryTimer = undefined;
    const address = this.#address;
    const code = await this.#errorAt(address);
    // Another address was requested meanwhile.
    if (code === 'superseded') return;
    this.#source = this.#address;
    if (code === undefined) this.#open();
    else
      this.#retry(
        code === 'stream_not_running' ? 'waiting' : 'error',
        MESSAGES[code] ?? `The stream cannot be played (${code}).`,
      );
  }

  /** Error code of an address; undefined if it can be played. */
  async #errorAt(address) {
    try {
      const response = await fetch(address, { cache: 'no-store' });
      if (address !== this.#address) return 'superseded';
      // The server issued a token: the player keeps it instead of requesting another one.
      if (response.redirected) this.#address = response.url;
      if (response.ok) return undefined;
      const { error } = await response.json().catch(() => ({}));
      return (
        error ??
        (response.status === 403 ? 'forbidden' : response.status === 401 ? 'unauthorized' : `HTTP ${response.status}`)
      );
    } catch {
      return address === this.#address ? 'unreachable' : 'superseded';
    }
  }

  #open() {
    this.#close();
    this.#stillChecks = 0;
    if (window.Hls?.isSupported()) this.#openWithHls();
    else if (this.#video.canPlayType('application/vnd.apple.mpegurl') !== '') this.#video.src = this.#address;
    else {
      this.#show('error', MESSAGES.not_playable);
      return;
    }
    this.#play();
  }

  #openWithHls() {
    const hls = new Hls({
      lowLatencyMode: true,
      maxLiveSyncPlaybackRate: 1.06,
      backBufferLength: 10,
      liveSyncOnStallIncrease: 0,
      startPosition: this.#startSeconds ?? -1,
    });
    this.#hls = hls;
    hls.on(Hls.Events.ERROR, (_event, { fatal, type, details }) => {
      if (!fatal || hls !== this.#hls) return;
      if (
        details === Hls.ErrorDetails.MANIFEST_INCOMPATIBLE_CODECS_ERROR ||
        details === Hls.ErrorDetails.BUFFER_ADD_CODEC_ERROR
      ) {
        this.#close();
        void this.#playRest();
        return;
      }
      const now = performance.now();
      if (type === Hls.ErrorTypes.MEDIA_ERROR && now - this.#recoveredAt > RECOVER_MS) {
        this.#recoveredAt = now;
        hls.recoverMediaError();
        return;
      }
      this.#close();
      this.#retry('waiting', 'The stream was interrupted. Waiting for it …');
    });
    keepLiveDistance(hls, this.#video);
    hls.attachMedia(this.#video);
    hls.loadSource(this.#source);
  }

  /** Plays what this browser can decode: video without audio, or one still per second; and shows what is missing. */
  async #playRest() {
    const text = await fetch(this.#address, { cache: 'no-store' })
      .then((response) => response.text())
      .catch(() => '');
    const [, codecs = '', uri = ''] = /^#EXT-X-STREAM-INF:.*?CODECS="([^"]*)".*\r?\n([^#\r\n]+)/m.exec(text) ?? [];
    const all = codecs.split(',').map((codec) => codec.trim());
    const video = all.find((codec) => /^(avc|hvc1|hev1|av01|vp0)/i.test(codec));
    const sound = all.find((codec) => codec !== video && !MediaSource.isTypeSupported(`audio/mp4; codecs="${codec}"`));
    if (video === undefined || this.#source !== this.#address) {
      this.#retry(
        'error',
        codecs === '' ? MESSAGES.not_playable : `${MESSAGES.not_playable} (${all.map(nameOf).join(', ')})`,
      );
    } else if (!MediaSource.isTypeSupported(`video/mp4; codecs="${video}"`)) {
      this.#showMissing(`${nameOf(video)} cannot be decoded here: one picture per second`);
      this.#showStills();
    } else if (sound === undefined) {
      this.#retry('error', MESSAGES.not_playable);
    } else {
      this.#showMissing(`audio: ${nameOf(sound)} cannot be decoded here`);
      this.#source = new URL(uri, new URL(this.#address, location.href)).href;
      this.#openWithHls();
      this.#play();
    }
  }

  /** Shows stills that the server decodes, until the stream ends. */
  #showStills() {
    const picture = new URL('preview.jpg', new URL(this.#address, location.href));
    picture.search = new URL(this.#address, location.href).search;
    let count = 0;
    const next = () => {
      picture.searchParams.set('_', String(count++));
      this.#stills.src = picture.href;
    };
    this.#stills.onload = () => {
      this.#show('stills', '');
      this.#stills.hidden = false;
      this.#stillsTimer = setTimeout(next, STILLS_MS);
    };
    this.#stills.onerror = () => {
      this.#close();
      this.#retry('waiting', MESSAGES.stream_not_running);
    };
    next();
  }

  #showMissing(message) {
    this.#missing.textContent = message;
    this.#missing.hidden = message === '';
  }

  #close() {
    clearTimeout(this.#stillsTimer);
    this.#stills.onload = this.#stills.onerror = null;
    this.#stills.hidden = true;
    this.#showMissing('');
    this.#hls?.destroy();
    this.#hls = undefined;
    if (this.#video.src) {
      this.#video.removeAttribute('src');
      this.#video.load();
    }
  }

  /** Plays with sound if the browser allows it; otherwise plays muted and offers the sound. */
  #play() {
    const video = this.#video;
    video.muted = !this.#mayPlaySound;
    video.play().catch((error) => {
      if (error.name !== 'NotAllowedError') return;
      if (video.muted) {
        this.#show('idle', 'Press play to watch.');
        return;
      }
      this.#mayPlaySound = false;
      this.#play();
    });
  }

  #retry(state, message) {
    this.#show(state, message);
    clearTimeout(this.#retryTimer);
    const pause = RETRY_MS[Math.min(this.#attempt, RETRY_MS.length - 1)];
    this.#attempt++;
    // Spreads the retries of viewers over time.
    this.#retryTimer = setTimeout(() => this.#openWhenReady(), pause * (0.8 + 0.4 * Math.random()));
  }

  /** Checks whether the picture moves. While nothing is open, the message with the reason stays. */
  #watch() {
    const { currentTime, paused } = this.#video;
    const moved = currentTime - this.#lastTime;
    this.#lastTime = currentTime;
    this.#showLive();
    if (!this.#stills.hidden) return;
    if (this.#retryTimer !== undefined || paused) return;
    if (moved > MOVED_SECONDS) {
      this.#stillChecks = 0;
      this.#attempt = 0;
      this.#show('playing', '');
    } else if (++this.#stillChecks >= STUCK_CHECKS) {
      // The player reports no error: the server is asked for the reason.
      this.#close();
      this.#retry('waiting', MESSAGES.no_picture);
    } else if (this.#stillChecks >= STILL_CHECKS) {
      this.#show('waiting', MESSAGES.stream_not_running);
    }
  }

  #goLive(maxSeconds = LATE_SECONDS) {
    const hls = this.#startSeconds === undefined ? this.#hls : undefined;
    if (hls && hls.liveSyncPosition !== null && hls.latency > maxSeconds)
      this.#video.currentTime = hls.liveSyncPosition;
  }

  /** Row of controls: a live stream has a badge with its delay, and no seek bar. */
  #openBar() {
    const video = this.#video;
    const at = (id, act) => document.querySelector(id).addEventListener('click', act);
    const toggle = () => (video.paused ? this.#play() : video.pause());
    at('#play', toggle);
    at('#video', toggle);
    at('#live', () => this.#goLive(0));
    at('#mute', () => (video.muted = !video.muted));
    at('#full', () =>
      document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen?.(),
    );
    const volume = document.querySelector('#volume');
    volume.addEventListener('input', () => {
      video.volume = Number(volume.value);
      video.muted = false;
    });
    for (const event of ['play', 'pause', 'volumechange']) video.addEventListener(event, () => this.#showBar());
    for (const event of ['pointermove', 'pointerdown', 'keydown', 'focusin'])
      document.addEventListener(event, () => this.#wakeBar());
    document.addEventListener('keydown', ({ key, target }) => {
      const id = { ' ': '#play', k: '#play', m: '#mute', f: '#full', l: '#live' }[key];
      if (id && target === document.body) document.querySelector(id).click();
    });
    this.#showBar();
    this.#wakeBar();
  }

  #showBar() {
    const { paused, muted, volume } = this.#video;
    const [play, mute] = [document.querySelector('#play'), document.querySelector('#mute')];
    draw(play, paused ? ICONS.play : ICONS.pause);
    play.setAttribute('aria-label', paused ? 'Play' : 'Pause');
    draw(mute, muted ? ICONS.silent : ICONS.sound);
    mute.setAttribute('aria-label', muted ? 'Sound on' : 'Sound off');
    document.querySelector('#volume').value = String(muted ? 0 : volume);
    draw(document.querySelector('#full'), ICONS.full);
  }

  #wakeBar() {
    document.body.classList.remove('resting');
    clearTimeout(this.#barTimer);
    this.#barTimer = setTimeout(() => {
      if (!this.#video.paused) document.body.classList.add('resting');
    }, BAR_MS);
  }

  /** Delay of the picture after the newest one, in seconds; undefined while nothing plays. */
  #delaySeconds() {
    if (this.#video.readyState < 2) return undefined;
    if (this.#hls) return this.#hls.latency;
    const { seekable, currentTime } = this.#video;
    return seekable.length > 0 ? seekable.end(seekable.length - 1) - currentTime : undefined;
  }

  #showLive() {
    const delay = this.ageSeconds() ?? this.#delaySeconds();
    this.#live.hidden = delay === undefined;
    if (delay === undefined) return;
    const isLive = delay < LIVE_SECONDS && !this.#video.paused;
    this.#live.classList.toggle('late', !isLive);
    document.querySelector('#behind').textContent = `−${delay < 100 ? `${delay.toFixed(1)} s` : longTime(delay)}`;
  }

  #showSound() {
    if (!this.#video.muted) this.#mayPlaySound = true;
    this.#sound.hidden = !this.#video.muted || this.#mayPlaySound;
  }

  #show(state, message) {
    if (this.#message.dataset.state === state && this.#message.textContent === message) return;
    this.#message.dataset.state = state;
    const text = document.createElement('span');
    text.textContent = message;
    this.#message.replaceChildren(text);
    this.#message.hidden = message === '';
  }
}

const embedPlayer = new EmbedPlayer();
// The bar of the archive plays other addresses.
globalThis.embedPlayer = embedPlayer;
embedPlayer.start();
