'use strict';

/** How much the bar shows, in seconds, and what that is called. */
const SPANS = [
  [900, '15 min'],
  [3600, '1 h'],
  [21_600, '6 h'],
  [86_400, '24 h'],
  [604_800, '7 days'],
];
/** What one address of the archive plays, in seconds; the next one is opened at its end. */
const PLAYED_SECONDS = 1800;
/** So much before the moment that is looked for is in it, too. */
const LEAD_SECONDS = 10;
/** Later than so long ago the stream itself is played: the archive is a few seconds behind. */
const LIVE_ARCHIVE_SECONDS = 15;
/** How often what is recorded is asked for, in milliseconds. */
const RANGES_MS = 10_000;
/** Thumbnails: seconds between two, and how they lie in a picture of the server. */
const STEPS = [2, 5, 10, 30, 60, 120, 300, 900];
const TILE = { columns: 5, rows: 5, width: 160, height: 90 };
/** Seconds between two labels, and between two ticks. */
const LABELS = [60, 300, 900, 3600, 10_800, 21_600, 86_400];
/** The pointer rests for so long before its picture is fetched, in milliseconds. */
const REST_MS = 90;

/** The bar with what is recorded: shows where the picture is, and goes where the viewer points. */
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
  /** End of what is shown, in seconds since 1970; undefined: now. */
  #shownTo;
  #ranges = [];
  /** Where the archive begins; undefined where nothing is recorded. */
  #begin;
  /** The time that is played from the archive; undefined live. */
  #played;
  /** Whether a finger or a button is down on the bar. */
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
    this.#video.addEventListener('ended', () => this.#goOn());
    this.#player.behind = () => {
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
    const recorded = this.#begin === undefined ? 0 : now() - this.#begin;
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
      else if (event.key === 'Home' && this.#begin !== undefined) this.#seek(this.#begin);
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

  /** Where the viewer wants to be, until it is played. */
  #target;

  /** What is recorded of the time that is shown. */
  async #load() {
    const to = Math.ceil(this.#to());
    const query = new URLSearchParams(this.#player.search);
    query.set('from', String(Math.floor(to - this.#spanSeconds)));
    query.set('to', String(to));
    try {
      const response = await fetch(`recording_status.json?${query}`, { cache: 'no-store' });
      if (!response.ok) return;
      const sent = Date.parse(response.headers.get('date') ?? '');
      // The header has whole seconds.
      if (Math.abs(sent - Date.now()) > 2000) aheadSeconds = (sent - Date.now()) / 1000;
      const { from, ranges } = await response.json();
      this.#begin = from ?? undefined;
      this.#ranges = ranges.map((range) => [range.from, range.from + range.duration]);
    } catch {
      // What is known is still true.
    }
    this.#draw();
  }

  /** Plays a moment; where nothing is recorded the next one that is. */
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
    const known = this.#positionOf(at);
    if (known === undefined) this.#open(at);
    else {
      this.#video.currentTime = known;
      this.#settle();
    }
    this.#draw();
  }

  #open(at) {
    // Not so much before it that playback starts in another range.
    const start = this.#ranges.find(([from, to]) => at >= from && at < to)?.[0] ?? at;
    const from = Math.floor(Math.max(at - LEAD_SECONDS, start));
    this.#played = { from, to: from + PLAYED_SECONDS };
    this.#player.playAddress(`archive-${from}-${PLAYED_SECONDS}.m3u8`, at - from);
    this.#video.addEventListener('loadeddata', () => this.#adjust(at), { once: true });
  }

  /** The first segment begins a little later than its address says. */
  #adjust(at) {
    const exact = this.#positionOf(at);
    if (exact !== undefined && Math.abs(exact - this.#video.currentTime) > 0.7) this.#video.currentTime = exact;
    this.#settle();
  }

  #settle() {
    this.#video.addEventListener('playing', () => (this.#target = undefined), { once: true });
    if (!this.#video.paused && !this.#video.seeking) this.#target = undefined;
  }

  /** What was opened is played to its end. */
  #goOn() {
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

  /** Where a moment is in what is open; undefined where it is not. */
  #positionOf(time) {
    for (const { start, duration, programDateTime } of this.#fragments()) {
      const behind = time - programDateTime / 1000;
      if (programDateTime && behind >= -0.05 && behind < duration) return start + Math.max(0, behind);
    }
    return undefined;
  }

  /** The moment of the picture; undefined where it is not known. */
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
    const to = Math.max(time + this.#spanSeconds / 2, (this.#begin ?? 0) + this.#spanSeconds * 0.9);
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

  /** The pointer is over the bar: says which moment that is, and shows it. */
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
    document.querySelector('#earlier').disabled = this.#begin === undefined || this.#begin >= from;
  }

  #fill(parent, values, put) {
    while (parent.children.length > values.length) parent.lastChild.remove();
    for (const [index, value] of values.entries())
      put(value, parent.children[index] ?? parent.appendChild(document.createElement('span')));
  }
}

/** How far the clock of the server is ahead of that of this machine, in seconds. */
let aheadSeconds = 0;

/** The time of the server in seconds since 1970. */
function now() {
  return Date.now() / 1000 + aheadSeconds;
}

/** A moment in the time of the viewer; with its day where more than some hours are shown. */
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
