/** Runs under way, so that those of a user who may not run code any more can be ended. */
export class RunsOfUsers {
  readonly #running = new Map<AbortController, string>()

  /** Passes on a signal that also aborts when the runs of the user are ended. */
  async within<Result>(
    { userId, signal }: { readonly userId: string; readonly signal: AbortSignal },
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const controller = new AbortController()
    this.#running.set(controller, userId)
    try {
      return await work(AbortSignal.any([signal, controller.signal]))
    } finally {
      this.#running.delete(controller)
    }
  }

  end(userId: string): void {
    for (const [controller, owner] of this.#running) if (owner === userId) controller.abort()
  }
}
