'use strict';

/** Spans of the bar in seconds, with their labels. */
const SPANS = [
  [900, '15 min'],
  [3600, '1 h'],
  [21_600, '6 h'],
  [86_400, '24 h'],
  [604_800, '7 days'],
];
/** Duration of one address of the archive in seconds; the next one is opened at its end. */
const PLAYED_SECONDS = 1800;
/** Time before the requested moment that an address includes, in seconds. */
const LEAD_SECONDS = 10;
/** For moments younger than this, in seconds, the live stream is played, because the archive lags by a few seconds. */
const LIVE_ARCHIVE_SECONDS = 15;
/** Time between two requests for the recorded ranges, in milliseconds. */
const RANGES_MS = 10_000;
/** Thumbnails: seconds between two, and their arrangement in a sprite of the server. */
const STEPS = [2, 5, 10, 30, 60, 120, 300, 900];
const TILE = { columns: 5, rows: 5, width: 160, height: 90 };
/** Seconds between two labels, and between two ticks. */
const LABELS = [60, 300, 900, 3600, 10_800, 21_600, 86_400];
/** Time that the pointer rests before its picture is loaded, in milliseconds. */
const REST_MS = 90;

/** Bar with the recorded ranges: shows the position of the picture, and seeks to the pointer. */
class ArchiveBar {
  #player;
  #video = document.querySelector('#video');
  #bar = document.querySelector('#archive');
  #track = document.querySelector('#recorded');
  #head = document.querySelector('#head');
  #labels = document.querySelector('#labels');
  #hover = document.querySelector('#hover');
  #picture = document.querySelector('#hover i');
  #hoverTime = document.querySelector('#hover b');
  #hoverLine = document.querySelector('#pointed');
  #time = document.querySelector('#time');
  #spanSeconds = 3600;
  /** End of the shown time in seconds since 1970; undefined: now. */
  #shownTo;
  #ranges = [];
  /** Start of the archive; undefined if nothing is recorded. */
  #startTime;
  /** Range that is played from the archive; undefined live. */
  #played;
  /** Whether a finger or a button is pressed on the bar. */
  #isHeld = false;
  #restTimer;
  #seekTimer;

  constructor(player) {
    this.#player = player;
  }

  start() {
    const select = document.querySelector('#span');
    for (const [seconds, name] of SPANS) select.append(new Option(name, String(seconds)));
    select.value = String(this.#spanSeconds);
    select.addEventListener('change', () => {
      this.#spanSeconds = Number(select.value);
      this.#show(this.#at() ?? now());
    });
    document.querySelector('#earlier').addEventListener('click', () => this.#pan(-0.5));
    document.querySelector('#later').addEventListener('click', () => this.#pan(0.5));
    document.querySelector('#live').addEventListener('click', () => this.#goLive());
    this.#listen();
    this.#video.addEventListener('ended', () => this.#playNext());
    this.#player.ageSeconds = () => {
      const at = this.#played && this.#at();
      return at === undefined ? undefined : now() - at;
    };
    void this.#load().then(() => {
      this.#fit(select);
      const query = new URLSearchParams(location.search);
      const from = Number(query.get('from')) || (Number(query.get('ago')) ? now() - Number(query.get('ago')) : 0);
      if (from > 0) this.#seek(from);
    });
    setInterval(() => void this.#load(), RANGES_MS);
    setInterval(() => this.#draw(), 500);
    window.addEventListener('resize', () => this.#draw());
  }

  /** Shows all of an archive that has just started. */
  #fit(select) {
    const recorded = this.#startTime === undefined ? 0 : now() - this.#startTime;
    const [seconds] = SPANS.find(([one]) => one > recorded) ?? [this.#spanSeconds];
    if (seconds >= this.#spanSeconds) return;
    this.#spanSeconds = seconds;
    select.value = String(seconds);
    this.#draw();
  }

  #listen() {
    const bar = this.#track;
    bar.addEventListener('pointerdown', (event) => {
      if (event.button !== 0) return;
      this.#isHeld = true;
      bar.setPointerCapture(event.pointerId);
      this.#point(event.clientX);
    });
    bar.addEventListener('pointermove', (event) => this.#point(event.clientX));
    bar.addEventListener('pointerup', (event) => {
      if (!this.#isHeld) return;
      this.#isHeld = false;
      this.#seek(this.#timeAt(event.clientX));
      if (event.pointerType !== 'mouse') this.#unpoint();
    });
    bar.addEventListener('pointercancel', () => this.#unpoint());
    bar.addEventListener('pointerleave', () => this.#unpoint());
    bar.addEventListener(
      'wheel',
      (event) => {
        event.preventDefault();
        const at = SPANS.findIndex(([seconds]) => seconds === this.#spanSeconds);
        const next = SPANS[Math.max(0, Math.min(SPANS.length - 1, at + Math.sign(event.deltaY)))];
        const select = document.querySelector('#span');
        select.value = String(next[0]);
        select.dispatchEvent(new Event('change'));
      },
      { passive: false },
    );
    document.addEventListener('keydown', (event) => {
      if (event.altKey || event.ctrlKey || event.metaKey) return;
      if (event.target !== document.body && event.target !== bar) return;
      const steps = { ArrowLeft: -10, ArrowRight: 10, PageDown: -600, PageUp: 600 };
      const step = steps[event.key];
      if (step !== undefined) this.#step(event.shiftKey ? step * 6 : step);
      else if (event.key === 'Home' && this.#startTime !== undefined) this.#seek(this.#startTime);
      else if (event.key === 'End') this.#goLive();
      else return;
      event.preventDefault();
    });
  }

  /** Steps add up while keys repeat. */
  #step(seconds) {
    const from = this.#target ?? this.#at() ?? now();
    this.#target = Math.min(now(), from + seconds);
    this.#draw();
    clearTimeout(this.#seekTimer);
    this.#seekTimer = setTimeout(() => this.#seek(this.#target), 250);
  }

  /** Requested moment, until it is played. */
  #target;

  /** Loads the recorded ranges of the shown time. */
  async #load() {
    const to = Math.ceil(this.#to());
    const query = new URLSearchParams(this.#player.search);
    query.set('from', String(Math.floor(to - this.#spanSeconds)));
    query.set('to', String(to));
    try {
      const response = await fetch(`recording_status.json?${query}`, { cache: 'no-store' });
      if (!response.ok) return;
      const sent = Date.parse(response.headers.get('date') ?? '');
      // The header has full seconds.
      if (Math.abs(sent - Date.now()) > 2000) aheadSeconds = (sent - Date.now()) / 1000;
      const { from, ranges } = await response.json();
      this.#startTime = from ?? undefined;
      this.#ranges = ranges.map((range) => [range.from, range.from + range.duration]);
    } catch {
      // The loaded ranges remain valid.
    }
    this.#draw();
  }

  /** Plays a moment, or the next recorded one. */
  #seek(time) {
    clearTimeout(this.#seekTimer);
    if (time > now() - LIVE_ARCHIVE_SECONDS) {
      this.#goLive();
      return;
    }
    const range = this.#ranges.find(([, to]) => to > time + 1);
    const isShown = time >= this.#to() - this.#spanSeconds;
    const at = Math.floor(range && isShown ? Math.max(range[0], time) : time);
    if (range === undefined && isShown && this.#shownTo === undefined) {
      this.#goLive();
      return;
    }
    this.#target = at;
    const position = this.#positionOf(at);
    if (position === undefined) this.#open(at);
    else {
      this.#video.currentTime = position;
      this.#settle();
    }
    this.#draw();
  }

  #open(at) {
    // Not before the start of its range.
    const start = this.#ranges.find(([from, to]) => at >= from && at < to)?.[0] ?? at;
    const from = Math.floor(Math.max(at - LEAD_SECONDS, start));
    this.#played = { from, to: from + PLAYED_SECONDS };
    this.#player.playAddress(`archive-${from}-${PLAYED_SECONDS}.m3u8`, at - from);
    this.#video.addEventListener('loadeddata', () => this.#adjust(at), { once: true });
  }

  /** Corrects the start: the first segment starts slightly later than its address states. */
  #adjust(at) {
    const exact = this.#positionOf(at);
    if (exact !== undefined && Math.abs(exact - this.#video.currentTime) > 0.7) this.#video.currentTime = exact;
    this.#settle();
  }

  #settle() {
    this.#video.addEventListener('playing', () => (this.#target = undefined), { once: true });
    if (!this.#video.paused && !this.#video.seeking) this.#target = undefined;
  }

  /** The opened range has ended: plays the next one. */
  #playNext() {
    if (!this.#played) return;
    const { to } = this.#played;
    const next = this.#ranges.find(([, end]) => end > to + 1);
    if (to > now() - LIVE_ARCHIVE_SECONDS || (!next && this.#shownTo === undefined)) this.#goLive();
    else this.#open(next ? Math.max(to, next[0]) : to);
  }

  #goLive() {
    this.#target = undefined;
    this.#shownTo = undefined;
    if (this.#played) {
      this.#played = undefined;
      this.#player.playAddress(undefined, -1);
    }
    void this.#load();
  }

  /** Position of a moment in the opened range; undefined outside of it. */
  #positionOf(time) {
    for (const { start, duration, programDateTime } of this.#fragments()) {
      const offset = time - programDateTime / 1000;
      if (programDateTime && offset >= -0.05 && offset < duration) return start + Math.max(0, offset);
    }
    return undefined;
  }

  /** Moment of the current picture; undefined if unknown. */
  #at() {
    if (this.#target !== undefined) return this.#target;
    const { currentTime } = this.#video;
    const shown = this.#fragments().findLast(({ start }) => start <= currentTime + 0.05);
    return shown?.programDateTime ? shown.programDateTime / 1000 + currentTime - shown.start : undefined;
  }

  #fragments() {
    const hls = this.#player.hls;
    return hls?.levels?.[Math.max(0, hls.currentLevel)]?.details?.fragments ?? [];
  }

  #to() {
    return this.#shownTo ?? now();
  }

  #pan(share) {
    this.#show(this.#to() - this.#spanSeconds / 2 + share * this.#spanSeconds);
  }

  /** Shows the time around a moment. */
  #show(time) {
    const to = Math.max(time + this.#spanSeconds / 2, (this.#startTime ?? 0) + this.#spanSeconds * 0.9);
    this.#shownTo = to >= now() ? undefined : to;
    void this.#load();
    this.#draw();
  }

  #timeAt(x) {
    const { left, width } = this.#track.getBoundingClientRect();
    const share = Math.max(0, Math.min(1, (x - left) / width));
    return this.#to() - this.#spanSeconds * (1 - share);
  }

  #shareOf(time) {
    return Math.max(0, Math.min(1, 1 - (this.#to() - time) / this.#spanSeconds));
  }

  /** Shows the time and the thumbnail at the pointer. */
  #point(x) {
    const time = this.#timeAt(x);
    const { left, width } = this.#track.getBoundingClientRect();
    const half = Math.min(TILE.width / 2 + 4, width / 2);
    this.#hover.hidden = this.#hoverLine.hidden = false;
    this.#hover.style.left = `${Math.max(half, Math.min(width - half, x - left))}px`;
    this.#hoverLine.style.left = `${Math.max(0, Math.min(width, x - left))}px`;
    const isRecorded = this.#ranges.some(([from, to]) => time >= from && time < to);
    this.#hoverTime.textContent = `${clockOf(time, this.#spanSeconds)}${isRecorded ? '' : ' · not recorded'}`;
    clearTimeout(this.#restTimer);
    if (!isRecorded) this.#picture.hidden = true;
    else this.#restTimer = setTimeout(() => this.#thumbnail(time), REST_MS);
  }

  #unpoint() {
    this.#isHeld = false;
    clearTimeout(this.#restTimer);
    this.#hover.hidden = this.#hoverLine.hidden = true;
  }

  #thumbnail(time) {
    const step = STEPS.find((one) => one >= this.#spanSeconds / 150) ?? STEPS.at(-1);
    const tile = Math.floor(time / step) % (TILE.columns * TILE.rows);
    const from = Math.floor(time / (step * TILE.columns * TILE.rows)) * step * TILE.columns * TILE.rows;
    const image = new Image();
    image.onload = () => {
      this.#picture.hidden = false;
      const place = `-${(tile % TILE.columns) * TILE.width}px -${Math.floor(tile / TILE.columns) * TILE.height}px`;
      this.#picture.style.background = `url("${image.src}") ${place}`;
    };
    image.onerror = () => (this.#picture.hidden = true);
    image.src = `sprite-${from}-${step}.jpg${this.#player.search}`;
  }

  #draw() {
    const { width } = this.#track.getBoundingClientRect();
    const from = this.#to() - this.#spanSeconds;
    const found = this.#ranges.filter(([, to]) => to > from);
    this.#fill(this.#bar.querySelector('#ranges'), found, ([start, end], element) => {
      element.style.left = `${this.#shareOf(start) * 100}%`;
      element.style.right = `${(1 - this.#shareOf(end)) * 100}%`;
    });
    const step = LABELS.find((one) => (one / this.#spanSeconds) * width > 75) ?? LABELS.at(-1);
    const offset = new Date(from * 1000).getTimezoneOffset() * 60;
    const first = Math.ceil((from - offset) / step) * step + offset;
    const marks = [];
    for (let time = first; time < this.#to(); time += step) marks.push(time);
    this.#fill(this.#labels, marks, (time, element) => {
      element.style.left = `${this.#shareOf(time) * 100}%`;
      element.textContent = labelOf(time, step);
    });
    const at = this.#played || this.#target !== undefined ? this.#at() : now();
    this.#head.hidden = at === undefined || at < from - 1;
    this.#head.style.left = `${this.#shareOf(at ?? 0) * 100}%`;
    this.#time.textContent = at === undefined ? '' : clockOf(at, 0);
    this.#track.setAttribute('aria-valuemin', String(Math.floor(from)));
    this.#track.setAttribute('aria-valuemax', String(Math.floor(this.#to())));
    this.#track.setAttribute('aria-valuenow', String(Math.floor(at ?? this.#to())));
    this.#track.setAttribute('aria-valuetext', this.#played ? clockOf(at ?? 0, 86_400) : 'live');
    document.querySelector('#later').disabled = this.#shownTo === undefined;
    document.querySelector('#earlier').disabled = this.#startTime === undefined || this.#startTime >= from;
  }

  #fill(parent, values, put) {
    while (parent.children.length > values.length) parent.lastChild.remove();
    for (const [index, value] of values.entries())
      put(value, parent.children[index] ?? parent.appendChild(document.createElement('span')));
  }
}

/** Lead of the server's clock over the clock of this machine, in seconds. */
let aheadSeconds = 0;

/** Time of the server in seconds since 1970. */
function now() {
  return Date.now() / 1000 + aheadSeconds;
}

/** Moment in the viewer's time zone; with its day if more than some hours are shown. */
function clockOf(time, spanSeconds) {
  const date = new Date(time * 1000);
  const clock = date.toLocaleTimeString([], { hour12: false });
  const isToday = date.toDateString() === new Date().toDateString();
  return spanSeconds < 43_200 && isToday
    ? clock
    : `${date.toLocaleDateString([], { day: 'numeric', month: 'short' })} ${clock}`;
}

function labelOf(time, step) {
  const date = new Date(time * 1000);
  if (step >= 86_400 || (date.getHours() === 0 && date.getMinutes() === 0))
    return date.toLocaleDateString([], { day: 'numeric', month: 'short' });
  return date.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', hour12: false });
}

new ArchiveBar(globalThis.embedPlayer).start();
