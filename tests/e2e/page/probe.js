// Position of the white flash as fractions of the picture, in the test picture and the marked clips.
const FLASH = { x: 102 / 160, y: 61 / 90, width: 26 / 160, height: 27 / 90 };
// Luma runs from 16 to 235.
const WHITE = 140;
const BEEP_LEVEL = 0.15;
const SAMPLES = 4096;
// A flash and a beep further apart than this belong to different seconds.
const SAME_MARK_MS = 450;
// Flashes are a second apart: after one, no picture is read for this time.
const NO_FLASH_MS = 700;
// Numbered media (`tests/helpers/numbered-media.ts`) has this number of bars across its upper third; bits above the number
// identify the media.
const CODE_BITS = 16;
const NUMBER_BITS = 13;

/** Counts what a viewer would notice, and measures the times of flashes and beeps. */
export class Probe {
  errors = [];
  warnings = [];
  /** Newest lines of the player's own log. */
  playerLog = [];
  /** Stalls after the start. */
  stalls = [];
  seeks = 0;
  /** Maximum time without a new picture, in milliseconds. */
  longestFreezeMs = 0;
  options = JSON.parse(new URLSearchParams(location.search).get('options') ?? '{}');
  player = undefined;
  #video;
  #flashes = [];
  #beeps = [];
  #latencies = [];
  #firstFrameMs;
  #lastFrameMs;
  #seeFlash;
  #seeNumber;
  #isWatching = false;
  /** Whether the browser was asked to report the next picture. */
  #isRequested = false;
  /** Shown pictures since `readNumbers`: media, number, and position in seconds. */
  numbers = [];
  #countedFromMs = 0;
  #sizes = new Set();

  constructor(video) {
    this.#video = video;
    video.addEventListener('waiting', () => this.#stall('waiting'));
    video.addEventListener('seeking', () => this.seeks++);
    video.addEventListener('error', () => this.errors.push(`video: ${video.error?.code} ${video.error?.message}`));
    video.addEventListener('resize', () => this.#sizes.add(`${video.videoWidth}x${video.videoHeight}`));
    this.#askForPicture();
  }

  /** Resets all counters. */
  reset() {
    this.stalls = [];
    this.seeks = 0;
    this.warnings = [];
    this.longestFreezeMs = 0;
    this.#latencies = [];
    this.#flashes = [];
    this.#beeps = [];
    this.#countedFromMs = performance.now();
  }

  report() {
    const video = this.#video;
    const quality = video.getVideoPlaybackQuality();
    const offsets = this.#avOffsets();
    return {
      currentTime: video.currentTime,
      paused: video.paused,
      readyState: video.readyState,
      networkState: video.networkState,
      visibility: document.visibilityState,
      playbackRate: video.playbackRate,
      firstFrameMs: this.#firstFrameMs,
      longestFreezeMs: this.longestFreezeMs,
      frames: quality.totalVideoFrames,
      droppedFrames: quality.droppedVideoFrames,
      audioBytes: video.webkitAudioDecodedByteCount,
      stalls: this.stalls,
      seeks: this.seeks,
      errors: counted(this.errors),
      warnings: counted(this.warnings),
      sizes: [...this.#sizes],
      latencyMs: median(this.#latencies),
      latencyMaxMs: this.#latencies.length === 0 ? undefined : Math.max(...this.#latencies),
      ownLatencyMs: this.player?.ownLatencyMs(),
      flashes: this.#flashes.length,
      beeps: this.#beeps.length,
      avOffsetMs: median(offsets),
      avOffsetWorstMs:
        offsets.length === 0
          ? undefined
          : offsets.reduce((worst, one) => (Math.abs(one) > Math.abs(worst) ? one : worst)),
      buffered: Array.from({ length: video.buffered.length }, (_, n) => [
        video.buffered.start(n),
        video.buffered.end(n),
      ]),
    };
  }

  #stall(why) {
    if (this.#firstFrameMs === undefined) return;
    const { currentTime, buffered } = this.#video;
    const ranges = Array.from({ length: buffered.length }, (_, n) => `${buffered.start(n)}-${buffered.end(n)}`).join(
      ' ',
    );
    this.stalls.push(
      `${why} at ${currentTime} in ${ranges} after ${Math.round(performance.now() - this.#countedFromMs)} ms, by the clock ${Date.now()}`,
    );
  }

  /**
   * Measures freezes and the distance to live from now on, which takes a tenth of the cost of playing. Otherwise only the first
   * picture is recorded.
   */
  watchPictures() {
    if (this.#isWatching) return;
    this.#isWatching = true;
    if (this.#firstFrameMs === undefined) return;
    this.#lastFrameMs = performance.now();
    this.#askForPicture();
  }

  #askForPicture() {
    if (this.#isRequested) return;
    this.#isRequested = true;
    this.#video.requestVideoFrameCallback((_now, { expectedDisplayTime }) => {
      this.#isRequested = false;
      this.#see(expectedDisplayTime);
      if (this.#isWatching) this.#askForPicture();
    });
  }

  #see(displayMs) {
    const now = performance.now();
    this.#firstFrameMs ??= now;
    if (this.#lastFrameMs !== undefined) this.longestFreezeMs = Math.max(this.longestFreezeMs, now - this.#lastFrameMs);
    this.#lastFrameMs = now;
    const utcMs = this.player?.utcMs();
    if (utcMs !== undefined && Number.isFinite(utcMs)) this.#latencies.push(Date.now() - utcMs);
    this.#seeFlash?.(displayMs);
    this.#seeNumber?.();
  }

  /** Returns a function that takes the time of each picture, and detects when the square becomes white. */
  #flashDetector() {
    let wasWhite = true;
    return async (time) => {
      if (time - (this.#flashes.at(-1) ?? -Infinity) < NO_FLASH_MS) return;
      // Inner half of the square, so that block edges do not count.
      const { x, y, width, height } = FLASH;
      const luma = await this.#luma({ x: x + width / 4, y: y + height / 4, width: width / 2, height: height / 2 });
      if (luma === undefined) return;
      const isWhite = luma.at(0.5, 0.5) > WHITE;
      if (isWhite && !wasWhite) this.#flashes.push(time);
      wasWhite = isWhite;
    };
  }

  /** Reads the number of each picture from now on. */
  readNumbers() {
    this.#seeNumber = async () => {
      const luma = await this.#luma({ x: 0, y: 0, width: 1, height: 1 / 3 });
      if (luma === undefined) return;
      const isWhite = (bit, row) => luma.at((bit + 0.5) / CODE_BITS, (row + 0.5) / 2) > WHITE;
      let [code, isRead] = [0, true];
      for (let bit = 0; bit < CODE_BITS; bit++) {
        isRead &&= isWhite(bit, 0) !== isWhite(bit, 1);
        if (isWhite(bit, 0)) code += 2 ** bit;
      }
      const of = isRead ? Math.floor(code / 2 ** NUMBER_BITS) : -1;
      this.numbers.push({ of, number: code % 2 ** NUMBER_BITS, mediaTime: luma.mediaTime });
    };
    this.watchPictures();
  }

  /**
   * Brightness of an area, as fractions of the picture, from the decoder: a canvas would first convert the whole picture, which
   * takes eight times as long. Undefined during a seek or a change of source. The position, in seconds, is that of this picture:
   * a busy page is given a later one than it was called for.
   */
  async #luma({ x, y, width, height }) {
    let frame;
    try {
      frame = new VideoFrame(this.#video);
    } catch (error) {
      if (error.name === 'InvalidStateError') return undefined;
      throw error;
    }
    try {
      const { visibleRect: seen, format } = frame;
      const mediaTime = frame.timestamp / 1e6;
      if (!/^(I4|NV)/.test(format)) throw new Error(`pictures are ${format}`);
      const even = (value) => 2 * Math.round(value / 2);
      const rect = {
        x: even(seen.x + x * seen.width),
        y: even(seen.y + y * seen.height),
        width: even(width * seen.width),
        height: even(height * seen.height),
      };
      // The plane of luma is the first.
      const bytes = new Uint8Array(frame.allocationSize({ rect }));
      const [{ offset, stride }] = await frame.copyTo(bytes, { rect });
      return {
        mediaTime,
        at: (right, down) => bytes[offset + Math.floor(down * rect.height) * stride + Math.floor(right * rect.width)],
      };
    } finally {
      frame.close();
    }
  }

  /** Detects beeps and flashes from now on, which takes a tenth of the cost of playing. Otherwise the audio is only played. */
  listen() {
    this.#seeFlash = this.#flashDetector();
    this.watchPictures();
    const context = new AudioContext({ latencyHint: 'interactive' });
    const analyser = new AnalyserNode(context, { fftSize: SAMPLES });
    context.createMediaElementSource(this.#video).connect(analyser);
    analyser.connect(context.destination);
    const samples = new Float32Array(SAMPLES);
    let lastMs = 0;
    setInterval(() => {
      analyser.getFloatTimeDomainData(samples);
      const now = performance.now();
      const at = samples.findIndex((sample) => Math.abs(sample) > BEEP_LEVEL);
      // A beep that starts before the window was counted earlier.
      if (at < 0 || at < 100) return;
      const beepMs = now - ((SAMPLES - at) / context.sampleRate) * 1000;
      if (beepMs - lastMs > SAME_MARK_MS) this.#beeps.push(beepMs);
      lastMs = beepMs;
    }, 30);
  }

  /** Beep minus flash, for each second that has both. */
  #avOffsets() {
    const offsets = [];
    for (const flash of this.#flashes) {
      const beep = this.#beeps.find((one) => Math.abs(one - flash) < SAME_MARK_MS);
      if (beep !== undefined) offsets.push(beep - flash);
    }
    return offsets;
  }
}

/** Distinct texts with their counts. */
function counted(texts) {
  return [...new Set(texts)].map((text) => `${texts.filter((other) => other === text).length}× ${text}`);
}

function median(values) {
  return values.length === 0 ? undefined : values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}
