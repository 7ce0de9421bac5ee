import type { APIRequestContext } from '@playwright/test'

/**
 * Sends a JSON body as the signed-in user; throws with the gateway's error message if it is
 * refused.
 */
export async function send<Answer = { id: string }>(
  api: APIRequestContext,
  url: string,
  data: unknown = {},
): Promise<Answer> {
  const response = await api.post(url, { data })
  if (!response.ok())
    throw new Error(`${url} answered ${response.status()}: ${await response.text()}`)
  return (await response.json()) as Answer
}

/** Stores a chat, in a folder or with one question and its answer. */
export async function createChat(
  api: APIRequestContext,
  url: string,
  title: string,
  more: { folderId?: string; question?: string; answer?: string } = {},
): Promise<string> {
  const { folderId, question, answer } = more
  const messages = {
    q: {
      id: 'q',
      role: 'user',
      content: question,
      parentId: null,
      childrenIds: ['a'],
      timestamp: 1_780_000_000,
    },
    a: {
      id: 'a',
      role: 'assistant',
      content: answer,
      parentId: 'q',
      childrenIds: [],
      timestamp: 1_780_000_010,
      model: 'text',
      done: true,
    },
  }
  const chat = { title, ...(question !== undefined && { history: { currentId: 'a', messages } }) }
  const { id } = await send(api, `${url}/api/v1/chats/new`, { chat, folder_id: folderId ?? null })
  return id
}
