import { eachInSteps, runInTurns } from '../turns.ts'

function* copyMessages<Message>(messages: readonly Message[]): Generator<void, Message[]> {
  const copies: Message[] = []
  yield* eachInSteps(messages, (message) => copies.push(structuredClone(message)))
  return copies
}

/**
 * Returns a deep copy of a conversation, which may be long: yields to other work while its messages
 * are copied.
 */
export async function copyInTurns<Body extends { readonly messages: readonly unknown[] }>(
  body: Body,
): Promise<Body> {
  const { messages, ...rest } = body
  return { ...body, ...structuredClone(rest), messages: await runInTurns(copyMessages(messages)) }
}
