import type { CommandId } from '#desktop'

/** Commands internal to a screen, not in any menu or the palette. */
type InnerCommandId = 'chat.startOver'
export type AnyCommandId = CommandId | InnerCommandId

/** Callback of a command of `#desktop`, regardless of how it was invoked. */
export type CommandHandler = () => void

const handlers = new Map<AnyCommandId, CommandHandler[]>()

/**
 * Registers a handler for a command; the newest one applies until it is removed with the returned
 * function.
 */
export function registerCommand(id: AnyCommandId, handler: CommandHandler): () => void {
  const stack = handlers.get(id) ?? []
  handlers.set(id, [...stack, handler])
  return () => {
    handlers.set(
      id,
      (handlers.get(id) ?? []).filter((each) => each !== handler),
    )
  }
}

/** Registers several commands; for an effect that returns its clean-up. */
export function registerCommands(
  rows: Readonly<Partial<Record<AnyCommandId, CommandHandler>>>,
): () => void {
  const ids = Object.keys(rows) as AnyCommandId[]
  const removers = ids.map((id) => registerCommand(id, rows[id]!))
  return () => {
    for (const remove of removers) remove()
  }
}

/** True if a handler for this command is currently registered. */
export const isCommandAvailable = (id: AnyCommandId): boolean => (handlers.get(id)?.length ?? 0) > 0

/** Runs a command; returns false if no handler is registered. */
export function runCommand(id: AnyCommandId): boolean {
  const handler = handlers.get(id)?.at(-1)
  handler?.()
  return handler !== undefined
}
