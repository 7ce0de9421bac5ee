import { createRequire } from 'node:module'
import { existsSync } from 'node:fs'
import path from 'node:path'
import express, { type Router } from 'express'
import { allEndpoints, endpoints } from '#contract/endpoints.ts'
import type { GatewayConfig } from '#contract/system.ts'
import type { Context } from './context.ts'
import { notFound, unavailable } from './lib/errors.ts'
import { route, type Caller, type Route } from './lib/http.ts'

/** Health, bootstrap and documentation endpoints, which belong to no domain. */
export function createSystemRoutes(context: Context, state: { isReady: () => boolean }): Route[] {
  const { config, settings, storage } = context
  const versions = { version: config.apiVersion, product_version: config.productVersion }

  function assertDatabase(): void {
    try {
      storage.ping()
    } catch (cause) {
      throw unavailable('The database does not answer.', { cause })
    }
  }

  return [
    route(endpoints.system.health, () => ({ status: true })),
    route(endpoints.system.healthDatabase, () => {
      assertDatabase()
      return { status: true }
    }),
    route(endpoints.system.ready, () => {
      if (!state.isReady()) throw unavailable('The gateway is not ready.')
      assertDatabase()
      return { status: true }
    }),
    route(endpoints.system.version, () => versions),
    route(endpoints.system.config, ({ caller }) => describeGateway(context, caller)),
    route(config.isDevelopment ? { ...endpoints.system.openapi, auth: 'none' as const } : endpoints.system.openapi, async () => {
      const { createOpenApiDocument } = await import('./openapi.ts')
      return createOpenApiDocument(allEndpoints, { title: settings.string('WEBUI_NAME'), version: config.productVersion })
    }),
  ]
}

function describeGateway({ config, settings, users }: Context, caller: Caller | null): GatewayConfig {
  const isNew = users.count() === 0
  const features: Record<string, boolean> = {
    auth: true,
    auth_trusted_header: false,
    enable_signup_password_confirmation: false,
    enable_ldap: false,
    enable_api_keys: settings.boolean('ENABLE_API_KEYS'),
    enable_signup: settings.boolean('ENABLE_SIGNUP'),
    enable_login_form: settings.boolean('ENABLE_LOGIN_FORM'),
    enable_password_change_form: true,
    enable_websocket: true,
    enable_version_update_check: false,
  }
  return {
    ...(isNew && { onboarding: true }),
    status: true,
    name: settings.string('WEBUI_NAME'),
    version: config.apiVersion,
    product_version: config.productVersion,
    default_locale: settings.string('DEFAULT_LOCALE'),
    mode: config.mode,
    oauth: { providers: {}, auto_redirect: false },
    features,
    ...(caller && caller.role !== 'pending' && { default_models: settings.string('DEFAULT_MODELS') }),
  }
}

const DOCS_FILES = ['swagger-ui-bundle.js', 'swagger-ui.css']
const DOCS_POLICY = "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'"
const DOCS_PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>API</title><link rel="stylesheet" href="/docs/swagger-ui.css"></head>
<body><div id="docs"></div><script src="/docs/swagger-ui-bundle.js"></script><script src="/docs/start.js"></script></body></html>`
const DOCS_START = "SwaggerUIBundle({ url: '/openapi.json', dom_id: '#docs' })"

/** Folder of the viewer: beside the bundle when built, in the package while developing. */
function docsFolder(): string {
  const bundled = path.join(import.meta.dirname, 'docs')
  if (existsSync(bundled)) return bundled
  return path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
}

/** The API document in a viewer that needs no network; mounted only when `ENV=dev`. */
export function serveDocs(): Router {
  const router = express.Router()
  router.use((_request, response, next) => {
    response.setHeader('Content-Security-Policy', DOCS_POLICY)
    next()
  })
  router.get('/', (_request, response) => void response.type('html').send(DOCS_PAGE))
  router.get('/start.js', (_request, response) => void response.type('text/javascript').send(DOCS_START))
  for (const file of DOCS_FILES) router.get(`/${file}`, (_request, response) => response.sendFile(path.join(docsFolder(), file)))
  router.use(() => {
    throw notFound('There is nothing at this address.')
  })
  return router
}
