/** What happens when a command of `#desktop` is chosen, wherever it was chosen. */
export type CommandHandler = () => void

const handlers = new Map<string, CommandHandler[]>()

/**
 * Gives a command its handler; the newest one wins until it is removed with the returned function.
 */
export function registerCommand(id: string, handler: CommandHandler): () => void {
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
export function registerCommands(rows: Readonly<Record<string, CommandHandler>>): () => void {
  const removers = Object.entries(rows).map(([id, handler]) => registerCommand(id, handler))
  return () => {
    for (const remove of removers) remove()
  }
}

/** True when something on the screen answers to this command now. */
export const isCommandAvailable = (id: string): boolean => (handlers.get(id)?.length ?? 0) > 0

/** Runs a command; false when nothing on the screen answers to it. */
export function runCommand(id: string): boolean {
  const handler = handlers.get(id)?.at(-1)
  handler?.()
  return handler !== undefined
}
