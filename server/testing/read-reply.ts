import type { TestServer } from './start-server.ts'

/** A response with its body parsed, in any form. Text that is not JSON stays text. */
export interface Reply {
  readonly status: number
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into replies of any shape
  readonly body: any
}

export async function readReply(reply: Response): Promise<Reply> {
  const text = await reply.text()
  const isJson = reply.headers.get('content-type')?.includes('json') ?? false
  return {
    status: reply.status,
    body: isJson && text !== '' ? (JSON.parse(text) as unknown) : text,
  }
}

/** Calls a gateway with a token and returns the parsed response. */
export const callJson = async (
  server: Pick<TestServer, 'call'>,
  token: string,
  [method, path, body]: readonly [string, string, unknown?],
) => readReply(await server.call(method, path, { token, body }))
