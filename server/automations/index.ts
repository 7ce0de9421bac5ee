import type { Route } from '../lib/http.ts'
import { findTimes, type AutomationTime } from './find-times.ts'
import { Scheduler } from './scheduler.ts'
import { StoredAutomations } from './stored-automations.ts'
import type { AutomationsDependencies } from './parts.ts'
import { IncomingCalls } from './incoming-calls.ts'
import { createAutomationRoutes } from './routes.ts'
import { AutomationRuns } from './automation-runs.ts'
import { AutomationStore, RunStore } from './store.ts'

export type { AutomationTime } from './find-times.ts'

/** Prompts that run automatically: on a schedule, or when a client calls their URL. */
export class Automations {
  readonly routes: readonly Route[]
  readonly #stores: { readonly automations: AutomationStore; readonly runs: RunStore }
  readonly #runner: AutomationRuns
  readonly #schedule: Scheduler

  constructor(dependencies: AutomationsDependencies) {
    const { storage } = dependencies
    const automations = new AutomationStore(storage)
    const runs = new RunStore(storage)
    this.#stores = { automations, runs }
    this.#runner = new AutomationRuns({ ...dependencies, automations, runs })
    this.#schedule = new Scheduler({ ...dependencies, automations, runner: this.#runner })
    const parts = {
      ...dependencies,
      automations,
      runs,
      runner: this.#runner,
      schedule: this.#schedule,
    }
    this.routes = createAutomationRoutes(new StoredAutomations(parts), new IncomingCalls(parts))
  }

  /** Returns past and planned run times of a user's automations between two moments. */
  timesOf(
    userId: string,
    range: { readonly from: number; readonly to: number; readonly limit: number },
  ): Promise<AutomationTime[]> {
    return findTimes(this.#stores, userId, range)
  }

  /**
   * Reports the runs that the previous process left unfinished, and starts checking for due runs.
   */
  async start(): Promise<void> {
    await this.#runner.endUnfinished()
    await this.#schedule.look()
  }

  /** Starts no more runs and ends the running ones. */
  async close(): Promise<void> {
    await this.#schedule.close()
    await this.#runner.close()
  }
}
