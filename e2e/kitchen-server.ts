import { createServer, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

const DOCUMENT = `
openapi: 3.1.0
info: { title: Kitchen }
paths:
  /pots/{pot}:
    post:
      operationId: boil
      summary: Boils water in a pot
      parameters: [{ name: pot, in: path, required: true, schema: { type: string } }]
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Water' } } } }
  /slow:
    get: { operationId: simmer, summary: Takes its time }
  /menu:
    get: { operationId: menu, summary: Shows the menu }
components:
  schemas:
    Water: { type: object, properties: { litres: { type: number } } }
`

/** A user's own OpenAPI service, which pages of any origin may call; it requires a key. */
export interface KitchenServer {
  readonly url: string
  /** Every request as `METHOD path origin`, in order. */
  readonly heard: readonly string[]
  /** Requests that were cancelled before their reply. */
  readonly left: readonly string[]
  close(): void
}

const HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Headers': 'authorization, content-type',
  'Access-Control-Allow-Methods': 'GET, POST',
  'Access-Control-Expose-Headers': 'content-disposition',
}

function answer(url: string, body: string, response: ServerResponse): void {
  if (url === '/openapi.json')
    response.writeHead(200, { 'Content-Type': 'application/yaml' }).end(DOCUMENT)
  else if (url === '/menu') {
    response
      .writeHead(200, { 'Content-Type': 'text/html', 'Content-Disposition': 'inline' })
      .end('<h1>Soup of the day</h1>')
  } else if (url !== '/slow')
    response
      .writeHead(200, { 'Content-Type': 'application/json' })
      .end(JSON.stringify({ degrees: 100, url, body }))
}

/**
 * Starts the service. `allowsPages: false` omits the headers that let a page of another origin read
 * the replies.
 */
export async function startKitchen({
  key = 'sesame',
  allowsPages = true,
} = {}): Promise<KitchenServer> {
  const heard: string[] = []
  const left: string[] = []
  const server = createServer((request, response) => {
    const { method = '', url = '', headers } = request
    if (allowsPages)
      for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value)
    let body = ''
    request.on('data', (piece: Buffer) => (body += piece.toString()))
    request.on('end', () => {
      if (method === 'OPTIONS') return response.writeHead(204).end()
      heard.push(`${method} ${url} ${headers.origin}`)
      response.once('close', () => response.writableFinished || left.push(url))
      if (headers.authorization !== `Bearer ${key}`) return response.writeHead(401).end('no key')
      answer(url, body, response)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard,
    left,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
