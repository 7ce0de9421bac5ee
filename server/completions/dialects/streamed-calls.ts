import type { ChatCompletionChunk } from '#contract/completions.ts'

/** Piece of a tool call as it appears in a chunk. */
export type CallPiece = NonNullable<
  ChatCompletionChunk['choices'][number]['delta']['tool_calls']
>[number]

/** Tool call while it is being written. */
export interface StreamedCall {
  readonly id: string
  readonly name: string
  /** Arguments so far, as JSON text. */
  arguments: string
}

/**
 * Progress made by a piece: `isNew` starts a call, whose text then holds everything received before
 * its name.
 */
export interface CallProgress {
  readonly call: StreamedCall
  readonly isNew: boolean
  readonly text: string
}

/** Higher than any model requests at once; further calls of a faulty model are dropped. */
const MAX_CALLS = 1000

interface Slot {
  id: string | undefined
  held: string
  call: StreamedCall | null
}

/**
 * Assembles the pieces of tool calls: those of one call share an index, and its arguments are shown
 * only once its name is known.
 */
export function createCallTracker(newCallId: () => string): {
  read(piece: CallPiece): CallProgress | null
} {
  const slots = new Map<number, Slot>()
  let total = 0

  /**
   * @NOTE Some upstreams send several whole calls under one index; a different id together with a
   *   name starts another call.
   */
  function slotOf({ index = 0, id, function: target }: CallPiece): Slot | null {
    const known = slots.get(index)
    if (known && !(id && target?.name && known.call && known.id !== id)) return known
    if (total === MAX_CALLS) return null
    total += 1
    const slot: Slot = { id, held: '', call: null }
    slots.set(index, slot)
    return slot
  }

  return {
    read(piece) {
      const slot = slotOf(piece)
      if (!slot) return null
      const text = piece.function?.arguments ?? ''
      slot.id ??= piece.id
      if (slot.call) {
        slot.call.arguments += text
        return { call: slot.call, isNew: false, text }
      }
      slot.held += text
      const name = piece.function?.name
      if (!name) return null
      slot.call = { id: slot.id || newCallId(), name, arguments: slot.held }
      return { call: slot.call, isNew: true, text: slot.held }
    },
  }
}
