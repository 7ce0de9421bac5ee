import { BrowserWindow, type IpcMainInvokeEvent } from 'electron'
import { isOwnAddress } from '../security/security.ts'

/**
 * Returns the window of an IPC event if its top frame shows the gateway's own origin; null for
 * subframes, views and foreign pages.
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
