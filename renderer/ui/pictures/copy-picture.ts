import { callHeaders } from '../../api/session-key.ts'
import { copyItems } from '../../lib/clipboard.ts'

/** Clipboards accept pictures only as PNG. */
async function toPng(blob: Blob): Promise<Blob> {
  if (blob.type === 'image/png') return blob
  const bitmap = await createImageBitmap(blob)
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
  canvas.getContext('2d')!.drawImage(bitmap, 0, 0)
  bitmap.close()
  return canvas.convertToBlob({ type: 'image/png' })
}

async function fetchPicture(address: string): Promise<Blob> {
  const headers = address.startsWith('data:') ? {} : callHeaders()
  const response = await fetch(address, { headers, credentials: 'same-origin' })
  if (!response.ok) throw new Error(`The picture could not be read (${response.status}).`)
  return toPng(await response.blob())
}

/**
 * Copies a picture to the clipboard. The bytes are passed as a promise, since some browsers only
 * allow writing during the click event.
 */
export const copyPicture = (address: string): Promise<void> =>
  copyItems(() => [new ClipboardItem({ 'image/png': fetchPicture(address) })])
