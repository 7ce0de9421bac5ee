import type { Chat } from '#contract/chats.ts'
import type { Import, ImportResult } from '#contract/imports.ts'
import { useOwnerAndOther } from './use-owner-and-other.ts'

/** Starts a gateway with an owner who imports archives of chats. */
export function useImports() {
  const people = useOwnerAndOther()
  const { server, owner, call } = people
  return {
    ...people,
    upload: async (
      bytes: Uint8Array | string,
      { token = owner(), type = 'application/zip' } = {},
    ) => {
      const response = await fetch(`${server().url}/api/v1/chats/imports`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': type },
        body: Buffer.from(bytes as Uint8Array),
      })
      const body = (await response.json()) as Import & { detail: string }
      return { status: response.status, body }
    },
    run: async (id: string, body: object = { all: true }, token = owner()) =>
      (await call<ImportResult>('POST', `/chats/imports/${id}/run`, body, token)).body,
    allChats: async (token = owner()): Promise<Chat[]> =>
      (await call<Chat[]>('GET', '/chats/all', undefined, token)).body,
  }
}
