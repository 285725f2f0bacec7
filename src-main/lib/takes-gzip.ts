/** Whether the value of `Accept-Encoding` has gzip, by name or by `*`, and does not refuse it with a weight of 0 (RFC 9110 section 12.5.3). */
export function takesGzip(header: string | undefined): boolean {
  let isAnyTaken = false;
  for (const item of header?.split(',') ?? []) {
    const [coding = '', ...parameters] = item.split(';');
    const name = coding.trim().toLowerCase();
    if (name !== 'gzip' && name !== '*') continue;
    const weight = parameters.map((text) => text.trim().toLowerCase()).find((text) => text.startsWith('q='));
    const isTaken = weight === undefined || Number(weight.slice(2)) > 0;
    if (name === 'gzip') return isTaken;
    isAnyTaken = isTaken;
  }
  return isAnyTaken;
}
