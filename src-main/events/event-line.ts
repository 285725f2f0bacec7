/** An event as a line for people: time, kind, and its facts as `key=value`. @param json the event as it is queued */
export function eventLine(json: string): string {
  // The queue holds nothing but events, which are flat objects; the check sum of the record vouches for it.
  const { utc_ms: utcMs, event, ...facts } = JSON.parse(json) as Record<string, unknown>;
  const words = Object.entries(facts).flatMap(([key, value]) =>
    value === null || value === undefined ? [] : [`${key}=${printValue(value)}`],
  );
  return [new Date(Number(utcMs)).toISOString(), String(event), ...words].join(' ');
}

function printValue(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return /^[^\s"=\p{Cc}]+$/u.test(text) ? text : JSON.stringify(text);
}
