/** Reports whether a value is beyond one of its limits; null is no limit. */
export function isOutside(value: number, min: number | null, max: number | null): boolean {
  return (min !== null && value < min) || (max !== null && value > max);
}
