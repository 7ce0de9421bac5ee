import { endpoints } from '#contract/endpoints.ts'
import { either, ID, inBody, inPath, inReply, NAME, row, type EventRow } from './row.ts'

const {
  auths,
  configs,
  connections,
  evaluations,
  eventWebhooks,
  generation,
  groups,
  ldap,
  models,
  oauth,
  scim,
} = endpoints
const { settings, toolServers, users, retrieval } = endpoints

const USER = inPath('user_id')
const GROUP = inPath('group_id')
const SIGNED_IN = { type: 'user', isBySubject: true } as const
const ROLE = { data: { role: inBody('role') } } as const
const MEMBERS = { data: { user_ids: inBody('user_ids') } } as const
/** Names of the changed settings; never their values, which may be secrets. */
const SETTING_NAMES = {
  data: { names: ({ body }: { body: Readonly<Record<string, unknown>> }) => Object.keys(body) },
} as const

/**
 * Accounts, groups and administrators' configuration. New accounts are announced at the place that
 * creates them.
 */
export const peopleRows: readonly EventRow[] = [
  row(auths.signin, 'auth.login', ID, SIGNED_IN),
  row(auths.desktop, 'auth.login', ID, SIGNED_IN),
  row(auths.local, 'auth.login', ID, SIGNED_IN),
  row(ldap.signin, 'auth.login', ID, SIGNED_IN),
  row(oauth.session, 'auth.login', ID, SIGNED_IN),
  row(oauth.exchange, 'auth.login', ID, SIGNED_IN),
  row(auths.signout, 'auth.logout'),
  row(auths.signoutByGet, 'auth.logout'),
  row(auths.updatePassword, 'auth.password_changed'),
  row(auths.createApiKey, 'auth.api_key.created', ID, { data: { name: inReply('name') } }),
  row(auths.createDefaultApiKey, 'auth.api_key.created'),
  row(auths.deleteApiKey, 'auth.api_key.deleted', inPath('key_id')),
  row(auths.deleteDefaultApiKey, 'auth.api_key.deleted'),
  row(oauth.endSessions, 'auth.oauth_session.deleted', undefined, {
    data: { provider: inPath('provider') },
  }),
  row(oauth.endSessionOf, 'auth.oauth_session.deleted', inPath('session_id'), {
    data: { user_id: USER },
  }),

  row(users.update, 'user.updated', USER),
  row(scim.replaceUser, 'user.updated', USER),
  row(scim.patchUser, 'user.updated', USER),
  row(users.updateRole, 'user.role_updated', inBody('id'), ROLE),
  row(users.updateRoleOf, 'user.role_updated', USER, ROLE),
  row(auths.updateProfile, 'user.profile_updated', ID),
  row(users.updateStatus, 'user.status_updated', ID),
  row(users.updateDefaultPermissions, 'user.permissions_updated'),
  row(users.remove, 'user.deleted', USER),
  row(scim.removeUser, 'user.deleted', USER),

  row(groups.create, 'group.created', ID, { data: NAME }),
  row(scim.createGroup, 'group.created'),
  row(groups.update, 'group.updated', GROUP, { data: NAME }),
  row(scim.replaceGroup, 'group.updated', GROUP),
  row(scim.patchGroup, 'group.updated', GROUP),
  row(groups.addUsers, 'group.member_added', GROUP, MEMBERS),
  row(groups.removeUsers, 'group.member_removed', GROUP, MEMBERS),
  row(groups.remove, 'group.deleted', GROUP),
  row(scim.removeGroup, 'group.deleted', GROUP),

  row(settings.update, 'config.updated', undefined, {
    data: { names: ({ body }) => Object.keys((body['values'] ?? {}) as object) },
  }),
  row(auths.updateAdminConfig, 'config.updated', undefined, SETTING_NAMES),
  row(ldap.updateEnabled, 'config.updated', undefined, SETTING_NAMES),
  row(ldap.updateServer, 'config.updated', undefined, SETTING_NAMES),
  row(evaluations.updateConfig, 'config.updated', undefined, SETTING_NAMES),
  row(generation.updateConfig, 'config.updated', undefined, SETTING_NAMES),
  row(retrieval.updateConfig, 'config.updated', undefined, SETTING_NAMES),
  row(retrieval.updateEmbedding, 'config.updated', undefined, SETTING_NAMES),
  row(endpoints.images.updateConfig, 'config.updated', undefined, SETTING_NAMES),
  row(endpoints.code.updateConfig, 'config.code_execution.updated', undefined, SETTING_NAMES),
  row(configs.import, 'config.imported'),
  row(configs.updateConnections, 'config.connections.updated'),
  row(connections.create, 'config.connections.updated', ID, {
    type: 'connection',
    data: { action: () => 'created' },
  }),
  row(connections.update, 'config.connections.updated', inPath('connection_id'), {
    type: 'connection',
    data: { action: () => 'updated' },
  }),
  row(connections.remove, 'config.connections.updated', inPath('connection_id'), {
    type: 'connection',
    data: { action: () => 'deleted' },
  }),
  row(endpoints.runtimeProxy.updateConfig, 'config.connections.updated'),
  row(endpoints.compatibleProxy.updateConfig, 'config.connections.updated'),
  row(toolServers.replace, 'config.tool_servers.updated'),
  row(toolServers.import, 'config.tool_servers.updated'),
  row(models.updateConfig, 'config.models.updated'),
  row(models.updatePrices, 'config.models.updated'),
  row(configs.updateBanners, 'config.banners.updated'),
  row(configs.updateSuggestions, 'config.suggestions.updated'),
  row(configs.updateWebhook, 'config.webhook.updated'),
  row(endpoints.webhooks.updateGateway, 'config.webhook.updated'),
  row(eventWebhooks.create, 'config.webhook.updated', ID, {
    type: 'webhook',
    data: { action: () => 'created', ...NAME },
  }),
  row(eventWebhooks.update, 'config.webhook.updated', ID, {
    type: 'webhook',
    data: { action: () => 'updated', ...NAME },
  }),
  row(eventWebhooks.remove, 'config.webhook.updated', inPath('webhook_id'), {
    type: 'webhook',
    data: { action: () => 'deleted' },
  }),

  row(evaluations.createFeedback, 'feedback.created', ID),
  row(evaluations.updateFeedback, 'feedback.updated', inPath('feedback_id')),
  row(evaluations.removeFeedback, 'feedback.deleted', inPath('feedback_id')),
  row(evaluations.removeOwnFeedbacks, 'feedback.deleted_all', undefined, {
    data: { whose: () => 'own' },
  }),
  row(evaluations.removeAllFeedbacks, 'feedback.deleted_all', undefined, {
    data: { whose: () => 'everybody' },
  }),

  row(endpoints.pipelines.add, 'pipeline.added'),
  row(endpoints.pipelines.upload, 'pipeline.uploaded'),
  row(endpoints.pipelines.updateValves, 'pipeline.valves_updated', inPath('pipeline_id')),
  row(endpoints.pipelines.remove, 'pipeline.deleted', either(inBody('id'))),
]
