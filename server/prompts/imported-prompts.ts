import { createHash } from 'node:crypto'
import type { Prompt } from '#contract/prompts.ts'
import type { PromptLibrary } from '../chats/index.ts'
import { ServiceError } from '../lib/errors.ts'
import type { Caller } from '../lib/http.ts'
import { newId } from '../lib/ids.ts'
import type { Prompts } from './prompts.ts'

/** Number of commands with a number at the end that are tried. */
const MOST_TRIES = 20

/** Imports run for their owner, with no more rights than any user has. */
const toCaller = (userId: string): Caller => ({
  userId,
  role: 'user',
  name: '',
  email: '',
  credential: 'bearer',
  keyId: null,
})

/** Returns a digest of everything a user can change about a prompt. */
function toStamp(prompt: Prompt): string {
  const { command, name, content, tags, data, meta, is_active, version_id } = prompt
  const { access_grants } = prompt
  const parts = [command, name, content, tags, data, meta, is_active, version_id, access_grants]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}

const isStatus = (error: unknown, status: number): boolean =>
  error instanceof ServiceError && error.status === status

/** Creates the access of imports to the prompt library. */
export function createPromptLibrary(prompts: Prompts): PromptLibrary {
  async function findFreeCommand(command: string): Promise<string> {
    for (let number = 1; number <= MOST_TRIES; number += 1) {
      const tried = number === 1 ? command : `${command}-${number}`
      if (!(await prompts.isTaken(tried))) return tried
    }
    return `${command}-${newId()}`
  }

  return {
    async stampOf(userId, id) {
      try {
        const prompt = await prompts.get(toCaller(userId), { id })
        return prompt.user_id === userId ? toStamp(prompt) : null
      } catch (error) {
        if (isStatus(error, 404)) return null
        throw error
      }
    },
    async create(userId, { command, name, content, tags }) {
      const caller = toCaller(userId)
      const free = await findFreeCommand(command)
      const input = { command: free, name, content, tags: [...tags], is_production: true }
      return (await prompts.create(caller, input)).id
    },
    async update(userId, id, { name, content, tags }) {
      const changes = { name, content, tags: [...tags], is_production: true }
      await prompts.update(toCaller(userId), { id }, changes)
    },
    remove: (userId, id) => prompts.remove(toCaller(userId), { id }),
  }
}
