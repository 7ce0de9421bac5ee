import type { Storage } from '../../storage/index.ts'
import type { Secrets } from '../../storage/secrets/secrets.ts'
import type { EventWebhookTable } from '../../storage/tables/webhooks.ts'

/** A stored receiver of events; only `secret` reads its secret. */
export interface HookRecord extends Omit<EventWebhookTable, 'events' | 'secret' | 'enabled'> {
  readonly enabled: boolean
  readonly events: readonly string[]
  readonly hasSecret: boolean
}

/** The fields that can be changed. An empty secret removes it. */
type HookChanges = Partial<
  Pick<HookRecord, 'name' | 'url' | 'enabled' | 'events' | 'updated_at'>
> & { readonly secret?: string }

const placeOf = (id: string): string => `event_webhook|${id}|secret`

const toRecord = ({ enabled, events, secret, ...row }: EventWebhookTable): HookRecord => ({
  ...row,
  enabled: enabled === 1,
  events: JSON.parse(events) as string[],
  hasSecret: secret !== null,
})

/** SQL on `event_webhook` of `0035-event-webhooks`. */
export class EventStore {
  readonly #storage: Storage
  readonly #secrets: Secrets

  constructor(storage: Storage, secrets: Secrets) {
    this.#storage = storage
    this.#secrets = secrets
  }

  /** Oldest first. */
  async list(): Promise<HookRecord[]> {
    return (
      await this.#storage.all(
        this.#storage.builder
          .selectFrom('event_webhook')
          .selectAll()
          .orderBy('created_at')
          .orderBy('id'),
      )
    ).map(toRecord)
  }

  async get(id: string): Promise<HookRecord | null> {
    const row = await this.#storage.get(this.#ofId(id).selectAll())
    return row ? toRecord(row) : null
  }

  async insert(
    id: string,
    createdAt: number,
    given: HookChanges & Pick<HookRecord, 'name' | 'url' | 'enabled' | 'events'>,
  ): Promise<void> {
    const columns = {
      ...this.#toColumns(id, given),
      name: given.name,
      url: given.url,
      enabled: given.enabled ? 1 : 0,
    } as const
    const row = {
      ...columns,
      events: JSON.stringify(given.events),
      created_at: createdAt,
      updated_at: createdAt,
    }
    await this.#storage.insert('event_webhook', { id, secret: null, ...row })
  }

  async update(id: string, changes: HookChanges): Promise<void> {
    await this.#storage.update('event_webhook', id, this.#toColumns(id, changes))
  }

  /** Resolves with true if there was one. Its deliveries are deleted with it. */
  async remove(id: string): Promise<boolean> {
    return (await this.#storage.remove('event_webhook', id)) > 0
  }

  async secret(id: string): Promise<string> {
    const row = await this.#storage.get(this.#ofId(id).select('secret'))
    return row?.secret ? (this.#secrets.decrypt(placeOf(id), row.secret) ?? '') : ''
  }

  #ofId(id: string) {
    return this.#storage.builder.selectFrom('event_webhook').where('id', '=', id)
  }

  #toColumns(
    id: string,
    { enabled, events, secret, ...changes }: HookChanges,
  ): Partial<EventWebhookTable> {
    return {
      ...changes,
      ...(enabled !== undefined && { enabled: enabled ? 1 : 0 }),
      ...(events !== undefined && { events: JSON.stringify(events) }),
      ...(secret !== undefined && {
        secret: secret === '' ? null : this.#secrets.encrypt(placeOf(id), secret),
      }),
    }
  }
}
