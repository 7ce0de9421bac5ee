import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { createCompletions, type CompletionsDependencies } from '../completions/index.ts'
import { GatewayResponse } from '../lib/serving/gateway-response.ts'
import { mount } from '../lib/http.ts'
import {
  startConversation,
  type Conversation,
  type ConversationOptions,
} from './start-conversation.ts'

type Extensions = Pick<
  CompletionsDependencies,
  'actions' | 'filters' | 'library' | 'outlets' | 'tools'
>

export interface ExtendedConversation extends Conversation {
  /** Posts to another path of the extended pipeline, such as one of the other protocols. */
  call(path: string, body: unknown, token?: string): Promise<Response>
}

/**
 * Starts a conversation whose completions have scripted plugins, tools or sources; everything else
 * is the real gateway.
 */
export async function startExtendedConversation(
  extend: (conversation: Conversation) => Extensions,
  options: ConversationOptions = {},
): Promise<ExtendedConversation> {
  const conversation = await startConversation(options)
  const { context } = conversation.server
  const completions = createCompletions({ ...context, ...extend(conversation) })
  const app = express()
  mount(app, completions.routes, {
    log: context.log,
    requirePermitted: context.requirePermitted,
    authenticate: (request, endpoint) => context.auth.authenticator.authenticate(request, endpoint),
  })
  // The gateway running beside it gave every express response its own class, which this server must
  // create too.
  const server = createServer({ ServerResponse: GatewayResponse }, app).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const complete: Conversation['complete'] = (body, { token, ...options } = {}) =>
    post('/api/chat/completions', body, { token, ...options })
  function post(
    path: string,
    body: unknown,
    {
      token = conversation.token,
      signal,
      headers,
    }: Parameters<Conversation['complete']>[1] & object,
  ) {
    return fetch(origin + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}`, ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
      signal,
    })
  }
  return {
    ...conversation,
    complete,
    call: (path, body, token) => post(path, body, { token }),
    async close() {
      completions.close()
      server.closeAllConnections()
      server.close()
      await conversation.close()
    },
  }
}
