import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

const DIMENSIONS = 512
const GRAM = 3

function hash(text: string): number {
  let value = 0x811c9dc5
  for (const character of text) value = Math.imul(value ^ character.codePointAt(0)!, 0x01000193)
  return value >>> 0
}

/** Counts sequences of three letters: the result of an engine without any knowledge. */
function embed(text: string): number[] {
  const vector = Array.from({ length: DIMENSIONS }, () => 0)
  const letters = ` ${text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, ' ')} `
  for (let start = 0; start + GRAM <= letters.length; start += 1)
    vector[hash(letters.slice(start, start + GRAM)) % DIMENSIONS]! += 1
  return vector
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { input } = (await json(request)) as { input: string[] }
  const data = input.map((text, index) => ({ object: 'embedding', index, embedding: embed(text) }))
  response
    .setHeader('Content-Type', 'application/json')
    .end(JSON.stringify({ object: 'list', model: 'letters', data }))
}

/**
 * Starts an embeddings endpoint on loopback that knows letters only; the baseline for other
 * engines.
 */
export async function startLettersEndpoint(): Promise<{ url: string; stop(): void }> {
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    stop: () => void server.close(),
  }
}
