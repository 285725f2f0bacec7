/** Whether a value is beyond one of its limits; null is no limit. */
export function isOutside(value: number, min: number | null, max: number | null): boolean {
  return (min !== null && value < min) || (max !== null && value > max);
}

/** The limits in words. */
export function range(min: number | null, max: number | null): string {
  if (min === null) return max === null ? 'any' : `at most ${max}`;
  return max === null ? `at least ${min}` : `${min} to ${max}`;
}
