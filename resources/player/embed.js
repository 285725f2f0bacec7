/* global Hls, keepLiveDistance, WORDS, ICONS, draw, longTime, nameOf */
'use strict';

/** Pauses between attempts in milliseconds; the last one repeats. */
const RETRY_MS = [1000, 1000, 2000, 3000, 5000];
/** How often it is looked whether the picture moves, and after how many looks without movement the page says so. */
const LOOK_MS = 500;
const STILL_LOOKS = 3;
/** And after how many the player is built anew. */
const STUCK_LOOKS = 30;
/** Less than this between two looks is a player that gropes for something to play, in seconds. */
const MOVED_SECONDS = 0.2;
/** Further behind than this after a pause or in a tab that was hidden, the picture jumps to the present, in seconds. */
const LATE_SECONDS = 8;
/** A player that cannot decode is started anew, but not more often than this. */
const RECOVER_MS = 5000;

/** Farther than this behind the newest picture it is not called live, in seconds. */
const LIVE_SECONDS = 6;
/** Pictures of a stream whose video cannot be decoded come this often. */
const STILLS_MS = 1000;
/** The bar goes away when the pointer rests for so long. */
const BAR_MS = 3000;

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
  #mayPlaySound = true;
  #live = document.querySelector('#live');
  #stills = document.querySelector('#stills');
  #missing = document.querySelector('#missing');
  /** What is played: the stream, or its video alone; undefined where single pictures are shown. */
  #source = this.#address;
  #stillsTimer;
  #barTimer;
  /** Where an archive begins to play, behind the begin of its address in seconds; undefined for the live stream. */
  #startSeconds;
  /** How far the picture of an archive is behind the present, in seconds; undefined for the live stream. */
  behind = () => undefined;

  /** What plays at the moment; undefined where nothing does, or the browser does it by itself. */
  get hls() {
    return this.#hls;
  }

  /** The query that lets the viewer in: that of the page, or with the token that the server gave. */
  get search() {
    return new URL(this.#address, location.href).search;
  }

  /** Plays an address of the archive from so many seconds behind its begin on; the live stream without one. */
  playAddress(address, startSeconds) {
    this.#startSeconds = address === undefined ? undefined : startSeconds;
    this.#address = `${address ?? 'index.m3u8'}${this.search}`;
    this.#attempt = 0;
    this.#close();
    this.#show('loading', 'Loading …');
    this.#look();
  }

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
    this.#openBar();
    setInterval(() => this.#watch(), LOOK_MS);
    this.#show('loading', 'Loading …');
    this.#look();
  }

  /** Asks the server whether there is something to play. */
  async #look() {
    clearTimeout(this.#retryTimer);
    this.#retryTimer = undefined;
    const address = this.#address;
    const code = await this.#ask(address);
    // Meanwhile another one is wanted.
    if (code === 'superseded') return;
    this.#source = this.#address;
    if (code === undefined) this.#open();
    else
      this.#retry(
        code === 'stream_not_running' ? 'waiting' : 'error',
        WORDS[code] ?? `The stream cannot be played (${code}).`,
      );
  }

  /** The code of the error that stands against it; undefined where there is none. */
  async #ask(address) {
    try {
      const response = await fetch(address, { cache: 'no-store' });
      if (address !== this.#address) return 'superseded';
      // The server gave a token: the player goes on with it instead of getting another one.
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

  /** Plays what this browser can decode: the video without the sound, or a picture a second; and says what is missing. */
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
        codecs === '' ? WORDS.not_playable : `${WORDS.not_playable} (${all.map(nameOf).join(', ')})`,
      );
    } else if (!MediaSource.isTypeSupported(`video/mp4; codecs="${video}"`)) {
      this.#say(`${nameOf(video)} cannot be decoded here: one picture per second`);
      this.#showStills();
    } else if (sound === undefined) {
      this.#retry('error', WORDS.not_playable);
    } else {
      this.#say(`audio: ${nameOf(sound)} cannot be decoded here`);
      this.#source = new URL(uri, new URL(this.#address, location.href)).href;
      this.#openWithHls();
      this.#play();
    }
  }

  /** Shows pictures that the server decodes, until there are none any more. */
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
      this.#retry('waiting', WORDS.stream_not_running);
    };
    next();
  }

  #say(words) {
    this.#missing.textContent = words;
    this.#missing.hidden = words === '';
  }

  #close() {
    clearTimeout(this.#stillsTimer);
    this.#stills.onload = this.#stills.onerror = null;
    this.#stills.hidden = true;
    this.#say('');
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

  #retry(state, words) {
    this.#show(state, words);
    clearTimeout(this.#retryTimer);
    const pause = RETRY_MS[Math.min(this.#attempt, RETRY_MS.length - 1)];
    this.#attempt++;
    // Not all viewers at the same instant.
    this.#retryTimer = setTimeout(() => this.#look(), pause * (0.8 + 0.4 * Math.random()));
  }

  /** Shows whether the picture moves. While nothing is open the message says why, and stays. */
  #watch() {
    const { currentTime, paused } = this.#video;
    const moved = currentTime - this.#seenAt;
    this.#seenAt = currentTime;
    this.#showLive();
    if (!this.#stills.hidden) return;
    if (this.#retryTimer !== undefined || paused) return;
    if (moved > MOVED_SECONDS) {
      this.#stillLooks = 0;
      this.#attempt = 0;
      this.#show('playing', '');
    } else if (++this.#stillLooks >= STUCK_LOOKS) {
      // A player that has nothing to say for itself: the server is asked again what is the matter.
      this.#close();
      this.#retry('waiting', WORDS.no_picture);
    } else if (this.#stillLooks >= STILL_LOOKS) {
      this.#show('waiting', WORDS.stream_not_running);
    }
  }

  #goLive(maxSeconds = LATE_SECONDS) {
    const hls = this.#startSeconds === undefined ? this.#hls : undefined;
    if (hls && hls.liveSyncPosition !== null && hls.latency > maxSeconds)
      this.#video.currentTime = hls.liveSyncPosition;
  }

  /** The row of controls: a live stream has a badge with its distance, and nothing to seek in. */
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

  /** How far the picture is behind the newest one, in seconds; undefined while nothing plays. */
  #behind() {
    if (this.#video.readyState < 2) return undefined;
    if (this.#hls) return this.#hls.latency;
    const { seekable, currentTime } = this.#video;
    return seekable.length > 0 ? seekable.end(seekable.length - 1) - currentTime : undefined;
  }

  #showLive() {
    const behind = this.behind() ?? this.#behind();
    this.#live.hidden = behind === undefined;
    if (behind === undefined) return;
    const isLive = behind < LIVE_SECONDS && !this.#video.paused;
    this.#live.classList.toggle('late', !isLive);
    document.querySelector('#behind').textContent = `−${behind < 100 ? `${behind.toFixed(1)} s` : longTime(behind)}`;
  }

  #showSound() {
    if (!this.#video.muted) this.#mayPlaySound = true;
    this.#sound.hidden = !this.#video.muted || this.#mayPlaySound;
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

const embedPlayer = new EmbedPlayer();
// The bar of the archive plays other addresses.
globalThis.embedPlayer = embedPlayer;
embedPlayer.start();
