import { allEndpoints, endpoints } from '#contract/endpoints.ts'
import type { GatewayConfig } from '#contract/system.ts'
import type { Context } from './context.ts'
import { unavailable } from './lib/errors.ts'
import { route, type Caller, type Route } from './lib/http.ts'

/** Health, bootstrap and description endpoints, which belong to no domain. */
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
