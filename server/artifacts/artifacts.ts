import { ARTIFACT_LIMITS, type ArtifactNetwork, type OpenedNetwork } from '#contract/artifacts.ts'
import type { Chats } from '../chats/index.ts'
import { conflict, forbidden, notFound } from '../lib/errors.ts'
import type { Caller } from '../lib/http.ts'
import { isOffline, type Settings } from '../settings/index.ts'
import type { Storage } from '../storage/index.ts'
import type { Secrets } from '../storage/secrets/secrets.ts'
import { NetworkTickets } from './network-tickets.ts'
import { ArtifactStore } from './store.ts'

interface ArtifactsDependencies {
  readonly storage: Storage
  readonly settings: Settings<'OFFLINE_MODE' | 'SEALED_MODE'>
  readonly secrets: Secrets
  readonly chats: Pick<Chats, 'ownerOf'>
}

interface Place {
  readonly chat_id: string
  readonly artifact_id: string
}

const NO_NETWORK: OpenedNetwork = { origins: [], ticket: null }

/** Manages which other hosts the artifacts of a chat may reach, as its owner allowed. */
export class Artifacts {
  readonly #storage: Storage
  readonly #settings: ArtifactsDependencies['settings']
  readonly #chats: ArtifactsDependencies['chats']
  readonly #store: ArtifactStore
  readonly #tickets: NetworkTickets

  constructor({ storage, settings, secrets, chats }: ArtifactsDependencies) {
    this.#storage = storage
    this.#settings = settings
    this.#chats = chats
    this.#store = new ArtifactStore(storage)
    this.#tickets = new NetworkTickets(secrets.derive('artifact-network'))
  }

  async list(caller: Caller, chatId: string): Promise<ArtifactNetwork[]> {
    await this.#requireChat(caller, chatId)
    const found = await this.#store.list(chatId)
    return found.map(({ artifact_id, origins }) => ({ artifact_id, origins: [...origins] }))
  }

  /**
   * Grants network access. Without a chat, it applies to the frames that are opened with the
   * ticket, and is not stored.
   */
  async allow(
    caller: Caller,
    { chat_id, artifact_id }: Omit<Place, 'chat_id'> & { readonly chat_id: string | null },
    wanted: readonly string[],
  ): Promise<OpenedNetwork> {
    if (isOffline(this.#settings))
      throw forbidden(
        'The gateway is in offline or sealed mode, so no artifact may reach other computers.',
        { code: 'offline' },
      )
    const origins = [...new Set(wanted)]
    if (chat_id !== null) await this.#keep(caller, { chat_id, artifact_id }, origins)
    return this.#open(origins)
  }

  async open(caller: Caller, { chat_id, artifact_id }: Place): Promise<OpenedNetwork> {
    await this.#requireChat(caller, chat_id)
    return this.#open(await this.#store.originsOf(chat_id, artifact_id))
  }

  async revoke(caller: Caller, { chat_id, artifact_id }: Place): Promise<boolean> {
    await this.#requireChat(caller, chat_id)
    return this.#store.remove(chat_id, artifact_id)
  }

  /** Returns the origins that the policy names for a frame opened with this ticket. */
  originsOf(ticket: string): readonly string[] {
    return isOffline(this.#settings) ? [] : this.#tickets.read(ticket)
  }

  async #keep(caller: Caller, place: Place, origins: readonly string[]): Promise<void> {
    await this.#storage.transaction(async () => {
      await this.#requireChat(caller, place.chat_id)
      const others = await this.#store.list(place.chat_id)
      const isNew = others.every(({ artifact_id }) => artifact_id !== place.artifact_id)
      if (isNew && others.length >= ARTIFACT_LIMITS.ofChat)
        throw conflict(
          `${ARTIFACT_LIMITS.ofChat} artifacts of this chat may reach other computers, which is a fixed limit. Take the network away from one first.`,
        )
      await this.#store.put(place.chat_id, place.artifact_id, origins)
    })
  }

  #open(origins: readonly string[]): OpenedNetwork {
    if (origins.length === 0) return NO_NETWORK
    if (isOffline(this.#settings)) return { origins: [...origins], ticket: null }
    return { origins: [...origins], ticket: this.#tickets.issue(origins) }
  }

  async #requireChat({ userId }: Caller, chatId: string): Promise<void> {
    if ((await this.#chats.ownerOf(chatId)) !== userId) throw notFound('There is no such chat.')
  }
}
