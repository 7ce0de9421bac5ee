import { nowSeconds } from '../lib/ids.ts'
import type { Storage } from '../storage/index.ts'

interface NetworkRow {
  readonly artifact_id: string
  readonly origins: readonly string[]
}

/** SQL on the table `artifact_network`. */
export class ArtifactStore {
  readonly #storage: Storage

  constructor(storage: Storage) {
    this.#storage = storage
  }

  async list(chatId: string): Promise<NetworkRow[]> {
    const rows = await this.#storage.all(
      this.#storage.builder
        .selectFrom('artifact_network')
        .select(['artifact_id', 'origins'])
        .where('chat_id', '=', chatId)
        .orderBy('artifact_id'),
    )
    return rows.map(({ artifact_id, origins }) => ({
      artifact_id,
      origins: JSON.parse(origins) as string[],
    }))
  }

  async originsOf(chatId: string, artifactId: string): Promise<readonly string[]> {
    const row = await this.#storage.get(
      this.#storage.builder
        .selectFrom('artifact_network')
        .select('origins')
        .where('chat_id', '=', chatId)
        .where('artifact_id', '=', artifactId),
    )
    return row ? (JSON.parse(row.origins) as string[]) : []
  }

  async put(chatId: string, artifactId: string, origins: readonly string[]): Promise<void> {
    const changes = { origins: JSON.stringify(origins), updated_at: nowSeconds() }
    await this.#storage.run(
      this.#storage.builder
        .insertInto('artifact_network')
        .values({ chat_id: chatId, artifact_id: artifactId, ...changes })
        .onConflict((conflict) =>
          conflict.columns(['chat_id', 'artifact_id']).doUpdateSet(changes),
        ),
    )
  }

  /** Resolves with false if there was none. */
  async remove(chatId: string, artifactId: string): Promise<boolean> {
    const removed = await this.#storage.remove('artifact_network', {
      chat_id: chatId,
      artifact_id: artifactId,
    })
    return removed > 0
  }
}
