import { nowSeconds } from '../lib/ids.ts'
import type { Storage } from '../storage/index.ts'
import type { Secrets } from '../storage/secrets/secrets.ts'
import { PendingFlowStore } from './store.ts'

interface FlowsDependencies {
  readonly storage: Storage
  readonly secrets: Secrets
}

interface FlowKind {
  readonly kind: string
  /** Time after the last change for which a flow is kept. */
  readonly seconds: number
  /** Maximum number of flows of one user; the oldest are dropped. */
  readonly mostPerUser: number
}

/** A flow, and the user who began it. */
interface PendingFlow<Value> {
  readonly userId: string
  readonly value: Value
}

/**
 * Procedures of users that span several calls, such as a sign-in at another server. They are kept
 * in the database, because each call may arrive at another gateway, also after a restart.
 */
export class PendingFlows<Value> {
  readonly #store: PendingFlowStore
  readonly #secrets: FlowsDependencies['secrets']
  readonly #kind: FlowKind

  constructor({ storage, secrets }: FlowsDependencies, kind: FlowKind) {
    this.#store = new PendingFlowStore(storage)
    this.#secrets = secrets
    this.#kind = kind
  }

  async save(id: string, { userId, value }: PendingFlow<Value>): Promise<void> {
    const { kind, seconds, mostPerUser } = this.#kind
    await this.#store.removeExpired()
    await this.#store.save({
      kind,
      id,
      user_id: userId,
      content: this.#secrets.encrypt(this.#placeOf(id), JSON.stringify(value)),
      expires_at: nowSeconds() + seconds,
    })
    await this.#store.removeOldest(kind, userId, mostPerUser)
  }

  async find(id: string): Promise<PendingFlow<Value> | null> {
    const row = await this.#store.find(this.#kind.kind, id)
    const text = row ? this.#secrets.decrypt(this.#placeOf(id), row.content) : null
    return text === null ? null : { userId: row!.user_id, value: JSON.parse(text) as Value }
  }

  /** Ends a flow; of several simultaneous calls only one returns true. */
  remove(id: string): Promise<boolean> {
    return this.#store.remove(this.#kind.kind, id)
  }

  #placeOf(id: string): string {
    return `pending_flow|${JSON.stringify([this.#kind.kind, id])}|content`
  }
}
