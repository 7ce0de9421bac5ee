import { createRequire } from 'node:module'
import { existsSync } from 'node:fs'
import path from 'node:path'
import express, { type Router } from 'express'
import { notFound } from '../lib/errors.ts'

const DOCS_FILES = ['swagger-ui-bundle.js', 'swagger-ui.css']
const DOCS_POLICY =
  "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'"
const DOCS_PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>API</title><link rel="stylesheet" href="/docs/swagger-ui.css"></head>
<body><div id="docs"></div><script src="/docs/swagger-ui-bundle.js"></script><script src="/docs/start.js"></script></body></html>`
const DOCS_START =
  "SwaggerUIBundle({ url: '/openapi.json', dom_id: '#docs', docExpansion: 'none', filter: true, deepLinking: true })"

/**
 * Returns the folder of the viewer: beside the bundle in a build, in the package during
 * development.
 */
function docsFolder(): string {
  const bundled = path.join(import.meta.dirname, 'docs')
  if (existsSync(bundled)) return bundled
  return path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
}

/** Serves the API document in a viewer that needs no network; mounted only if `ENV=dev`. */
export function serveDocs(): Router {
  const router = express.Router()
  router.use((_request, response, next) => {
    response.setHeader('Content-Security-Policy', DOCS_POLICY)
    next()
  })
  router.get('/', (_request, response) => void response.type('html').send(DOCS_PAGE))
  router.get(
    '/start.js',
    (_request, response) => void response.type('text/javascript').send(DOCS_START),
  )
  for (const file of DOCS_FILES)
    router.get(`/${file}`, (_request, response) => response.sendFile(path.join(docsFolder(), file)))
  router.use(() => {
    throw notFound('There is nothing at this address.')
  })
  return router
}
