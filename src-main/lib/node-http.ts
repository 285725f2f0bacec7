/**
 * `node:http` as its own modules have it. An import of it reads all that it exports, and so loads the WebSocket client and `fetch` of Node: 28 ms of processor
 * time at the start of each thread, and 3 MB.
 */
export const { Agent, METHODS, STATUS_CODES, createServer, get, request, validateHeaderName, validateHeaderValue } =
  process.getBuiltinModule('node:http');
