import type { CommandId } from '#desktop'

/** Commands of the screens themselves, in no menu and no palette. */
type InnerCommandId = 'chat.startOver'
export type AnyCommandId = CommandId | InnerCommandId

/** What happens when a command of `#desktop` is chosen, wherever it was chosen. */
export type CommandHandler = () => void

const handlers = new Map<AnyCommandId, CommandHandler[]>()

/**
 * Gives a command its handler; the newest one wins until it is removed with the returned function.
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

/** Registers several at once; for an effect that returns its clean-up. */
export function registerCommands(
  rows: Readonly<Partial<Record<AnyCommandId, CommandHandler>>>,
): () => void {
  const ids = Object.keys(rows) as AnyCommandId[]
  const removers = ids.map((id) => registerCommand(id, rows[id]!))
  return () => {
    for (const remove of removers) remove()
  }
}

/** True when something on the screen answers to this command now. */
export const isCommandAvailable = (id: AnyCommandId): boolean => (handlers.get(id)?.length ?? 0) > 0

/** Runs a command; false when nothing on the screen answers to it. */
export function runCommand(id: AnyCommandId): boolean {
  const handler = handlers.get(id)?.at(-1)
  handler?.()
  return handler !== undefined
}
