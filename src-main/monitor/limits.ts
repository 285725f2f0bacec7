/** Reports whether a value is outside its limits; null means no limit. */
export function isOutside(value: number, min: number | null, max: number | null): boolean {
  return (min !== null && value < min) || (max !== null && value > max);
}
