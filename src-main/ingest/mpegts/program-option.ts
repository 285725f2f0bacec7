/** Number of the wanted programme from the query of an address, 1 to 65535; undefined where none is said. */
export function readProgram(query: URLSearchParams): number | undefined {
  const text = query.get('program') ?? '';
  const program = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return program >= 1 && program <= 0xffff ? program : undefined;
}
