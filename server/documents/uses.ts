import type { Chats } from '../chats/index.ts'
import type { FilesDependencies } from '../files/index.ts'
import {
  namesCollection,
  namesFile,
  type Knowledge,
  type KnowledgeUses,
} from '../knowledge/index.ts'
import type { Models } from '../models/index.ts'

interface Users {
  readonly chats: Pick<Chats, 'countMentions' | 'foldersBringing'>
  readonly knowledge: Pick<Knowledge, 'collectionsOf'>
  readonly models: Pick<Models, 'bringing'>
}

/** Reports which models, chats, folders and collections use a file or a collection. */
export class Uses {
  #users: Users | null = null

  /** Sets the domains that use documents and are built later; must be called once. */
  connect(users: Users): void {
    this.#users = users
  }

  readonly ofCollection: KnowledgeUses = async (caller, id) => {
    const { chats, models } = this.#connected()
    const names = (items: unknown): boolean => namesCollection(items, id)
    return {
      models: await models.bringing(caller, names),
      folders: await chats.foldersBringing(caller.userId, names),
    }
  }

  readonly ofFile: FilesDependencies['uses'] = async (caller, { id, user_id }) => {
    const { chats, knowledge, models } = this.#connected()
    const names = (items: unknown): boolean => namesFile(items, id)
    const { readable, others } = await knowledge.collectionsOf(caller, id)
    return {
      collections: readable,
      chats: await chats.countMentions(user_id, id),
      folders: await chats.foldersBringing(user_id, names),
      models: await models.bringing(caller, names),
      others,
    }
  }

  #connected(): Users {
    if (!this.#users) throw new Error('Nothing that uses documents is built yet.')
    return this.#users
  }
}
