/** Programme number from the query of an address, 1 to 65535; undefined if absent. */
export function readProgram(query: URLSearchParams): number | undefined {
  const text = query.get('program') ?? '';
  const program = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return program >= 1 && program <= 0xffff ? program : undefined;
}
