import { BrowserWindow, type IpcMainInvokeEvent } from 'electron'
import { isOwnAddress } from '../security.ts'

/**
 * The window behind an IPC event, if its top frame shows the gateway's own origin; null for frames,
 * views and strangers.
 */
export function findTrustedWindow(
  event: IpcMainInvokeEvent,
  gatewayOrigin: string | null,
): BrowserWindow | null {
  const frame = event.senderFrame
  if (!frame || frame !== event.sender.mainFrame || !isOwnAddress(frame.url, gatewayOrigin))
    return null
  return BrowserWindow.fromWebContents(event.sender)
}
