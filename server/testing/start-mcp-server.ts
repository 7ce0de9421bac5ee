import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler, fromJsonSchema, McpServer } from '@modelcontextprotocol/server'

/** A tool of the server; its result names the caller, by the headers of the call. */
export interface TestTool {
  readonly name: string
  readonly description: string
  readonly isReadOnly?: boolean
}

export interface TestMcpServer {
  readonly url: string
  /** The tools offered; may be replaced. */
  tools: readonly TestTool[]
  readonly heard: IncomingMessage['headers'][]
  /** Returns the challenge of a refusal, or null to accept a request. */
  refuse: ((request: IncomingMessage) => Promise<string | null>) | null
  /** Further documents by path. */
  readonly documents: Map<string, unknown>
  /** Responses to a JSON body, by path. */
  readonly answers: Map<string, (body: unknown) => unknown>
  close(): void
}

/**
 * Starts an MCP server over HTTP with the official library. Each call returns its argument and the
 * header `x-person`.
 */
export async function startMcpServer(tools: readonly TestTool[]): Promise<TestMcpServer> {
  const heard: IncomingMessage['headers'][] = []
  const documents = new Map<string, unknown>()
  const answers: TestMcpServer['answers'] = new Map()
  const handler = createMcpHandler((context) => {
    const server = new McpServer({ name: 'test', version: '1.0.0' })
    for (const { name, description, isReadOnly } of state.tools) {
      const inputSchema = fromJsonSchema<{ text?: string }>({
        type: 'object',
        properties: { text: { type: 'string' } },
      })
      server.registerTool(
        name,
        { description, inputSchema, annotations: { readOnlyHint: isReadOnly === true } },
        async ({ text }) => {
          await new Promise((resolve) => setTimeout(resolve, Math.random() * 5))
          const person = context.requestInfo?.headers.get('x-person') ?? 'nobody'
          return { content: [{ type: 'text', text: `${person} said ${text ?? 'nothing'}` }] }
        },
      )
    }
    return server
  })
  const serve = toNodeHandler(handler)
  const http = createServer((request, response) => {
    void (async () => {
      const document = documents.get(request.url ?? '')
      if (document !== undefined)
        return response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify(document))
      const answer = answers.get(request.url ?? '')
      if (answer)
        return response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify(answer(await json(request))))
      if (request.url !== '/mcp') return response.writeHead(404).end()
      heard.push(request.headers)
      const challenge = (await state.refuse?.(request)) ?? null
      if (challenge !== null)
        return response.writeHead(401, { 'www-authenticate': challenge }).end()
      await serve(request, response)
    })()
  }).listen(0, '127.0.0.1')
  await once(http, 'listening')
  const state: TestMcpServer = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    tools,
    heard,
    refuse: null,
    documents,
    answers,
    close() {
      http.closeAllConnections()
      http.close()
    },
  }
  return state
}
