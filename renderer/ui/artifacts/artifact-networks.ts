import type { ArtifactNetworks } from './use-network.ts'
import { toSentence } from '../../api/api-error.ts'
import { call, endpoints } from '../../api/client.ts'

/** Replaces an error by one with a readable message. */
async function inWords<Result>(running: Promise<Result>): Promise<Result> {
  try {
    return await running
  } catch (thrown) {
    throw new Error(toSentence(thrown), { cause: thrown })
  }
}

const { artifacts } = endpoints

/**
 * Returns the network access of the artifacts of a stored chat, which the gateway stores with the
 * chat.
 */
export const chatNetworks = (chatId: string): ArtifactNetworks => {
  const placeOf = (artifactId: string) => ({ chat_id: chatId, artifact_id: artifactId })
  return {
    async list() {
      const found = await inWords(call(artifacts.list, { query: { chat_id: chatId } }))
      return new Map(found.map(({ artifact_id, origins }) => [artifact_id, origins]))
    },
    async allow(artifactId, origins) {
      const body = { ...placeOf(artifactId), origins: [...origins] }
      await inWords(call(artifacts.allow, { body }))
    },
    async revoke(artifactId) {
      await inWords(call(artifacts.revoke, { body: placeOf(artifactId) }))
    },
    async openTicket(artifactId) {
      return (await inWords(call(artifacts.open, { body: placeOf(artifactId) }))).ticket
    },
  }
}

/**
 * Returns the network access of artifacts in a conversation that is not stored, or not the user's
 * own: it lasts only while they are viewed.
 */
export function passingNetworks(): ArtifactNetworks {
  const allowed = new Map<string, readonly string[]>()
  const ask = async (artifactId: string, origins: readonly string[]) => {
    const body = { chat_id: null, artifact_id: artifactId, origins: [...origins] }
    return inWords(call(artifacts.allow, { body }))
  }
  return {
    list: async () => new Map(allowed),
    async allow(artifactId, origins) {
      await ask(artifactId, origins)
      allowed.set(artifactId, origins)
    },
    async revoke(artifactId) {
      allowed.delete(artifactId)
    },
    async openTicket(artifactId) {
      const origins = allowed.get(artifactId)
      return origins ? (await ask(artifactId, origins)).ticket : null
    },
  }
}
