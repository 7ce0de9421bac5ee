import type { OutgoingConnection, Outcome } from '#contract/outgoing-connections.ts'
import { newId } from '../lib/ids.ts'
import { inOwnContext } from '../lib/timing/in-own-context.ts'
import type { Purpose } from '../lib/outgoing/purpose.ts'
import type { ConnectionNotes, OpenConnection, Target, Traffic } from '../lib/outgoing/way-out.ts'

/** Time that entries wait in order to be written together. */
const WRITE_MILLISECONDS = 2000
/** With more entries than this, they are written at once. */
const MOST_WAITING = 500
const LONGEST_NAME = 200

export interface LedgerOptions {
  readonly write: (entries: readonly OutgoingConnection[]) => Promise<void>
  /** Called when entries could not be written; they are retried. */
  readonly onFault: (error: unknown) => void
}

/** Errors of the same moment that share an entry, because a retry loop would fill the list. */
const sameAs = (entry: OutgoingConnection): string =>
  [entry.host, entry.port, entry.purpose, entry.name, entry.outcome, entry.fault].join('\n')

/** An open entry and the connection that supplies its figures. */
interface OpenEntry {
  readonly entry: OutgoingConnection
  connection: OpenConnection | null
  readonly target: Target
  /** If true, its end is written to the same row, whatever the outcome. */
  isWritten: boolean
}

const NOTHING: Traffic = { sent: 0, received: 0 }

/**
 * Collects outgoing connections in memory and writes them in batches some seconds later: a
 * connection costs two map entries, a call on it nothing.
 */
export class Ledger {
  readonly #options: LedgerOptions
  readonly #open = new Map<string, OpenEntry>()
  #waiting = new Map<string, OutgoingConnection>()
  #faults = new Map<string, OutgoingConnection>()
  #timer: NodeJS.Timeout | null = null
  #writing: Promise<void> = Promise.resolve()

  constructor(options: LedgerOptions) {
    this.#options = options
  }

  /** Records an attempt that failed before dialling. */
  refused(target: Target, purpose: Purpose, fault: string): void {
    this.#addFault(toEntry(target, purpose, { outcome: 'refused', fault }))
  }

  begun(target: Target, purpose: Purpose): ConnectionNotes {
    const opened: OpenEntry = {
      entry: toEntry(target, purpose, { outcome: 'open', fault: null }),
      connection: null,
      target,
      isWritten: false,
    }
    const { id } = opened.entry
    this.#open.set(id, opened)
    return {
      // Of several IP addresses of a name, the last one is the one that answered.
      dialled: (address) => this.#change({ ...this.#current(id, opened), address }, opened),
      opened: (connection) => void (opened.connection = connection),
      ended: (traffic, fault) => {
        const current = this.#current(id, opened)
        this.#open.delete(id)
        this.#waiting.delete(id)
        const ended = { ...current, ...toBytes(traffic), ended_at: Date.now(), fault }
        const hasWorked = fault === null || traffic.received > 0
        if (hasWorked) this.#add({ ...ended, outcome: 'ended' })
        else if (opened.isWritten) this.#add({ ...ended, outcome: 'failed' })
        else this.#addFault({ ...ended, outcome: 'failed' })
      },
    }
  }

  /** Closes open connections that are no longer allowed. */
  endThose(
    isMeant: (target: Target, purpose: Pick<Purpose, 'kind'>) => boolean,
    toError: (host: string) => Error,
  ): void {
    for (const { target, entry, connection } of this.#open.values())
      if (isMeant(target, { kind: entry.purpose })) connection?.end(toError(target.host))
  }

  /** Writes all entries, with the amounts that open connections have carried so far. */
  async flush(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    this.#writing = this.#writing.then(() => this.#write())
    await this.#writing
  }

  #current(id: string, { entry }: OpenEntry): OutgoingConnection {
    return this.#waiting.get(id) ?? this.#open.get(id)?.entry ?? entry
  }

  #change(entry: OutgoingConnection, opened: OpenEntry): void {
    this.#open.set(entry.id, Object.assign(opened, { entry }))
    this.#add(entry)
  }

  #add(entry: OutgoingConnection): void {
    this.#waiting.set(entry.id, entry)
    this.#schedule()
  }

  #addFault(entry: OutgoingConnection): void {
    const key = sameAs(entry)
    const before = this.#faults.get(key)
    this.#faults.set(key, before ? { ...before, times: before.times + 1 } : entry)
    this.#schedule()
  }

  #schedule(): void {
    if (this.#waiting.size + this.#faults.size >= MOST_WAITING) void this.flush()
    else
      this.#timer ??= setTimeout(
        () => void inOwnContext(() => this.flush()),
        WRITE_MILLISECONDS,
      ).unref()
  }

  async #write(): Promise<void> {
    for (const opened of this.#open.values()) {
      const { entry, connection } = opened
      opened.isWritten = true
      this.#waiting.set(entry.id, { ...entry, ...toBytes(connection?.read() ?? NOTHING) })
    }
    const [waiting, faults] = [this.#waiting, this.#faults]
    const entries = [...waiting.values(), ...faults.values()]
    if (entries.length === 0) return
    this.#waiting = new Map()
    this.#faults = new Map()
    try {
      await this.#options.write(entries)
    } catch (error) {
      this.#takeBack(waiting, faults)
      this.#options.onFault(error)
    }
  }

  /** Entries added meanwhile are newer. The number kept is limited in case the disk is full. */
  #takeBack(
    waiting: ReadonlyMap<string, OutgoingConnection>,
    faults: ReadonlyMap<string, OutgoingConnection>,
  ): void {
    this.#waiting = new Map([...[...waiting].slice(-MOST_WAITING), ...this.#waiting])
    this.#faults = new Map([...[...faults].slice(-MOST_WAITING), ...this.#faults])
  }
}

const toBytes = ({ sent, received }: Traffic) => ({ bytes_sent: sent, bytes_received: received })

type ListedTarget = Pick<Target, 'host' | 'port'> & { readonly via?: string | null }

function toEntry(
  { host, port, via = null }: ListedTarget,
  { kind, name = null }: Purpose,
  { outcome, fault }: { readonly outcome: Outcome; readonly fault: string | null },
): OutgoingConnection {
  const now = Date.now()
  return {
    id: newId(),
    began_at: now,
    ended_at: outcome === 'refused' ? now : null,
    host,
    port,
    address: null,
    via,
    purpose: kind,
    name: name?.slice(0, LONGEST_NAME) ?? null,
    bytes_sent: 0,
    bytes_received: 0,
    times: 1,
    outcome,
    fault,
  }
}
