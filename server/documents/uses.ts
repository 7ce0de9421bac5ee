import type { Chats } from '../chats/index.ts'
import type { FilesDependencies } from '../files/index.ts'
import {
  namesCollection,
  namesFile,
  type Knowledge,
  type KnowledgeUses,
} from '../knowledge/index.ts'
import type { Models } from '../models/index.ts'

interface Consumers {
  readonly chats: Pick<Chats, 'countMentions' | 'foldersWithAttachment'>
  readonly knowledge: Pick<Knowledge, 'collectionsOf'>
  readonly models: Pick<Models, 'withAttachment'>
}

/** Reports which models, chats, folders and collections use a file or a collection. */
export class Uses {
  #consumers: Consumers | null = null

  /** Sets the domains that use documents and are built later; must be called once. */
  connect(consumers: Consumers): void {
    this.#consumers = consumers
  }

  readonly ofCollection: KnowledgeUses = async (caller, id) => {
    const { chats, models } = this.#connected()
    const isNamed = (items: unknown): boolean => namesCollection(items, id)
    return {
      models: await models.withAttachment(caller, isNamed),
      folders: await chats.foldersWithAttachment(caller.userId, isNamed),
    }
  }

  readonly ofFile: FilesDependencies['uses'] = async (caller, { id, user_id }) => {
    const { chats, knowledge, models } = this.#connected()
    const isNamed = (items: unknown): boolean => namesFile(items, id)
    const { readable, others } = await knowledge.collectionsOf(caller, id)
    return {
      collections: readable,
      chats: await chats.countMentions(user_id, id),
      folders: await chats.foldersWithAttachment(user_id, isNamed),
      models: await models.withAttachment(caller, isNamed),
      others,
    }
  }

  #connected(): Consumers {
    if (!this.#consumers) throw new Error('Nothing that uses documents is built yet.')
    return this.#consumers
  }
}
