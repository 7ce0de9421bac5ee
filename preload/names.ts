/**
 * The names of the IPC contract without its schemas: the bridge runs in every page load and must
 * not carry a validation library. `contract.ts` is checked against these lists.
 */
export const requestNames = [
  'app.info',
  'session.takeKey',
  'shell.openExternal',
  'window.setTheme',
  'window.setLanguage',
  'window.setMarks',
  'notification.show',
  'data.openFolder',
  'gateway.restart',
  'shell.settings',
  'quickAsk.act',
  'updates.act',
] as const

export const eventNames = [
  'command',
  'gateway.state',
  'place.open',
  'quickAsk.shown',
  'updates.state',
] as const

/**
 * The two Electron channels everything of a page travels on, and the one on which a document that
 * runs code gets its line (`code-line.ts`).
 */
export const ipcChannels = {
  request: 'desktop:request',
  event: 'desktop:event',
  codeLine: 'code-line',
} as const

/**
 * How main answers a request: always a value, never a rejection, so that no internals reach the
 * page.
 */
export type IpcReply =
  | { ok: true; output: unknown }
  | { ok: false; error: { code: string; message: string } }
