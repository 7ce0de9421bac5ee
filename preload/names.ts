/**
 * Names of the IPC contract without its schemas: the bridge runs on every page load and must not
 * include a validation library. `contract.ts` is checked against these lists.
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
 * The two Electron channels that carry all messages of a page, and the one on which a code-running
 * document receives its port (`code-line.ts`).
 */
export const ipcChannels = {
  request: 'desktop:request',
  event: 'desktop:event',
  codeLine: 'code-line',
} as const

/**
 * Response of main to a request: always a value, never a rejection, so that no internals reach the
 * page.
 */
export type IpcReply =
  | { ok: true; output: unknown }
  | { ok: false; error: { code: string; message: string } }
