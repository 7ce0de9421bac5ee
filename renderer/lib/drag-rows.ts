import type { DragEvent } from 'react'

/** What is on its way inside this window: chats, or one folder. */
export interface Dragged {
  readonly chats?: readonly string[]
  readonly folder?: string
}

/** Its own type, so that nothing from another page is ever taken for it. */
const TYPE = 'application/x-chat-gateway-rows'

/** Begins to drag; the text is what other programs get. */
export function startDrag(event: DragEvent, dragged: Dragged, text: string): void {
  event.dataTransfer.setData(TYPE, JSON.stringify(dragged))
  event.dataTransfer.setData('text/plain', text)
  event.dataTransfer.effectAllowed = 'copyMove'
}

/**
 * Whether something of this window is over a place; what it is can only be read when it is dropped.
 */
export const isDragged = (event: DragEvent): boolean => event.dataTransfer.types.includes(TYPE)

const isText = (value: unknown): value is string => typeof value === 'string'

/** What was dropped; null when another program made it up. */
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
