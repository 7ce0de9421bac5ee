import express, { type ErrorRequestHandler, type Express } from 'express'
import { z } from 'zod'
import { defineEndpoint } from '#contract/endpoint.ts'
import { serveDocs } from './docs.ts'
import { badRequest, notFound, ServiceError } from '../lib/errors.ts'
import { GatewayResponse } from '../lib/serving/gateway-response.ts'
import { mount, sendError, type Route, type ServeOptions } from '../lib/http.ts'
import { dialectOf } from '../lib/serving/to-error.ts'
import type { UiFiles } from './ui-files.ts'

/** Below these prefixes an unknown path is a JSON 404, never the UI. */
const API_PREFIX = /^\/+(docs|api|v1|llmhost|ollama|openai|oauth|ws|cache|health|ready)(\/|$)/i

/** Request log entry for URLs that match no endpoint. */
const UNKNOWN_ADDRESS = defineEndpoint({
  id: 'unknown',
  tag: '',
  method: 'GET',
  path: '',
  response: z.unknown(),
  summary: '',
})

export interface ExpressParts {
  readonly routes: readonly Route[]
  readonly serveOptions: ServeOptions
  readonly ui: UiFiles | null
  readonly hasDocs: boolean
}

/** Creates the app for everything that is not hot: all routes, then the files of the UI. */
export function createExpress({ routes, serveOptions, ui, hasDocs }: ExpressParts): Express {
  // Express inserts its methods between a reply and its class; this keeps the gateway's class in
  // the prototype chain.
  Object.setPrototypeOf(express.response, GatewayResponse.prototype)
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.enable('case sensitive routing')
  mount(app, routes, serveOptions)
  if (hasDocs) app.use('/docs', serveDocs())
  app.use((request, response) => {
    const isPage =
      !API_PREFIX.test(request.path) && (request.method === 'GET' || request.method === 'HEAD')
    if (isPage && ui?.serve(request, response)) return
    const error = notFound('There is nothing at this address.')
    // Calls with a wrong URL are recorded too, so that they can be found in the log.
    serveOptions
      .record?.(UNKNOWN_ADDRESS, { request, response, params: {} })
      ?.noteFailure(null, error)
    throw error
  })
  const answerError: ErrorRequestHandler = (error: unknown, request, response, _next) => {
    sendError(response, toRoutingError(error), {
      log: serveOptions.log,
      // SDKs call paths that are not here too, below each address they may be given.
      dialect: dialectOf(request.path) ?? 'chat-completions',
    })
  }
  app.use(answerError)
  return app
}

/** Maps errors of express itself, such as undecodable paths, which carry a 4xx `status`. */
function toRoutingError(error: unknown): unknown {
  if (error instanceof ServiceError) return error
  const status =
    typeof error === 'object' && error !== null && 'status' in error ? Number(error.status) : 500
  return status >= 400 && status < 500
    ? badRequest('The address of the request cannot be read.', { cause: error })
    : error
}
