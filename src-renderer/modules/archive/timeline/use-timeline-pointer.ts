import { useEventListener } from '@vueuse/core';
import type { Ref } from 'vue';
import { drawingUnit, RULER_PX } from './timeline-drawing.ts';
import { moved, msAt, zoomed, type TimeScale } from '../time-scale.ts';

/** Pointer actions on a timeline. */
export interface TimelinePointer {
  readonly canvas: Readonly<Ref<HTMLCanvasElement | null>>;
  scale(): TimeScale | undefined;
  setScale(scale: TimeScale): void;
  /** Seeks to a moment; repeatedly during a drag. @param isEnd whether the pointer was released */
  scrub(ms: number, isEnd: boolean): void;
  /** Called when a drag has ended. */
  release(): void;
  /** Pointer position over the timeline; undefined when it leaves. */
  point(x: number | undefined): void;
}

/** Zoom factor of one wheel step. */
const WHEEL_FACTOR = 1.25;
const WHEEL_PX = 100;

/** Wheel and pinch zoom around the pointer, a drag seeks, a drag of the ruler scrolls. Ends with the component. */
export function useTimelinePointer({ canvas, scale, setScale, scrub, release, point }: TimelinePointer): void {
  const down = new Map<number, { x: number; y: number; isOnRuler: boolean }>();
  /** Distance of two fingers, until both are lifted: a finger that stays does not seek. */
  let pinchPx: number | undefined;
  const positionOf = (event: PointerEvent | WheelEvent): { x: number; y: number } => {
    const box = canvas.value?.getBoundingClientRect();
    return { x: event.clientX - (box?.left ?? 0), y: event.clientY - (box?.top ?? 0) };
  };

  useEventListener(
    canvas,
    'wheel',
    (event: WheelEvent) => {
      event.preventDefault();
      const now = scale();
      if (!now) return;
      const scrollPx = event.shiftKey ? event.deltaY || event.deltaX : event.deltaX;
      if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) return setScale(moved(now, scrollPx));
      // A pinched touch pad sends wheel events with ctrlKey, in small steps.
      const steps = -event.deltaY / (event.ctrlKey ? WHEEL_PX / 10 : WHEEL_PX);
      setScale(zoomed(now, WHEEL_FACTOR ** Math.max(-4, Math.min(4, steps)), positionOf(event).x));
    },
    { passive: false },
  );
  useEventListener(canvas, 'pointerdown', (event: PointerEvent) => {
    if (event.button !== 0) return;
    const { x, y } = positionOf(event);
    down.set(event.pointerId, { x, y, isOnRuler: y < RULER_PX * drawingUnit() });
    if (down.size === 1) pinchPx = undefined;
    canvas.value?.setPointerCapture(event.pointerId);
  });
  useEventListener(canvas, 'pointermove', (event: PointerEvent) => {
    const { x, y } = positionOf(event);
    const pressed = down.get(event.pointerId);
    const now = scale();
    if (!pressed || !now) return point(event.pointerType === 'touch' ? undefined : x);
    const before = pressed.x;
    [pressed.x, pressed.y] = [x, y];
    if (down.size > 1) return pinch(now);
    if (pinchPx !== undefined) return;
    if (pressed.isOnRuler) setScale(moved(now, before - x));
    else {
      point(x);
      scrub(msAt(now, x), false);
    }
  });
  const up = (event: PointerEvent): void => {
    const pressed = down.get(event.pointerId);
    const wasPinch = pinchPx !== undefined;
    down.delete(event.pointerId);
    if (down.size === 0) {
      pinchPx = undefined;
      release();
    }
    const now = scale();
    if (pressed && now && !pressed.isOnRuler && !wasPinch && event.type === 'pointerup')
      scrub(msAt(now, positionOf(event).x), true);
    if (event.pointerType === 'touch') point(undefined);
  };
  useEventListener(canvas, ['pointerup', 'pointercancel'], up);
  useEventListener(canvas, 'pointerleave', () => point(undefined));

  /** Pinch: the distance of two fingers sets the scale, their centre stays in place. */
  function pinch(now: TimeScale): void {
    const [a, b] = [...down.values()];
    if (!a || !b) return;
    const distance = Math.max(10, Math.hypot(a.x - b.x, a.y - b.y));
    if (pinchPx !== undefined) setScale(zoomed(now, distance / pinchPx, (a.x + b.x) / 2));
    pinchPx = distance;
  }
}
