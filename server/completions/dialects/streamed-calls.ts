import type { ChatCompletionChunk } from '#contract/completions.ts'

/** A piece of a call as a chunk brings it. */
export type CallPiece = NonNullable<
  ChatCompletionChunk['choices'][number]['delta']['tool_calls']
>[number]

/** A tool call while it is being written. */
export interface StreamedCall {
  readonly id: string
  readonly name: string
  /** Arguments so far, JSON text. */
  arguments: string
}

/**
 * What a piece adds: `isNew` begins a call, whose text then holds all that came before its name.
 */
export interface CallProgress {
  readonly call: StreamedCall
  readonly isNew: boolean
  readonly text: string
}

/** More than any model asks for at once; what a broken one sends beyond it is dropped. */
const MAX_CALLS = 1000

interface Slot {
  id: string | undefined
  held: string
  call: StreamedCall | null
}

/**
 * Puts the pieces of tool calls together: those of one call share an index, and its name comes
 * before its arguments are shown.
 */
export function createCallTracker(newCallId: () => string): {
  read(piece: CallPiece): CallProgress | null
} {
  const slots = new Map<number, Slot>()
  let total = 0

  /**
   * @NOTE Some upstreams send several whole calls under one index; another id with a name begins
   *   another call.
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
