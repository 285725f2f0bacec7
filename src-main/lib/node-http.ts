/**
 * Exports of `node:http`. An `import` of the module would read all of its exports and load Node's WebSocket client and
 * `fetch`, which costs 28 ms of processor time and 3 MB at the start of each thread.
 */
export const { Agent, METHODS, STATUS_CODES, createServer, get, request, validateHeaderName, validateHeaderValue } =
  process.getBuiltinModule('node:http');
