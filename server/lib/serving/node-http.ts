// @NOTE A named `import` of this module reads all its exports and thereby loads Node's own fetch
//   and WebSocket client, a quarter of the whole startup time (Node 24); this way they are not
//   loaded.
export const { createServer, ServerResponse, STATUS_CODES } = process.getBuiltinModule('node:http')
