import { contextBridge, ipcRenderer, type IpcRendererEvent } from 'electron'
import { eventNames, ipcChannels, requestNames, type IpcReply } from './names.ts'

/**
 * Functions of the page's world lose their prototype when passed in, so only names and plain data
 * are checked here.
 */
const isOneOf = (names: readonly string[], name: unknown): name is string =>
  typeof name === 'string' && names.includes(name)

async function request(name: unknown, input: unknown): Promise<unknown> {
  if (!isOneOf(requestNames, name)) throw new Error('The desktop app does not know this request.')
  const reply = (await ipcRenderer.invoke(ipcChannels.request, name, input)) as IpcReply
  if (!reply.ok) throw new Error(reply.error.message)
  return reply.output
}

function on(name: unknown, listener: (payload: unknown) => void): () => void {
  if (!isOneOf(eventNames, name)) throw new Error('The desktop app does not know this event.')
  const forward = (_event: IpcRendererEvent, sent: unknown, payload: unknown): void => {
    if (sent === name) listener(payload)
  }
  ipcRenderer.on(ipcChannels.event, forward)
  return () => void ipcRenderer.off(ipcChannels.event, forward)
}

contextBridge.exposeInMainWorld('desktop', { request, on })
