import { FirstSlice } from '../../codecs/nal/first-slice.ts';
import type { PictureOrder, VideoSyntax } from '../../codecs/nal/picture-syntax.ts';

/** Duration of a picture if neither times nor parameter sets state it: 25 per second. */
const DEFAULT_STEP_TICKS = 3600;
/** Maximum measured duration of a picture. */
const MAX_STEP_TICKS = 90_000;
/** Maximum step of presentation times; a longer step starts another time base. */
const MAX_JUMP_TICKS = 10 * 90_000;
/** Maximum step back of presentation times by reordering; a longer step starts another time base. */
const MAX_BACK_TICKS = 90_000;
/** Maximum number of PES packets whose pictures are not complete. */
const MAX_PACKETS = 64;
/** Maximum reorder depth that is learnt from the presentation times. */
const MAX_REORDER = 16;
/** Number of pictures whose order is read at the start, and after each picture without a stated time. */
const ORDERED_PICTURES = 16;
/** Minimum number of pictures over which the duration is measured: stated times jitter. */
const MEASURED_PICTURES = 16;
/**
 * Maximum difference, in pictures, between stated times and the rate of the parameter sets; above this value that rate is
 * ignored.
 */
const MAX_RATE_ERROR = 0.9;

interface Packet {
  readonly position: number;
  readonly ptsTicks: number | undefined;
  readonly dtsTicks: number | undefined;
  isTaken: boolean;
}

/** Times of a picture, in unrolled ticks. */
export interface PictureTime {
  readonly dtsTicks: number;
  readonly ptsTicks: number;
}

/** A picture between its neighbours in the elementary stream. */
export interface TimedPicture {
  /** Position of its first byte in the elementary stream, and of the first byte after it. */
  readonly startPosition: number;
  readonly endPosition: number;
  readonly isRandomAccess: boolean;
  /** Its first slice. */
  readonly bytes: Uint8Array;
  readonly sliceStart: number;
  readonly sliceEnd: number;
  /** Pictures per second by the parameter sets; fields per second if each picture is a field. */
  readonly unitRate: number | undefined;
}

type TimesSyntax = Pick<VideoSyntax, 'orderOf' | 'reorderDepth' | 'orderStep'>;

/**
 * Determines the times of pictures. The times of a PES packet are those of the first picture that starts in it (ISO/IEC 13818-1,
 * 2.4.3.7). Other pictures follow at the frame rate, presented in the order of their picture order counts. If the stream states
 * only presentation times and reorders pictures, decoding times are computed from them.
 */
export class PictureTimes {
  readonly #syntax: TimesSyntax;
  readonly #packets: Packet[] = [];
  #lastDts: number | undefined;
  #latestPts = -Infinity;
  /** Decoding time of the last picture with a stated time, and number of pictures since. */
  #statedDts: number | undefined;
  #picturesSinceStated = 0;
  /** True if no bytes were lost after that picture, so that the pictures since can be counted. */
  #isCountExact = false;
  /** Number of pictures so far. */
  #count = 0;
  /** Up to two earlier pictures with a stated time, between which the duration is measured, in decoding order. */
  #measured: readonly { readonly count: number; readonly dtsTicks: number }[] = [];
  #stepTicks: number | undefined;
  #ratedTicks = DEFAULT_STEP_TICKS;
  /** Last picture with its order, and its unrounded presentation time. */
  #anchor: { readonly ptsTicks: number; readonly order: PictureOrder } | undefined;
  #smallestOrderStep: number;
  #lastOrder: PictureOrder | undefined;
  #ordersLeft = ORDERED_PICTURES;
  /** First slice of the last picture if its order was not read, and its presentation time. */
  readonly #unread = new FirstSlice();
  #unreadPts: number | undefined;
  /** Presentation minus decoding time of the last picture with a stated time; not negative. */
  #offset = 0;
  #hasDts = false;
  /** Ticks by which stated decoding times are moved back, so that they follow the computed ones before them. */
  #lateTicks = 0;
  /** Presentation times that have no decoding time yet. */
  #waiting: number[] = [];
  /** Presentation time from which the decoding times before the first sorted one are counted back. */
  #firstPts = 0;
  /** Reorder depth learnt from the presentation times. */
  #depth = 0;

  constructor(syntax: TimesSyntax) {
    this.#syntax = syntax;
    this.#smallestOrderStep = syntax.orderStep;
  }

  /** Adds a PES packet whose payload starts at a position, with its unrolled times. */
  packet(position: number, ptsTicks: number | undefined, dtsTicks: number | undefined): void {
    const packets = this.#packets;
    if (ptsTicks === undefined && packets.length > 0 && packets.at(-1)?.ptsTicks === undefined) return;
    if (packets.length >= MAX_PACKETS) packets.splice(1, 1);
    packets.push({ position, ptsTicks, dtsTicks, isTaken: false });
  }

  /** Reports that bytes were lost, so that pictures may be missing before the next one. */
  interrupt(): void {
    this.#isCountExact = false;
  }

  /** Times of the next picture; undefined until a PES packet stated a time. */
  next(picture: TimedPicture): PictureTime | undefined {
    const packet = this.#packetOf(picture);
    if (packet?.ptsTicks === undefined) this.#readSkippedOrder();
    const isRead = this.#ordersLeft > 0;
    const order = isRead ? this.#readOrder(picture) : undefined;
    const step = this.#step(picture.unitRate);
    this.#picturesSinceStated++;
    this.#count++;
    if (packet?.dtsTicks !== undefined) this.#startStated(packet.dtsTicks, step);
    const following =
      this.#statedDts === undefined ? undefined : this.#statedDts + Math.round(this.#picturesSinceStated * step);
    if (packet?.ptsTicks === undefined && following === undefined) return undefined;
    const exact = packet?.ptsTicks ?? this.#ordered(order, step) ?? (following ?? 0) + this.#offset;
    const ptsTicks = Math.round(exact);
    const stated = packet?.dtsTicks ?? (this.#hasDts ? packet?.ptsTicks : undefined);
    const dtsTicks =
      stated === undefined
        ? this.#decoding(packet?.ptsTicks, ptsTicks, following, step)
        : Math.round(stated - this.#lateTicks);
    if (packet?.ptsTicks !== undefined) this.#recordStated(ptsTicks, dtsTicks);
    if (order) this.#anchor = { ptsTicks: exact, order };
    else if (!isRead) this.#skipOrder(picture, exact);
    const isReset = isRead ? order?.isReset : picture.isRandomAccess;
    this.#latestPts = isReset ? ptsTicks : Math.max(this.#latestPts, ptsTicks);
    this.#lastDts = dtsTicks;
    return { dtsTicks, ptsTicks };
  }

  /**
   * PES packet whose times belong to the picture: the picture is the first that starts in it, or no picture starts in it and it
   * is inside the picture.
   */
  #packetOf({ startPosition, endPosition }: TimedPicture): Packet | undefined {
    const packets = this.#packets;
    while (packets.length > 1 && packets[1]!.position <= startPosition) packets.shift();
    let index = 0;
    for (; index < packets.length; index++) {
      const packet = packets[index]!;
      const next = packets[index + 1]?.position ?? Infinity;
      // The next picture starts in this packet.
      if (index > 0 && (packet.position >= endPosition || next > endPosition)) return undefined;
      if (packet.isTaken || packet.ptsTicks === undefined) continue;
      packet.isTaken = true;
      return packet;
    }
    return undefined;
  }

  #step(rate: number | undefined): number {
    this.#ratedTicks = rate !== undefined && rate >= 1 && rate <= 300 ? 90_000 / rate : DEFAULT_STEP_TICKS;
    return this.#stepTicks ?? this.#ratedTicks;
  }

  #recordStated(ptsTicks: number, dtsTicks: number): void {
    const last = this.#statedDts;
    const distance = last === undefined ? 0 : (dtsTicks - last) / this.#picturesSinceStated;
    if (this.#isCountExact && distance > 0 && distance <= MAX_STEP_TICKS) this.#measure(dtsTicks);
    else this.#measured = [];
    const measured = this.#measured;
    const newest = { count: this.#count, dtsTicks };
    if (measured.length === 0) this.#measured = [newest];
    else if (newest.count - (measured.at(-1)?.count ?? 0) >= MEASURED_PICTURES)
      this.#measured = [...measured.slice(-1), newest];
    this.#isCountExact = true;
    this.#statedDts = dtsTicks;
    this.#picturesSinceStated = 0;
    this.#offset = Math.max(0, ptsTicks - dtsTicks);
  }

  /**
   * Measures the duration of a picture by the stated times of some pictures. If they agree with the parameter sets, the duration
   * of the sets is used.
   */
  #measure(dtsTicks: number): void {
    const [from] = this.#measured;
    if (!from) return;
    const count = this.#count - from.count;
    const ticks = dtsTicks - from.dtsTicks;
    const isRated = Math.abs(ticks - count * this.#ratedTicks) <= MAX_RATE_ERROR * this.#ratedTicks;
    this.#stepTicks = isRated ? this.#ratedTicks : ticks / count;
  }

  #readOrder({ bytes, sliceStart, sliceEnd }: TimedPicture): PictureOrder | undefined {
    this.#ordersLeft--;
    const order = this.#syntax.orderOf(bytes, sliceStart, sliceEnd);
    this.#learnOrderStep(order);
    return order;
  }

  /**
   * Keeps the slice of a picture with a stated time instead of reading its order, which matters only if the next picture states
   * no time.
   */
  #skipOrder({ bytes, sliceStart, sliceEnd }: TimedPicture, ptsTicks: number): void {
    this.#unread.take(bytes, sliceStart, sliceEnd);
    this.#unreadPts = ptsTicks;
  }

  /** A picture without a time follows, so the order of the previous picture is needed. */
  #readSkippedOrder(): void {
    this.#ordersLeft = ORDERED_PICTURES;
    const ptsTicks = this.#unreadPts;
    if (ptsTicks === undefined) return;
    this.#unreadPts = undefined;
    const order = this.#syntax.orderOf(this.#unread.bytes, 0, this.#unread.length);
    this.#anchor = order && { ptsTicks, order };
    this.#lastOrder = order;
  }

  #learnOrderStep(order: PictureOrder | undefined): void {
    const last = this.#lastOrder;
    this.#lastOrder = order;
    if (!order || !last || order.isReset) return;
    const distance = Math.abs(orderDistance(last, order));
    if (distance > 0) this.#smallestOrderStep = Math.min(this.#smallestOrderStep, distance);
  }

  /** Presentation time by the order of the picture. */
  #ordered(order: PictureOrder | undefined, step: number): number | undefined {
    if (!order) return undefined;
    // All pictures before an IDR picture in decoding order are shown before it.
    if (order.isReset) return this.#latestPts === -Infinity ? undefined : this.#latestPts + step;
    const anchor = this.#anchor;
    if (!anchor) return undefined;
    return anchor.ptsTicks + (orderDistance(anchor.order, order) / this.#smallestOrderStep) * step;
  }

  /**
   * The stream states decoding times from this picture on. A first picture without one is decoded when it is presented (2.4.3.7), so
   * that the decoding times of a stream with reordering are late.
   */
  #startStated(dtsTicks: number, step: number): void {
    if (this.#hasDts) return;
    this.#hasDts = true;
    const depth = this.#reorderDepth;
    if (this.#lastDts !== undefined && depth > 0)
      this.#lateTicks = Math.max(0, Math.min(dtsTicks - this.#lastDts - step, depth * step));
  }

  get #reorderDepth(): number {
    return Math.max(this.#depth, this.#syntax.reorderDepth ?? 0);
  }

  /** Decoding time of a picture that states none. */
  #decoding(stated: number | undefined, ptsTicks: number, following: number | undefined, step: number): number {
    const last = this.#lastDts;
    const isBack = last !== undefined && ptsTicks < last && last - ptsTicks <= MAX_BACK_TICKS;
    if (isBack && !this.#hasDts && this.#depth < MAX_REORDER) this.#depth++;
    const depth = this.#reorderDepth;
    if (this.#hasDts || depth === 0) return stated ?? following ?? ptsTicks;
    return this.#sorted(ptsTicks, depth, step);
  }

  /** The n-th picture is decoded at the (n - depth)-th presentation time in ascending order. */
  #sorted(ptsTicks: number, depth: number, step: number): number {
    const waiting = this.#waiting;
    if (ptsTicks - this.#latestPts > MAX_JUMP_TICKS || this.#latestPts - ptsTicks > MAX_BACK_TICKS) {
      waiting.length = 0;
      this.#firstPts = ptsTicks;
      this.#lastDts = undefined;
    }
    let at = waiting.length;
    while (at > 0 && waiting[at - 1]! > ptsTicks) at--;
    waiting.splice(at, 0, ptsTicks);
    const early = depth - waiting.length + 1;
    const dts = early > 0 ? Math.round(this.#firstPts - early * step) : waiting.shift()!;
    return this.#lastDts === undefined ? dts : Math.max(dts, this.#lastDts + 1);
  }
}

/** Steps of the count between two pictures, across its wrap. */
function orderDistance(from: PictureOrder, to: PictureOrder): number {
  const half = to.modulus / 2;
  const distance = (to.count - from.count) % to.modulus;
  if (distance >= half) return distance - to.modulus;
  return distance < -half ? distance + to.modulus : distance;
}
