// @NOTE An `import` of this module by name reads all it exports and thereby loads Node's own fetch
//   and WebSocket client, a
// quarter of the whole start (Node 24); this way they stay where they are.
export const { createServer, ServerResponse, STATUS_CODES } = process.getBuiltinModule('node:http')
