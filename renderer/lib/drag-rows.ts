import type { DragEvent } from 'react'

/** Content of a drag within this window: chats, or one folder. */
export interface Dragged {
  readonly chats?: readonly string[]
  readonly folder?: string
}

/** Separate type, so that content of another page is never accepted. */
const TYPE = 'application/x-chat-gateway-rows'

/** Starts a drag; other programs receive the text. */
export function startDrag(event: DragEvent, dragged: Dragged, text: string): void {
  event.dataTransfer.setData(TYPE, JSON.stringify(dragged))
  event.dataTransfer.setData('text/plain', text)
  event.dataTransfer.effectAllowed = 'copyMove'
}

/**
 * True if content of this window is dragged over the target; the content itself can only be read on
 * drop.
 */
export const isDragged = (event: DragEvent): boolean => event.dataTransfer.types.includes(TYPE)

const isText = (value: unknown): value is string => typeof value === 'string'

/** Returns the dropped content; null if it did not come from this app. */
export function readDrag(event: DragEvent): Dragged | null {
  try {
    const { chats, folder } = JSON.parse(event.dataTransfer.getData(TYPE)) as {
      chats?: unknown
      folder?: unknown
    }
    if (isText(folder)) return { folder }
    return Array.isArray(chats) && chats.every(isText) ? { chats } : null
  } catch {
    return null
  }
}
