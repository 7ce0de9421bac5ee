import type { Storage } from '../../storage/index.ts'
import type { ChannelWebhookTable } from '../../storage/tables/channels.ts'

/** A webhook with its current name and picture. */
export type WebhookRow = ChannelWebhookTable & {
  readonly name: string
  readonly picture: string | null
  readonly named_at: number
}

interface Identity {
  readonly name: string
  readonly picture: string | null
}

/** Number of pictures kept per webhook; messages with older ones show the built-in picture. */
const PICTURES_KEPT = 20

const COLUMNS = [
  'w.id',
  'w.channel_id',
  'w.user_id',
  'w.token_hash',
  'w.identity',
  'w.last_used_at',
  'w.created_at',
  'w.updated_at',
  'i.name',
  'i.picture',
  'i.created_at as named_at',
] as const

/** SQL on the tables `channel_webhook` and `channel_webhook_identity`. Each method is atomic. */
export class WebhookStore {
  readonly #storage: Storage
  readonly #dropOldPictures

  constructor(storage: Storage) {
    this.#storage = storage
    this.#dropOldPictures = storage.prepare<[string, string, number]>(
      'update channel_webhook_identity set picture = null where webhook_id = ? and picture is not null and seq <= ' +
        '(select seq from channel_webhook_identity where webhook_id = ? order by seq desc limit 1 offset ?)',
    )
  }

  async list(channelId: string): Promise<WebhookRow[]> {
    return this.#storage.all(
      this.#select().where('w.channel_id', '=', channelId).orderBy('w.created_at').orderBy('w.id'),
    )
  }

  async find(id: string): Promise<WebhookRow | null> {
    return (await this.#storage.get(this.#select().where('w.id', '=', id))) ?? null
  }

  async insert(
    row: Omit<ChannelWebhookTable, 'identity' | 'last_used_at'>,
    identity: Identity,
  ): Promise<void> {
    await this.#storage.transaction(async () => {
      const seq = await this.#addIdentity(row.id, row.channel_id, {
        ...identity,
        created_at: row.created_at,
      })
      await this.#storage.insert('channel_webhook', { ...row, identity: seq, last_used_at: null })
    })
  }

  /**
   * Posted messages keep the identity they had; an identity that was never used for a message is
   * changed in place.
   */
  async rename(
    { id, channel_id, identity, last_used_at, named_at }: WebhookRow,
    changes: Identity,
    now: number,
  ): Promise<void> {
    await this.#storage.transaction(async () => {
      const isUsed = last_used_at !== null && last_used_at >= named_at
      const seq = isUsed
        ? await this.#addIdentity(id, channel_id, { ...changes, created_at: now })
        : identity
      if (!isUsed)
        await this.#storage.update('channel_webhook_identity', { seq: identity }, changes)
      await this.#storage.update('channel_webhook', id, { identity: seq, updated_at: now })
      await this.#dropOldPictures.run(id, id, PICTURES_KEPT)
    })
  }

  async setToken(id: string, token_hash: string, now: number): Promise<void> {
    await this.#storage.update('channel_webhook', id, { token_hash, updated_at: now })
  }

  async touch(id: string, now: number): Promise<void> {
    await this.#storage.update('channel_webhook', id, { last_used_at: now })
  }

  async remove(id: string): Promise<void> {
    await this.#storage.remove('channel_webhook', id)
  }

  /** Returns a current or former picture of a webhook. */
  async picture(id: string, version: number | null): Promise<string | null> {
    const pictures = this.#storage.builder
      .selectFrom('channel_webhook_identity')
      .select('picture')
      .where('webhook_id', '=', id)
    const wanted = version === null ? pictures : pictures.where('seq', '=', version)
    return (await this.#storage.get(wanted.orderBy('seq', 'desc').limit(1)))?.picture ?? null
  }

  #select() {
    return this.#storage.builder
      .selectFrom('channel_webhook as w')
      .innerJoin('channel_webhook_identity as i', 'i.seq', 'w.identity')
      .innerJoin('channel as c', 'c.id', 'w.channel_id')
      .where('c.deleted_at', 'is', null)
      .select(COLUMNS)
  }

  async #addIdentity(
    webhook_id: string,
    channel_id: string,
    identity: Identity & { created_at: number },
  ): Promise<number> {
    return (await this.#storage.get(
      this.#storage.builder
        .insertInto('channel_webhook_identity')
        .values({ ...identity, webhook_id, channel_id })
        .returning('seq'),
    ))!.seq
  }
}
