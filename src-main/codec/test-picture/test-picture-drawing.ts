import { eachDot, LETTER_HEIGHT, LETTER_WIDTH } from './bitmap-font.ts';

const BLACK = 16;
const GREY = 48;
const WHITE = 235;
const NEUTRAL = 128;

/** 75 % colour bars as Y, Cb, Cr of BT.709, limited range: grey, yellow, cyan, green, magenta, red, blue. */
const BARS = [
  [180, 128, 128],
  [168, 44, 136],
  [145, 147, 44],
  [133, 63, 52],
  [63, 193, 204],
  [51, 109, 212],
  [28, 212, 120],
] as const;

/** Positions use a grid of 160 by 90, scaled to the picture. */
const GRID_WIDTH = 160;
const GRID_HEIGHT = 90;
const CLOCK = { x: 80, y: 26, radius: 20 };
const TRACK = { y: 51, height: 7, box: 8 };
const FLASH = { x: 102, y: 61, width: 26, height: 27 };
const SNOW = { x: 132, y: 61, width: 26, height: 27 };
const ANGLES = 1024;

/** Area of the white square that flashes at each full second, as a share of the picture: for measurements. */
export const FLASH_AREA = {
  x: FLASH.x / GRID_WIDTH,
  y: FLASH.y / GRID_HEIGHT,
  width: FLASH.width / GRID_WIDTH,
  height: FLASH.height / GRID_HEIGHT,
};

/**
 * Drawing of the test picture: colour bars, a clock with a sweeping hand, a moving box, a clock and a frame counter in
 * digits, snow that gives the encoder some work, and a white square that flashes at each full second. Draws into one
 * planar 4:2:0 buffer and changes only moving parts.
 */
export class TestPictureDrawing {
  readonly width: number;
  readonly height: number;
  /** Y, then Cb, then Cr, without padding. */
  readonly planes: Buffer;
  readonly #gridX: number;
  readonly #gridY: number;
  readonly #chromaWidth: number;
  readonly #cbStart: number;
  readonly #crStart: number;
  /** Angle of each pixel around the clock, 1024 for one turn; 65535 outside the disc. */
  readonly #angles: Uint16Array;
  readonly #clockSide: number;
  #random = 0x2545f491;

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    this.#gridX = width / GRID_WIDTH;
    this.#gridY = height / GRID_HEIGHT;
    this.#chromaWidth = width / 2;
    this.#cbStart = width * height;
    this.#crStart = this.#cbStart + (width * height) / 4;
    this.planes = Buffer.alloc((width * height * 3) / 2);
    this.#clockSide = 2 * Math.floor(CLOCK.radius * Math.min(this.#gridX, this.#gridY));
    this.#angles = clockAngles(this.#clockSide);
    this.#drawGround();
  }

  /** Draws picture `index` of a loop of `count`. */
  draw(index: number, count: number, picturesPerSecond: number): void {
    this.#drawClock(index / count);
    const inSecond = index % picturesPerSecond;
    const second = Math.floor(index / picturesPerSecond);
    // About one second per direction, and whole round trips in the loop.
    const trips = Math.max(1, Math.round(count / picturesPerSecond / 2));
    const phase = ((index * trips) / count) % 1;
    this.#drawBox(phase < 0.5 ? 2 * phase : 2 - 2 * phase);
    this.#drawDigits(second, inSecond, index);
    this.#rect(FLASH, isFlash(index, picturesPerSecond) ? WHITE : BLACK);
    this.#drawSnow();
  }

  #drawGround(): void {
    this.planes.fill(BLACK, 0, this.#cbStart);
    this.planes.fill(NEUTRAL, this.#cbStart);
    const barWidth = GRID_WIDTH / BARS.length;
    BARS.forEach(([y, cb, cr], i) => {
      this.#rect({ x: i * barWidth, y: 0, width: barWidth + 1, height: TRACK.y }, y, cb, cr);
    });
    this.#rect({ x: 0, y: TRACK.y + TRACK.height, width: GRID_WIDTH, height: GRID_HEIGHT }, BLACK, NEUTRAL, NEUTRAL);
    const radius = this.#clockSide / 2;
    // The chroma of the clock's square is always neutral; only its luma changes.
    const gridRadiusX = radius / this.#gridX;
    const gridRadiusY = radius / this.#gridY;
    this.#rect(
      { x: CLOCK.x - gridRadiusX, y: CLOCK.y - gridRadiusY, width: 2 * gridRadiusX, height: 2 * gridRadiusY },
      GREY,
      NEUTRAL,
      NEUTRAL,
    );
    this.#text('AIRDESK TEST', 4, 62, 1, WHITE);
  }

  #drawClock(turn: number): void {
    const side = this.#clockSide;
    const left = Math.round(CLOCK.x * this.#gridX) - side / 2;
    const top = Math.round(CLOCK.y * this.#gridY) - side / 2;
    const hand = Math.floor(turn * ANGLES);
    const lumaOfAngle = new Uint8Array(ANGLES);
    for (let angle = 0; angle < ANGLES; angle++) {
      const distance = (hand - angle + ANGLES) % ANGLES;
      lumaOfAngle[angle] = distance < 10 ? WHITE : distance < 266 ? 150 - ((distance - 10) >> 1) : 22;
    }
    for (let row = 0; row < side; row++) {
      let at = (top + row) * this.width + left;
      for (let i = row * side, end = i + side; i < end; i++, at++) {
        const angle = this.#angles[i] ?? 0xffff;
        this.planes[at] = angle < ANGLES ? (lumaOfAngle[angle] ?? BLACK) : GREY;
      }
    }
  }

  #drawBox(position: number): void {
    this.#rect({ x: 0, y: TRACK.y, width: GRID_WIDTH, height: TRACK.height }, BLACK, NEUTRAL, NEUTRAL);
    const x = position * (GRID_WIDTH - TRACK.box);
    this.#rect({ x, y: TRACK.y + 1, width: TRACK.box, height: TRACK.height - 2 }, 168, 44, 136);
  }

  #drawDigits(second: number, inSecond: number, index: number): void {
    this.#rect({ x: 0, y: 71, width: FLASH.x - 2, height: GRID_HEIGHT - 71 }, BLACK);
    this.#text(`${twoDigits(second)}:${twoDigits(inSecond)}`, 4, 73, 2, WHITE);
    this.#text(String(index).padStart(5, '0'), 68, 80, 1, 170);
  }

  #drawSnow(): void {
    const left = Math.round(SNOW.x * this.#gridX);
    const right = Math.round((SNOW.x + SNOW.width) * this.#gridX);
    const bottom = Math.round((SNOW.y + SNOW.height) * this.#gridY);
    for (let row = Math.round(SNOW.y * this.#gridY); row < bottom; row++) {
      for (let at = row * this.width + left, end = row * this.width + right; at < end; at++) {
        // xorshift32: the same snow in every run, so that equal options give equal files.
        this.#random ^= this.#random << 13;
        this.#random ^= this.#random >>> 17;
        this.#random ^= this.#random << 5;
        this.planes[at] = 64 + (this.#random & 0x7f);
      }
    }
  }

  #text(text: string, gridX: number, gridY: number, size: number, luma: number): void {
    const scale = size * Math.max(1, Math.floor(Math.min(this.#gridX, this.#gridY)));
    const left = Math.round(gridX * this.#gridX);
    const top = Math.round(gridY * this.#gridY);
    if (left + text.length * LETTER_WIDTH * scale > this.width || top + LETTER_HEIGHT * scale > this.height) return;
    eachDot(text, (column, row) => {
      for (let y = 0; y < scale; y++) {
        const at = (top + row * scale + y) * this.width + left + column * scale;
        this.planes.fill(luma, at, at + scale);
      }
    });
  }

  /** Fills a rectangle of the grid; chroma only if given. */
  #rect(area: { x: number; y: number; width: number; height: number }, y: number, cb?: number, cr?: number): void {
    const left = clamp(Math.round(area.x * this.#gridX), this.width);
    const right = clamp(Math.round((area.x + area.width) * this.#gridX), this.width);
    const top = clamp(Math.round(area.y * this.#gridY), this.height);
    const bottom = clamp(Math.round((area.y + area.height) * this.#gridY), this.height);
    for (let row = top; row < bottom; row++) this.planes.fill(y, row * this.width + left, row * this.width + right);
    if (cb === undefined || cr === undefined) return;
    for (let row = top >> 1; row < (bottom + 1) >> 1; row++) {
      const from = row * this.#chromaWidth + (left >> 1);
      const to = row * this.#chromaWidth + ((right + 1) >> 1);
      this.planes.fill(cb, this.#cbStart + from, this.#cbStart + to);
      this.planes.fill(cr, this.#crStart + from, this.#crStart + to);
    }
  }
}

/** Reports whether the square is white in a picture: the first 80 ms of each second, at least one picture. */
function isFlash(index: number, picturesPerSecond: number): boolean {
  return index % picturesPerSecond < Math.max(1, Math.round(picturesPerSecond * 0.08));
}

function clockAngles(side: number): Uint16Array {
  const angles = new Uint16Array(side * side).fill(0xffff);
  const radius = side / 2;
  for (let row = 0; row < side; row++) {
    for (let column = 0; column < side; column++) {
      const x = column + 0.5 - radius;
      const y = row + 0.5 - radius;
      if (x * x + y * y > radius * radius) continue;
      // Clockwise from the top.
      const turn = Math.atan2(x, -y) / (2 * Math.PI);
      angles[row * side + column] = Math.floor((turn < 0 ? turn + 1 : turn) * ANGLES) % ANGLES;
    }
  }
  return angles;
}

function clamp(value: number, limit: number): number {
  return Math.min(Math.max(value, 0), limit);
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
