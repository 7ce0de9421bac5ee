import { nextTurn } from '../../lib/turns.ts'
import { RestingThread } from '../resting-thread.ts'
import type {
  ReadCommand,
  Reading,
  ReadingReport,
  ReadThread as ReadThreadData,
} from './messages.ts'

const REST_MILLISECONDS = 60_000

type Rows = Extract<ReadingReport, { type: 'rows' }>

/** Reads off the event loop, on a dedicated connection. */
export class ReadThread {
  readonly #waiting = new Map<number, PromiseWithResolvers<Rows>>()
  readonly #thread
  #lastId = 0

  constructor(database: string) {
    this.#thread = new RestingThread<ReadCommand, ReadingReport>({
      name: 'read-worker',
      folder: import.meta.dirname,
      workerData: { database } satisfies ReadThreadData,
      restMilliseconds: REST_MILLISECONDS,
      onReport: (report) => this.#take(report),
      onLost: (reason) => {
        for (const { reject } of this.#waiting.values()) reject(reason)
        this.#waiting.clear()
      },
    })
  }

  /**
   * Returns all rows of a statement, as of one moment; other requests are served between its pages.
   */
  async all(reading: Reading): Promise<unknown[]> {
    const id = (this.#lastId += 1)
    const rows: unknown[] = []
    let page = await this.#ask({ type: 'read', id, reading })
    for (;;) {
      rows.push(...page.rows)
      if (page.isLast) return rows
      await nextTurn()
      page = await this.#ask({ type: 'go-on', id })
    }
  }

  close(): Promise<void> {
    return this.#thread.close()
  }

  #ask(command: Exclude<ReadCommand, { type: 'close' }>): Promise<Rows> {
    const asked = Promise.withResolvers<Rows>()
    this.#waiting.set(command.id, asked)
    this.#thread.post(command)
    return asked.promise
  }

  #take(report: ReadingReport): void {
    const asked = this.#waiting.get(report.id)
    this.#waiting.delete(report.id)
    if (report.type === 'failed') asked?.reject(new Error(report.reason))
    else asked?.resolve(report)
    if (this.#waiting.size === 0) this.#thread.rest()
  }
}
